"""Grammars of what spans several lines (or says a failure in one): one file each, with a module-level `TRACE`.

A parser is given a cursor over one stream's lines, claims those that it used and leaves the others, stops where its own policy says,
and never raises.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kb.model.event import Event, Line

PATIENCE = 12
"""Foreign lines in a row that a parser passes over before it gives up on the rest of its event."""


CLAIM_PAYS = 2
"""Looks that a claimed line pays for: its own, and those of parsers that read what is quoted once more."""

TAKEN_A_LOOK = 16
"""Lines of other events that are passed over at the price of one look."""


@dataclass(slots=True)
class Meter:
    """What parsing one event costs. `looked` counts the lines that were looked at, each as often as the parser came back to it.

    `credit` is how many of them may come to nothing: claimed lines pay for `CLAIM_PAYS` looks each. Once it is used up no further line
    is shown, as if the stream ended, and `short` is true; the lines shown before stay readable.
    """

    credit: int
    looked: int = 0
    short: bool = False

    def look(self, claimed: int, passed: int, *, further: bool) -> bool:
        """Counts a look after `claimed` lines were claimed and `passed` lines of other events passed over; whether it is granted.

        Only a look at a line that is `further` than all before can be refused.
        """
        if further and self.looked - CLAIM_PAYS * claimed >= self.credit:
            self.short = True
            return False
        self.looked += 1 + passed // TAKEN_A_LOOK
        return True

    def cost(self, claimed: int) -> int:
        """The looks that came to nothing, when `claimed` lines were claimed in the end."""
        return max(0, self.looked - CLAIM_PAYS * claimed)


class Cursor:
    """A place in a stream's lines from which a parser reads forward. Lines that another event claimed are passed over.

    Without a `meter` it may look as far as it likes.
    """

    def __init__(
        self, lines: Sequence[Line], start: int, taken: set[int], begins: Callable[[Line], bool], meter: Meter | None = None
    ) -> None:
        self._lines, self._taken, self._begins, self.meter = lines, taken, begins, meter or Meter(sys.maxsize)
        self._paid = 0  # lines that the cursor around this one has claimed
        self._here, self._furthest = -1, start - 1  # where the last look went, and the furthest one
        self.at = start
        self.claimed: list[int] = []
        self.hit_end = False  # the parser wanted more lines than there are (yet)

    @property
    def line(self) -> Line | None:
        """The line here, None at the end."""
        at = self.at
        if at == self._here:
            return self._lines[at]
        while at < len(self._lines) and at in self._taken:
            at += 1
        passed, self.at = at - self.at, at
        if at >= len(self._lines):
            self.hit_end = True
            return None
        if not self.meter.look(len(self.claimed) + self._paid, passed, further=at > self._furthest):
            return None
        self._here, self._furthest = at, max(at, self._furthest)
        return self._lines[at]

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

    def within(self, lines: Sequence[Line]) -> "Cursor":
        """A cursor on lines taken out of a quotation, a box or a margin; what is looked at there counts here."""
        inner = Cursor(lines, 0, set(), self._begins, self.meter)
        inner._paid = self._paid + len(self.claimed)
        return inner

    def begins_event(self, line: Line) -> bool:
        """Whether some grammar would begin an event with this line."""
        return self._begins(line)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the lines claimed so far."""
        return self.since(0)

    def since(self, claimed: int) -> tuple[int, ...]:
        """The numbers of the lines claimed after the first `claimed` ones."""
        return tuple(self._lines[index].number for index in self.claimed[claimed:])


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
