"""Grammars of what spans several lines (or says a failure in one): one file each, with a module-level `TRACE`.

A parser is given a cursor over one stream's lines, claims those that it used and leaves the others, stops where its own policy says,
and never raises.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kb.model.event import Event, Line

PATIENCE = 12
"""Foreign lines in a row that a parser passes over before it gives up on the rest of its event."""


class Cursor:
    """A place in a stream's lines from which a parser reads forward. Lines that another event claimed are passed over."""

    def __init__(self, lines: Sequence[Line], start: int, taken: set[int], begins: Callable[[Line], bool]) -> None:
        self._lines, self._taken, self._begins = lines, taken, begins
        self.at = start
        self.claimed: list[int] = []
        self.hit_end = False  # the parser wanted more lines than there are (yet)

    @property
    def line(self) -> Line | None:
        """The line here, None at the end."""
        while self.at < len(self._lines) and self.at in self._taken:
            self.at += 1
        if self.at >= len(self._lines):
            self.hit_end = True
            return None
        return self._lines[self.at]

    def claim(self) -> Line:
        """Use the line here and go on; returns it."""
        line = self.line
        assert line is not None
        self.claimed.append(self.at)
        self.at += 1
        return line

    def skip(self) -> None:
        """Go on and leave the line here to others."""
        self.at += 1

    def begins_event(self, line: Line) -> bool:
        """Whether some grammar would begin an event with this line."""
        return self._begins(line)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the lines claimed so far."""
        return tuple(self._lines[index].number for index in self.claimed)


@dataclass(frozen=True, slots=True)
class TraceSample:
    """Log text (already without prefixes) and what must come of it: (kind, class, message, line) of each event."""

    text: str
    events: tuple[tuple[str, str | None, str, int], ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """One grammar.

    An event can begin only on a line that holds one of `marks` (found by one automaton for all grammars, so that ordinary lines cost
    nothing) and where `starts` is found; `leveled` grammars are asked for every record of level ERROR and CRITICAL too. There `parse` is
    called with a cursor on the line and gives the events, outermost consequence last, or none. Of several grammars that could begin on
    a line the one with the lowest `order` is asked first, the next one when it gives nothing.
    """

    name: str
    starts: str
    parse: Callable[[Cursor], list[Event]]
    marks: tuple[str, ...]
    samples: tuple[TraceSample, ...]
    strangers: tuple[str, ...]  # text that looks alike and holds no such event
    order: int = 50
    leveled: bool = False
