"""Crashes that Windows' console debuggers show: `Access violation - code c0000005`, `ExceptionCode:`, and the `kb`
stack.

Source of the format: CDB and WinDbg, `!analyze -v`.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_frames import stack_line
from kb.traces._native_stack import take_stack

_HEADER = re.compile(r"^(?:\([0-9a-f]+\.[0-9a-f]+\): )?(?P<cls>[A-Z][\w -]{3,40}?) - code (?P<code>[0-9a-f]{8})\b.*$")
_PASSED = re.compile(r"code (?:[48][0-9a-f]{7}|e06d7363)\b")
"""What a debugger stops at and the program survives: by the code's severity information and warnings, and C++
exceptions."""
_STATUS = {"c0000374": "Heap corruption", "c0000409": "Stack buffer overrun", "c0000420": "assert"}
"""What status codes mean that the debugger shows as `Unknown exception` (ntstatus.h of Windows)."""
_LINES = 4000
"""Lines between an exception and the stack that was asked for: registers, the analysis, its own copies of the stack."""


def parse(cursor: Cursor) -> list[Event]:
    """The exception that the debugger stopped at, with the last stack that it printed before it was left."""
    line = cursor.line
    if line is None or (found := _HEADER.match(line.text.strip())) is None or _PASSED.search(line.text):
        return []
    cursor.claim()
    kept, frames = (cursor.at, len(cursor.claimed)), tuple[Frame, ...]()
    for _ in range(_LINES):
        here = cursor.line
        if here is None or here.text.strip() == "quit:":
            break
        if not frames and _HEADER.match(here.text.strip()) and "chance" in here.text and not _PASSED.search(here.text):
            return []  # the first one was survived, this one begins an event of its own
        if (
            (shown := stack_line(here.text)) is not None
            and shown.frame is not None
            and shown.number is None
            and "!" in here.text
        ):
            stack = tuple(take_stack(cursor))
            if len(stack) > 1:
                frames, kept = stack, (cursor.at, len(cursor.claimed))
        else:
            cursor.skip()
    cursor.at, last = kept
    del cursor.claimed[last:]
    if not frames and "(first chance)" in line.text:
        return []  # passed on to the program, which went on
    return [crash(cursor, line, line.text, _STATUS.get(found["code"], found["cls"]), frames)]


TRACE = Trace(
    name="cdb_exception",
    starts=r"^\s*(?:\([0-9a-f]+\.[0-9a-f]+\): )?[A-Z][\w -]{3,40}? - code [0-9a-f]{8}\b",
    parse=parse,
    order=30,
    marks=(" - code c", " - code 8", " - code e", " - code 4"),
    samples=(
        TraceSample(
            "(7c4.51c): Access violation - code c0000005 (first chance)\neax=00000000 ebx=7ffd\nChildEBP RetAddr\n"
            "002df7e4 00fd1423 app!push+0x1e\n002df7e8 00fd1433 app!main+0x1f\nquit:",
            (("crash", "Access violation", "(7c4.51c): Access violation - code c0000005 (first chance)", 1),),
        ),
    ),
    strangers=(
        "Break instruction exception - code 80000003 (first chance)",
        "Access - code names",
        "(7c4.51c): Access violation - code c0000005 (first chance)\nModLoad: 66100000 6614f000   C:\\app.dll",
    ),
)
