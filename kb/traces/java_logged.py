"""Java's exceptions below the log record that tells of them: the record is the heading of the stack trace, not an
error of its own.

Source of the format: the default layouts of Logback, Log4j 2 and java.util.logging, which print the trace on the
lines below."""

from dataclasses import replace

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample, java

_BLANKS = 1
"""Blank lines that may stand between a record and its trace (Spring prints one)."""


def parse(cursor: Cursor) -> list[Event]:
    """The exceptions below the record here, which is claimed as their heading; nothing where no stack trace follows
    at once."""
    line = cursor.line
    if line is None or line.level not in ("ERROR", "CRITICAL") or java.names_exception(line.text):
        return []
    heading = cursor.claim()
    for _ in range(_BLANKS):
        if (below := cursor.line) is not None and not below.text.strip():
            cursor.skip()
    below = cursor.line
    if below is None or below.level is not None or not java.names_exception(below.text):
        return []
    count = len(cursor.claimed)
    chain = java.parse(cursor)
    if not chain:
        return []
    top = chain[-1]
    own = tuple(number for number in cursor.since(count) if all(number not in event.claimed for event in chain[:-1]))
    headed = replace(
        top,
        claimed=(heading.number, *own),
        span=(heading.number, max(own)),
        header=heading.text.strip(),
        level=heading.level,
        time=heading.time,
        rank=top.rank or heading.rank,
    )
    return [*chain[:-1], headed]


TRACE = Trace(
    name="java_logged",
    starts=r"(?!)",
    parse=parse,
    order=31,
    leveled=True,
    marks=("Exception in task ",),
    samples=(
        TraceSample(
            "dev.tide.FullException: no berth\n\tat dev.tide.Pier.moor(Pier.java:3)",
            (("exception", "dev.tide.FullException", "no berth", 1),),
        ),
    ),
    strangers=("Exception in task 3 of the harbour",),
)
