"""An exception that a Python fuzz target let through: the class and message stand above the traceback, not below it.

Source of the format: Atheris, src/native/core.cc and tracer: ` === Uncaught Python exception: ===`.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._python import FRAME, HEADER, frame_of, named

_HEADER = re.compile(r"^=== Uncaught Python exception: ===$")
_MESSAGE_LINES = 20
"""Lines that a message may have before its traceback."""


def parse(cursor: Cursor) -> list[Event]:
    """The exception told here; nothing where no line names a class, or where the message is a traceback itself."""
    if cursor.line is None or not _HEADER.match(cursor.line.text.strip()):
        return []
    cursor.claim()
    carrier = cursor.line
    if carrier is None or (found := named(carrier.text)) is None or HEADER.search(carrier.text):
        return []
    cursor.claim()
    parts = [found.message]
    while (here := cursor.line) is not None and len(parts) < _MESSAGE_LINES and not HEADER.search(here.text):
        if cursor.begins_event(here):
            break
        parts.append(cursor.claim().text.rstrip())
    frames = tuple(reversed(_frames(cursor)))
    return [crash(cursor, carrier, "\n".join(parts), found.cls, frames, language="python", kind="exception")]


def _frames(cursor: Cursor) -> list[Frame]:
    """The frames as printed, outermost first; they come without source lines where the target is a bundle."""
    frames: list[Frame] = []
    if (line := cursor.line) is None or not HEADER.search(line.text):
        return frames
    cursor.claim()
    while (line := cursor.line) is not None:
        if FRAME.search(line.text) and (frame := frame_of(line.text)) is not None:
            frames.append(frame)
        elif not frames or not line.text.startswith("    "):
            break
        cursor.claim()
    return frames


TRACE = Trace(
    name="python_fuzz_target",
    starts=r"^\s*=== Uncaught Python exception: ===\s*$",
    parse=parse,
    order=10,
    marks=("=== Uncaught Python exception: ===",),
    samples=(
        TraceSample(
            " === Uncaught Python exception: ===\nValueError: no colon in row\nTraceback (most recent call last):\n"
            '  File "fuzz_rows.py", line 24, in TestOneInput\n  File "rows/parse.py", line 16, in split\n'
            "INFO: done",
            (("exception", "ValueError", "no colon in row", 2),),
        ),
    ),
    strangers=("see === Uncaught Python exception: === in the manual",),
)
