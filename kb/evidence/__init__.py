"""Kinds of hang evidence: one file each, with a module-level `EVIDENCE` that carries its own samples.

A kind is recognised by content, never by a file's name, and one file may hold several. The page is read once: where a line begins one
of the kinds, its parser claims the lines that it understands; the others are left. Parsers never raise on any text.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kb.model.snapshot import Fact


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a file: its number, its text without colour and prefixes, and what the prefixes said."""

    number: int
    text: str
    rank: str | None = None


class Page:
    """A place in the rows of one file from which a parser reads forward. Common indentation and quoting of a block is taken off."""

    def __init__(self, file: str, rows: Sequence[Row]) -> None:
        self.file = file
        self._rows = rows
        self._indent = ""
        self.at = 0

    @property
    def row(self) -> Row | None:
        """The row here, None at the end."""
        if self.at >= len(self._rows):
            return None
        row = self._rows[self.at]
        if self._indent and row.text.startswith(self._indent):
            return Row(row.number, row.text[len(self._indent) :], row.rank)
        return row

    def take(self) -> Row:
        """The row here; goes on to the next."""
        row = self.row
        assert row is not None
        self.at += 1
        return row

    def block(self, indent: str) -> None:
        """From here on rows stand behind this quoting or indentation."""
        self._indent = indent

    def rest(self, limit: int) -> list[Row]:
        """The rows from here, at most `limit`, as they are."""
        return list(self._rows[self.at : self.at + limit])

    def skip(self, count: int) -> None:
        """Go on by so many rows."""
        self.at += count


@dataclass(frozen=True, slots=True)
class Evidence:
    """One kind.

    `starts` is a regular expression that the first row of a piece fits at its beginning; `parse` is called there, claims rows and gives
    the facts, or none and claims nothing. `magic` begins a binary file of this kind, which `decode` reads as a whole.
    """

    name: str
    starts: str
    parse: Callable[[Page], list[Fact]]
    samples: tuple[str, ...]
    strangers: tuple[str, ...] = ()  # text that looks alike and is no such evidence
    order: int = 50  # of several kinds that could begin on a row the lowest is asked first
    magic: bytes = b""
    decode: Callable[[bytes, str], list[Fact]] | None = None
