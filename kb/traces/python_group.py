"""Exception groups: the group first, then its members behind margins, nested as deep as it goes.

Source of the format: CPython's `traceback` module from 3.11 on, and the backport `exceptiongroup`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from kb.model.event import Event, Line, Link
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._chain import Found, Reader, parse_chain, parse_lines
from kb.traces._python import closed, event_at, named

_MARGIN = re.compile(r"^(?P<blanks> *)\|(?: (?P<text>.*)|)$")
_HEAD = re.compile(r"^(?P<blanks> *)\+ (?P<text>Exception Group Traceback \(most recent call last\):\s*)$")
_RULE = re.compile(r"^ *\+(?:-\+)?-{4,}(?: (?:\d+|\.\.\.) )?-{4,}\s*$")
_LONE = re.compile(r"^[\w.]*Group: .*\(\d+ sub-exceptions?\)\s*$")
_LINES = 4000
"""Lines that one group may have."""


@dataclass(slots=True)
class _Block:
    """Lines behind one margin: a group's own traceback, or one member's."""

    column: int
    lines: list[Line] = field(default_factory=list)


def read(cursor: Cursor) -> Found | None:
    """A group and its members, each member linked as a cause of its group."""
    events: list[Event] = []
    parents: dict[int, int] = {}  # column -> place of the last exception there in `events`
    for block in _blocks(cursor):
        found = parse_lines(block.lines, cursor) or _lone(block)
        above = max((column for column in parents if column < block.column), default=None)
        events += found
        if found and above is not None:
            parent = events[parents[above]]
            link = Link(found[-1].line, "member")
            events[parents[above]] = replace(parent, causes=(*parent.causes, link))
        parents = {column: place for column, place in parents.items() if column < block.column}
        if found:
            parents[block.column] = len(events) - 1
    return Found(tuple(events), _final(events)) if events else None


def _final(events: list[Event]) -> Event:
    """What a chain goes on from: the first group, else the first exception of all."""
    return next((event for event in events if (event.cls or "").endswith("Group")), events[0])


def _blocks(cursor: Cursor) -> Iterator[_Block]:
    """The blocks of the group here; their lines are claimed."""
    block: _Block | None = None
    read = 0
    while (line := cursor.line) is not None and read < _LINES:
        read += 1
        found = _HEAD.match(line.text) or _MARGIN.match(line.text)
        if found is not None:
            column = len(found["blanks"])
            if block is None or block.column != column:
                if block is not None:
                    yield block
                block = _Block(column)
            block.lines.append(replace(line, text=found["text"] or ""))
        elif _RULE.match(line.text):
            if block is not None:
                yield block
            block = None
        else:
            break
        cursor.claim()
    if block is not None:
        yield block


def _lone(block: _Block) -> list[Event]:
    """A member that was never raised has no traceback, only its last line."""
    for line in block.lines:
        found = named(line.text)
        if found is not None and found.sure:
            return [closed(event_at(line, found.message, found.cls), (line.number,))]
    return []


def parse(cursor: Cursor) -> list[Event]:
    """The group here with its members, or the one line that is all a log shows of a group."""
    line = cursor.line
    if line is not None and _LONE.match(line.text.strip()) and (found := named(line.text)):
        cursor.claim()
        return [event_at(line, found.message, found.cls)]
    return parse_chain(cursor)


_STARTS = r'^ *\+ Exception Group Traceback \(most recent call last\):\s*$|^ +\|  +File ".+", line \d'
READER = Reader(re.compile(_STARTS), read, order=20)

TRACE = Trace(
    name="python_group",
    starts=rf"{_STARTS}|^\s*[\w.]*Group: .*\(\d+ sub-exceptions?\)\s*$",
    parse=parse,
    order=18,
    marks=("Exception Group Traceback", '|   File "', "sub-exception"),
    samples=(
        TraceSample(
            "  + Exception Group Traceback (most recent call last):\n"
            '  |   File "a.py", line 9, in main\n  |     run()\n  | ExceptionGroup: two jobs (2 sub-exceptions)\n'
            "  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n"
            '    |   File "a.py", line 3, in job\n    |     int("x")\n    | ValueError: no number\n'
            "    +---------------- 2 ----------------\n    | KeyError: 'k'\n    +------------------------------------",
            (("exception", "ExceptionGroup", "two jobs (2 sub-exceptions)", 4),
             ("exception", "ValueError", "no number", 9),
             ("exception", "KeyError", "'k'", 11)),
        ),
        TraceSample("ExceptionGroup: one job (1 sub-exception)",
                    (("exception", "ExceptionGroup", "one job (1 sub-exception)", 1),)),
    ),
    strangers=("  | a table row", "a group of (2 sub-exceptions) is good", "  +-+---------------- 1 ----------------"),
)  # fmt: skip
