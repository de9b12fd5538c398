"""Grammars of what spans several lines (or says a failure in one): one file each, with a module-level `TRACE`.

A parser is given a cursor over one stream's lines, claims those that it used and leaves the others, stops where its own policy says,
and never raises.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kb.model.event import Event, Line

PATIENCE = 12
"""Foreign lines in a row that a parser passes over before it gives up on the rest of its event."""


class Cursor:
    """A place in a stream's lines from which a parser reads forward. Lines that another event claimed are passed over."""

    def __init__(self, lines: Sequence[Line], start: int, taken: set[int], opens: re.Pattern[str]) -> None:
        self._lines, self._taken, self._opens = lines, taken, opens
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
        return self._opens.search(line.text) is not None

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

    `starts` is searched in each line; where it is found, `parse` is called with a cursor on that line and gives the events, outermost
    consequence last, or none. Of several grammars that start on a line the one with the lowest `order` is asked first.
    """

    name: str
    starts: str
    parse: Callable[[Cursor], list[Event]]
    samples: tuple[TraceSample, ...]
    strangers: tuple[str, ...] = ()  # text that looks alike and holds no such event
    marks: tuple[str, ...] = ()  # literals that call for a closer look at a line
    order: int = 50
    leveled: bool = False  # asked for every record of level ERROR or CRITICAL too
