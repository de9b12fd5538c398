"""What OSS-Fuzz's system sanitizers find: `===BUG DETECTED: Arbitrary file open===`, with the stack of the signal that they
send, or PySecSan's own stack of Python.

Source of the format: google/oss-fuzz, SystemSan (inspect_utils.cpp) and PySecSan (sanlib.py).
"""

import re
from dataclasses import replace

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_stack import stack_of
from kb.traces._python import FRAME, frame_of

_HEADER = re.compile(r"^===BUG DETECTED: (?P<python>PySecSan: )?(?P<bug>[^=]{3,80}?) ?===$")
_STACK = re.compile(r"^\[PYSECSAN\] Stacktrace:$")
_ABORT = "abort_with_issue"
_SAYS_LINES = 8
"""Lines with which PySecSan explains a bug."""
_FRAMES = 600
"""Frames that one stack of Python may have here; CPython gives up at 1000 calls."""


def parse(cursor: Cursor) -> list[Event]:
    """The bug told here, where the program did what it should not do."""
    line = cursor.line
    if line is None or (found := _HEADER.match(line.text.strip())) is None:
        return []
    cursor.claim()
    if not found["python"]:
        return [crash(cursor, line, found["bug"], found["bug"], stack_of(cursor, line))]
    parts = [found["bug"]]
    for _ in range(_SAYS_LINES):
        here = cursor.line
        if here is None or not here.text.strip():
            break
        text = cursor.claim().text.strip()
        if _STACK.match(text):
            break
        parts.append(text)
    frames = tuple(reversed(_python_frames(cursor)))
    return [crash(cursor, line, "\n".join(parts), found["bug"], frames, language="python")]


def _python_frames(cursor: Cursor) -> list[Frame]:
    """The frames as printed, outermost first; the call that ends the process is machinery."""
    frames: list[Frame] = []
    while (line := cursor.line) is not None and len(frames) < _FRAMES and FRAME.search(line.text):
        frame = frame_of(line.text)
        cursor.claim()
        if frame is not None:
            frames.append(replace(frame, runtime=True) if frame.function == _ABORT else frame)
    return frames


TRACE = Trace(
    name="bug_detected",
    starts=r"^\s*===BUG DETECTED: ",
    parse=parse,
    order=10,
    marks=("===BUG DETECTED: ",),
    samples=(
        TraceSample(
            "===BUG DETECTED: Arbitrary file open===\n==7== ERROR: libFuzzer: deadly signal\n"
            "    #0 0x4e0861 in __sanitizer_print_stack_trace (/srv/app+0x4e0861)\n"
            "    #1 0x50d01f in load /srv/app.cpp:26:3",
            (("crash", "Arbitrary file open", "Arbitrary file open", 1),),
        ),
        TraceSample(
            "===BUG DETECTED: PySecSan: Command injection ===\n[PYSECSAN] code injection by way of os.system\n"
            '[PYSECSAN] Stacktrace:\n  File "app.py", line 4, in run\n  File "sanlib.py", line 7, in abort_with_issue',
            (("crash", "Command injection", "Command injection\n[PYSECSAN] code injection by way of os.system", 1),),
        ),
    ),
    strangers=("no ===BUG DETECTED: line was printed",),
)
