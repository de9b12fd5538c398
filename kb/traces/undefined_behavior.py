"""UndefinedBehaviorSanitizer and Clang's control flow integrity: `file:line:column: runtime error: …`.

Source of the format: compiler-rt/lib/ubsan/ubsan_diag.cpp of LLVM.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import PATIENCE, Cursor, Trace, TraceSample
from kb.traces._crash_names import undefined_behavior
from kb.traces._native_event import crash
from kb.traces._native_frames import stack_line
from kb.traces._native_stack import take_stack

_HEADER = re.compile(r"^(?P<file>\S[^:]*(?::\\[^:]*)?):(?P<line>\d+)(?::\d+)?: runtime error: (?P<message>\S.*)$")
_CLASS = re.compile(r"^(?P<cls>(?:(?:un)?signed )?[a-z][a-z -]{3,40}?)(?:: | -?\d| by zero\b|$)")
_NOTE = re.compile(
    r"^(?:\S+: )?note: |^\S+: note: |^(?:[0-9a-f]{2} {1,2}){4,}|^\^|^vptr for |^SUMMARY: Undefined"
    r"|^memory cannot be printed"
)


def parse(cursor: Cursor) -> list[Event]:
    """The one error that is told here, with its stack where the run printed one."""
    line = cursor.line
    if line is None or (found := _HEADER.match(line.text.strip())) is None:
        return []
    cursor.claim()
    frames, parts = [Frame(found["file"], int(found["line"]))], [found["message"].strip()]
    foreign = 0
    while (here := cursor.line) is not None and foreign <= PATIENCE:
        text = here.text.strip()
        if _NOTE.search(text):
            cursor.claim()
            parts += [text] if "note: " in text else []
        elif stack_line(here.text) is not None:
            frames = take_stack(cursor) or frames
            break
        elif not text or cursor.begins_event(here):
            break
        else:
            foreign += 1
            cursor.skip()
    _take_summary(cursor)
    return [crash(cursor, line, "\n".join(parts), undefined_behavior(parts[0]) or _spelled(parts[0]), tuple(frames))]


def _spelled(message: str) -> str | None:
    """What an error that has no name here calls itself: the words before its particulars."""
    found = _CLASS.match(message)
    return found["cls"] if found else None


def _take_summary(cursor: Cursor) -> None:
    """Claims the summary that repeats the error, within two lines."""
    start = cursor.at
    for _ in range(2):
        if (line := cursor.line) is None:
            break
        if line.text.startswith("SUMMARY: UndefinedBehaviorSanitizer:"):
            cursor.claim()
            return
        cursor.skip()
    cursor.at = start


TRACE = Trace(
    name="undefined_behavior",
    starts=r"^\s*\S[^:]*(?::\\[^:]*)?:\d+(?::\d+)?: runtime error: \S",
    parse=parse,
    order=30,
    marks=(": runtime error: ",),
    samples=(
        TraceSample(
            "src/sum.c:9:3: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type "
            "'int'\n"
            "    #0 0x4f1 in sum src/sum.c:9:3\n    #1 0x4f8 in main src/main.c:4:1\n\n"
            "SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior src/sum.c:9:3 in",
            (
                (
                    "crash",
                    "Integer-overflow",
                    "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'",
                    1,
                ),
            ),
        ),
        TraceSample(
            "a.cc:3:1: runtime error: downcast of address 0x2a which does not point to an object of type 'Row'\n"
            "0x2a: note: object is of type 'Cell'",
            (
                (
                    "crash",
                    "Bad-cast",
                    "downcast of address 0x2a which does not point to an object of type 'Row'\n"
                    "0x2a: note: object is of type 'Cell'",
                    1,
                ),
            ),
        ),
        TraceSample(
            "a.cc:3:1: runtime error: load of null pointer of type 'int'",
            (("crash", "Null-dereference READ", "load of null pointer of type 'int'", 1),),
        ),
    ),
    strangers=("see runtime error: 3 of the manual", "a.c:3: runtime errors are listed below"),
)
