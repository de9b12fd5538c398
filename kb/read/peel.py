"""Prefixes off: raw lines become `Line`s that know what was said, and who said it.

A raw line is one line, several (a JSON record that holds a stack trace), or a part of one (a container runtime splits
long ones).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice

from kb.formats import Format
from kb.model.event import Line
from kb.read.learn import learn
from kb.read.prefix import Finder, Prefix
from kb.read.repeat import Repeats
from kb.read.scan import RawLine
from kb.read.wrap import unwrap
from kb.read.writer import Lines, Row, identity
from kb.settings import MAX_PREFIXES
from kb.text.ansi import clean

_STRETCH = 4000
"""Lines that are looked at together for prefixes that count only where they repeat."""
_STRETCH_CHARS = 4_000_000
"""Characters of these lines, so that long lines cannot fill the memory."""
_JSON_COLOUR = re.compile(r"\\u001[bB]\[[0-9;]*[mK]")


class Peeler:
    """Takes prefixes off. Made once from all formats, the specific ones first; holds no state between logs."""

    def __init__(self, formats: Iterable[Format]) -> None:
        self._finder = Finder(formats)

    def peel(self, lines: Iterable[RawLine], file: str | None = None) -> Iterator[Line]:
        """The lines without their prefixes; one that could be ordinary text counts only where the log repeats it."""
        raws = ((line.number, _shown(line.raw)) for line in lines)
        repeats, open_parts = Repeats(), dict[tuple[str, ...], Row]()
        make = Lines(file).line
        while stretch := list(_stretch(raws)):
            for row in self._joined(self._rows(stretch, repeats), open_parts):
                yield make(row)
        for row in sorted(open_parts.values(), key=lambda row: row.number):
            yield from map(make, self._expanded(row))

    def prefixes(self, text: str, repeated: bool | None) -> Iterator[Prefix]:
        """The prefixes of one line, outermost first, down to one that is decoded.

        None or True for `repeated` takes every shy one, False none.
        """
        return iter(self._finder.find(text, None if repeated is None else lambda _: repeated))

    def _rows(self, stretch: list[tuple[int, str]], repeats: Repeats) -> Iterator[Row]:
        """The rows of a stretch, after a first look at it that finds out which shy prefixes count."""
        find = self._finder.find
        first = [find(text) for _, text in stretch]
        merged = unwrap(stretch, first)
        if merged is not stretch:
            stretch, first = merged, [find(text) for _, text in merged]
        shy = {row: found for row, found in enumerate(first) if any(prefix.format.shy for prefix in found)}
        texts = [text for _, text in stretch]
        repeats.study(texts, shy)
        learned = learn(
            texts,
            [found[-1].end if found and found[-1].texts is None else 0 for found in first],
            lambda text: max((prefix.end for prefix in find(text)), default=0),
        )
        hidden = re.compile(learned.pattern).match if learned is not None else None
        for index, ((number, text), found) in enumerate(zip(stretch, first, strict=True)):
            if index in shy or (hidden is not None and hidden(text, found[-1].end if found else 0)):
                found = find(text, partial(repeats.accepts, index), learned)
            if not found:
                yield Row(number, text)
            elif found[-1].texts is None:
                yield Row(number, text[found[-1].end :], found, found[-1].end)
            else:
                yield from self._inner(Row(number, text), found)

    def _joined(self, rows: Iterable[Row], open_parts: dict[tuple[str, ...], Row]) -> Iterator[Row]:
        """The rows with parts put together; a joined line has the number of its first part."""
        for row in rows:
            last = row.found[-1] if row.found else None
            if last is None or (not open_parts and not last.more):
                yield row
                continue
            writer = tuple(part for prefix in row.found for part in (prefix.format.name, identity(prefix)))
            key = next((key for key in open_parts if writer[: len(key)] == key), None)
            if key is not None:
                before = open_parts.pop(key)
                row = replace(before, text=before.text + row.text)
            if last.more:
                open_parts[key or writer] = row
            else:
                yield from [row] if key is None else self._expanded(row)

    def _inner(self, row: Row, found: tuple[Prefix, ...]) -> Iterator[Row]:
        """A row without the prefixes that were found on it; what one of them encodes is looked into in turn."""
        if not found:
            yield row
            return
        last, taken = found[-1], row.found + found
        peeled = row.peeled + last.end if not row.found else row.peeled
        texts = (row.text[last.end :],) if last.texts is None else last.texts
        for index, text in enumerate(map(clean, texts) if last.texts is not None else texts):
            inner = Row(row.number, text, taken, peeled, row.later or index > 0)
            if last.more or last.texts is None or len(taken) >= MAX_PREFIXES:
                yield inner
            else:
                yield from self._inner(inner, self._finder.find(text, _refuses))

    def _expanded(self, row: Row) -> Iterator[Row]:
        """A joined row, with the prefixes inside it off."""
        for text in row.text.split("\n"):
            yield from self._inner(replace(row, text=text), self._finder.find(text, _refuses))


def _stretch(raws: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The next lines, so many as are looked at together."""
    chars = 0
    for number, text in islice(raws, _STRETCH):
        yield number, text
        chars += len(text)
        if chars > _STRETCH_CHARS:
            return


def _shown(raw: bytes) -> str:
    """A raw line as a terminal shows it."""
    # colours inside JSON strings go first: half of one would be taken for a lost escape
    text = raw.decode("utf-8", "backslashreplace")
    return clean(_JSON_COLOUR.sub("", text) if "\\u001" in text else text)


def _refuses(prefix: Prefix) -> bool:
    """Inside encoded text nothing can be counted: no shy prefix counts."""
    return False
