"""Tracebacks with the exception first and the frames below it, as Sentry's text, Celery's mails and copied issues show
them.

Source of the format: Sentry's plain-text stack traces.
"""

from dataclasses import replace

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._python import closed, event_at, frame_of, indent_of, named

_STARTS = (
    r"^\s*(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Timeout|Interrupt|Exit|Refused|NotFound)(?:\([\w.]+\))?: \S"
)


def parse(cursor: Cursor) -> list[Event]:
    """The exception here when frames stand right below it and no other exception ends these."""
    head = cursor.line
    found = named(head.text) if head is not None else None
    if head is None or found is None:
        return []
    cursor.claim()
    frames: list[Frame] = []
    while (line := cursor.line) is not None and line.formats == head.formats:
        if (called := frame_of(line.text)) is not None and indent_of(line.text) > indent_of(head.text):
            frames.append(called)
        elif frames and line.text.strip() and indent_of(line.text) > indent_of(head.text) + 2:
            frames[-1] = replace(frames[-1], code=frames[-1].code or line.text.strip())
        else:
            break
        cursor.claim()
    if not frames or (line is not None and named(line.text) is not None):
        return []
    event = replace(event_at(head, found.message, found.cls), frames=tuple(reversed(frames)))
    return [closed(event, cursor.numbers)]


TRACE = Trace(
    name="python_sentry",
    starts=_STARTS,
    parse=parse,
    order=30,
    marks=("Error: ", "Exception: ", "Timeout: ", "Interrupt: ", "Exit: ", "Refused: ", "NotFound: ", "): "),
    samples=(
        TraceSample('LostError: the worker left\n  File "a/tasks.py", line 3, in run\n    go(\n'
                    '  File "b/pool.py", line 8, in go',
                    (("exception", "LostError", "the worker left", 1),)),
    ),
    strangers=("no Error: here", 'a File "x.py", line 3, in the middle'),
)  # fmt: skip
