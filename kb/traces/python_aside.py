"""Exceptions that Python reports and passes over: of destructors, exit handlers, loggers, hooks and threads.

Source of the formats: `sys.unraisablehook`, `logging.Handler.handleError`, `threading.excepthook`, `atexit`, loguru's
handlers, loky. The line before the traceback becomes the event's header, by which the diagnosis knows such errors.
"""

import re
from dataclasses import replace

from kb.model.event import Event, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._chain import parse_chain
from kb.traces._python import HEADER, closed, frame_of

_STARTS = (
    r"^\s*(?:--- Logging error\b.*---\s*$|Exception ignored (?:in|on|while)\b|Error in (?:atexit\.|sys\.)\S+:?\s*$"
    r"|Error in atexit|Exception in thread \S.*:\s*$|Exception in initializer:\s*$"
    r"|Task exception was never retrieved\s*$)"
)
_BETWEEN = 3
"""Lines between such a header and its traceback: a logged record, an object's representation."""
_TAIL = re.compile(r"^(?:Call stack:|Message: |Arguments: |--- End of logging error ---)")
_TAIL_LINES = 120
"""Lines of a logger's call stack."""


def parse(cursor: Cursor) -> list[Event]:
    """The exceptions under the header here; nothing where no traceback follows."""
    head = cursor.line
    if head is None:
        return []
    cursor.claim()
    if (opened := _opening(cursor, head)) is None:
        return []
    text = opened if opened.startswith("Exception ignored") else head.text.strip()
    events = [replace(event, header=text) for event in parse_chain(cursor)]
    if not events:
        return []
    used = [head.number, *(_tail(cursor) if text.startswith("--- Logging error") else ())]
    events[0] = closed(events[0], (*sorted(used), *events[0].claimed))
    return events


def _opening(cursor: Cursor, head: Line) -> str | None:
    """What stands from the header up to the traceback, on which the cursor then is; None when none comes."""
    parts = [head.text.strip()]
    for _ in range(_BETWEEN):
        line = cursor.line
        if line is None or line.formats != head.formats:
            return None
        if HEADER.search(line.text) or frame_of(line.text):
            return " ".join(parts)
        parts.append(line.text.strip())
        cursor.skip()
    return None


def _tail(cursor: Cursor) -> list[int]:
    """The numbers of the lines with which the logger says where it was called; they are claimed."""
    numbers: list[int] = []
    line = cursor.line
    while line is not None and len(numbers) < _TAIL_LINES and (
        _TAIL.match(line.text.strip()) or (numbers and (frame_of(line.text) or line.text.startswith("    ")))
    ):  # fmt: skip
        numbers.append(cursor.claim().number)
        line = cursor.line
    return numbers


TRACE = Trace(
    name="python_aside",
    starts=_STARTS,
    parse=parse,
    order=13,
    marks=("--- Logging error", "Exception ignored", "Error in atexit", "Error in sys.", "Exception in thread",
           "Exception in initializer",
           "Task exception was never retrieved"),
    samples=(
        TraceSample(
            '--- Logging error ---\nTraceback (most recent call last):\n  File "logging.py", line 3, in emit\n'
            '    write(x)\n'
            'ValueError: closed file\nCall stack:\n  File "a.py", line 1, in <module>\n    log.info(x)\n'
            'Message: \'x\'\nArguments: ()',
            (("exception", "ValueError", "closed file", 5),),
        ),
        TraceSample(
            "Exception ignored in: <function Pool.__del__ at 0x7f>\nTraceback (most recent call last):\n"
            '  File "pool.py", line 3, in __del__\n    close()\nOSError: gone',
            (("exception", "OSError", "gone", 5),),
        ),
    ),
    strangers=("Exception ignored in the end", "--- Logging error ---"),
)  # fmt: skip
