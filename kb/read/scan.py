"""The one pass over all bytes: which lines are worth a closer look.

A line is, when it holds a mark of failure or an anchor of a record, stands close to one that does, or stands at the start or the end
of the log. Everything else is dropped undecoded. The engine behind `Scanner` may be replaced by a faster one; the regions stay equal.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

from kb.read.source import Block
from kb.settings import CONTEXT_AFTER, CONTEXT_BEFORE, HEAD_LINES, TAIL_LINES


@dataclass(frozen=True, slots=True)
class RawLine:
    """A line as it stands in the log: its 1-based number and its bytes without the line end."""

    number: int
    raw: bytes


class Scanner(Protocol):
    """Finds literals. `hits` gives the offsets in `data` where one of them begins, in order."""

    def hits(self, data: bytes) -> Iterable[int]:
        """Offsets of literals, ascending."""
        ...


class LiteralScanner:
    """All literals in one pass (Aho-Corasick): linear in the text, whatever the number of literals."""

    def __init__(self, literals: Iterable[str]) -> None:
        from ahocorasick_rs import BytesAhoCorasick, MatchKind

        patterns = sorted({literal.encode() for literal in literals if literal})
        self._engine = BytesAhoCorasick(patterns, matchkind=MatchKind.LeftmostFirst) if patterns else None

    def hits(self, data: bytes) -> Iterable[int]:
        """Offsets of literals, ascending."""
        if self._engine is None:
            return ()
        return (start for _, start, _ in self._engine.find_matches_as_indexes(data))

    def finds(self, text: str) -> bool:
        """Whether one of the literals stands in a text."""
        return self._engine is not None and bool(self._engine.find_matches_as_indexes(text.encode("utf-8", "surrogateescape")))


def interesting(blocks: Iterable[Block], scanner: Scanner) -> Iterator[RawLine]:
    """The lines worth a look, in order and each once."""
    recent: deque[RawLine] = deque(maxlen=max(CONTEXT_BEFORE, TAIL_LINES))  # seen and not given yet
    until = HEAD_LINES  # every line up to this number is given
    for block in blocks:
        for number, raw, hit in _marked(block, scanner):
            if hit:
                yield from _last(recent, CONTEXT_BEFORE)
                until = max(until, number + CONTEXT_AFTER)
            if number <= until:
                yield RawLine(number, raw)
            else:
                recent.append(RawLine(number, raw))
    yield from _last(recent, TAIL_LINES)


def _marked(block: Block, scanner: Scanner) -> Iterator[tuple[int, bytes, bool]]:
    """The lines of a block with their numbers, and whether a literal begins in them."""
    ends = list(accumulate(len(line) + 1 for line in block.lines))
    data = b"\n".join(block.lines)
    marked = {bisect_right(ends, offset) for offset in scanner.hits(data)}
    for index, line in enumerate(block.lines):
        yield block.first + index, line, index in marked


def _last(recent: deque[RawLine], count: int) -> Iterator[RawLine]:
    """The last `count` of the waiting lines; none of them waits any longer."""
    waiting = list(recent)[-count:]
    recent.clear()
    yield from waiting
