'''Exceptions of another process, quoted between `"""` in the parent's traceback.

Source of the format: `multiprocessing.pool.RemoteTraceback`, `concurrent.futures.process._RemoteTraceback` (loky and
multiprocess have copies) and billiard's `RemoteTraceback`.
'''

import re
from dataclasses import replace

from kb.model.event import Event, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._chain import Found, Reader, parse_chain, parse_lines

_OPENS = re.compile(r"^\s*(?:[\w.]+\.)?_?(?:RemoteTraceback|ExceptionWithTraceback)\s*:?\s*$")
_QUOTE = re.compile(r"^\s*(?:'''|\"\"\")\s*$")
_LINES = 2000
"""Lines that one quotation may have."""


def read(cursor: Cursor) -> Found | None:
    """The exceptions that are quoted here; the parent's copy, which follows, goes on from the last of them."""
    if cursor.line is None:
        return None
    cursor.claim()
    if cursor.line is None or not _QUOTE.match(cursor.line.text):
        return None
    opening = cursor.claim()
    quoted: list[Line] = []
    while (line := cursor.line) is not None and len(quoted) < _LINES and line.formats == opening.formats:
        cursor.claim()
        if _QUOTE.match(line.text):
            break
        quoted.append(line)
    events = parse_lines(quoted, cursor)
    return Found(tuple(events), events[-1]) if events else None


def parse(cursor: Cursor) -> list[Event]:
    """The quoted exceptions and the parent's: a copy of the same exception has the worker's frames before its own."""
    events = parse_chain(cursor)
    for place, event in enumerate(events[1:], 1):
        cause = events[place - 1]
        if event.causes and (event.message, (event.cls or "").rpartition(".")[2]) == (
            cause.message, (cause.cls or "").rpartition(".")[2]):  # fmt: skip
            events[place] = replace(event, frames=(*cause.frames, *event.frames))
            break
    return events


READER = Reader(_OPENS, read, order=10)

TRACE = Trace(
    name="python_remote",
    starts=_OPENS.pattern,
    parse=parse,
    order=15,
    marks=("RemoteTraceback", "ExceptionWithTraceback"),
    samples=(
        TraceSample(
            'pool.RemoteTraceback: \n"""\nTraceback (most recent call last):\n  File "w.py", line 2, in work\n'
            '    1 / n\n'
            'ZeroDivisionError: division by zero\n"""\n\n'
            "The above exception was the direct cause of the following exception:\n\n"
            'Traceback (most recent call last):\n  File "p.py", line 8, in get\n    raise self._value\n'
            "ZeroDivisionError: division by zero",
            (("exception", "ZeroDivisionError", "division by zero", 6),
             ("exception", "ZeroDivisionError", "division by zero", 14)),
        ),
    ),
    strangers=("RemoteTraceback: is a class", 'the class "RemoteTraceback"', '"""'),
)  # fmt: skip
