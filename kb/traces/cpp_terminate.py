"""An exception that nobody caught in C++: `terminate called after throwing …` with `what():`, and torch's native
stack behind it.

Source of the formats: libstdc++ libsupc++/vterminate.cc, libc++abi cxa_default_handlers.cpp, c10/util/Exception.cpp
of torch.
"""

import re

from kb.model.event import Event, Frame, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_frames import bare_function, stack_line
from kb.traces._native_stack import stack_of, take_aborted, take_stack

_THROWN = re.compile(r"terminate called after throwing an instance of '(?P<cls>.{1,1000}?)'\s*$")
_SHAPES = (
    _THROWN,
    re.compile(r"(?P<bare>terminate called (?:without an active exception|recursively))"),
    re.compile(
        r"libc\+\+abi(?:\.dylib)?: terminating (?:due to|with) uncaught (?:foreign )?exception(?: of type "
        r"(?P<cls>.+?))?(?:: (?P<said>.*))?$"
    ),
)
_WHAT = re.compile(r"^\s*what\(\):\s?(?P<said>.*)$")
_RAISED = re.compile(
    r"^Exception raised from (?P<function>.+?) at (?P<file>\S+):(?P<line>\d+) \(most recent call first\):"
)
_MORE = re.compile(
    r"^(?:CUDA kernel errors might|For debugging consider|Compile with `|Device-side assert|Search for `"
    r"|HIP kernel errors|\s+\S)"
)
_WHAT_LINES = 12
"""Lines that one what() may have; the longest seen in real logs had 6."""


def parse(cursor: Cursor) -> list[Event]:
    """The exception that ended the process; its message is the announcement and what() as printed."""
    line = cursor.line
    if line is None:
        return []
    found = next(filter(None, (shape.search(line.text) for shape in _SHAPES)), None)
    if found is None:
        return []
    cursor.claim()
    groups = found.groupdict()
    parts = [line.text[found.start() :].strip()]
    if groups.get("cls"):
        parts += _what(cursor, line)
    frames = _raised(cursor, line) if groups.get("cls") else ()
    frames = frames or stack_of(cursor, line)
    take_aborted(cursor)
    return [crash(cursor, line, "\n".join(parts), groups.get("cls"), frames)]


def _what(cursor: Cursor, carrier: Line) -> list[str]:
    """The lines of what(): the first says so itself, more follow as long as they read on."""
    parts: list[str] = []
    while (line := cursor.line) is not None and len(parts) < _WHAT_LINES and line.formats == carrier.formats:
        first = _WHAT.match(line.text)
        if not first if not parts else stack_line(line.text) or not _MORE.match(line.text) or cursor.begins_event(line):
            break
        cursor.claim()
        parts.append(line.text.rstrip())
    return parts


def _raised(cursor: Cursor, carrier: Line) -> tuple[Frame, ...]:
    """Where torch says that the exception was raised, and its native stack; nothing is passed over when there is
    none."""
    start, claimed = cursor.at, len(cursor.claimed)
    for _ in range(3):
        line = cursor.line
        if line is None:
            break
        if found := _RAISED.match(line.text.strip()):
            cursor.claim()
            site = Frame(found["file"], int(found["line"]), bare_function(found["function"]))
            return (site, *(frame for frame in take_stack(cursor) if frame.function != site.function))
        if line.text.strip():
            break
        cursor.claim()
    cursor.at = start
    del cursor.claimed[claimed:]
    return ()


TRACE = Trace(
    name="cpp_terminate",
    starts=r"terminate called (?:after throwing|without an active|recursively)|libc\+\+abi(?:\.dylib)?: terminating ",
    parse=parse,
    order=30,
    marks=("terminate called ", "libc++abi"),
    samples=(
        TraceSample(
            "terminate called after throwing an instance of 'std::out_of_range'\n"
            "  what():  vector::_M_range_check: __n (which is 3)\nready",
            (
                (
                    "crash",
                    "std::out_of_range",
                    "terminate called after throwing an instance of 'std::out_of_range'\n"
                    "  what():  vector::_M_range_check: __n (which is 3)",
                    1,
                ),
            ),
        ),
        TraceSample(
            "terminate called after throwing an instance of 'c10::Error'\n  what():  no device\n\n"
            "Exception raised from check at ../c10/core/Device.cpp:45 (most recent call first):\n"
            "frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x96 (0x7f94 in /opt/lib/libc10.so)",
            (
                (
                    "crash",
                    "c10::Error",
                    "terminate called after throwing an instance of 'c10::Error'\n  what():  no device",
                    1,
                ),
            ),
        ),
        TraceSample(
            "libc++abi: terminating due to uncaught exception of type std::runtime_error: no rows",
            (
                (
                    "crash",
                    "std::runtime_error",
                    "libc++abi: terminating due to uncaught exception of type std::runtime_error: no rows",
                    1,
                ),
            ),
        ),
        TraceSample(
            "terminate called without an active exception",
            (("crash", None, "terminate called without an active exception", 1),),
        ),
    ),
    strangers=("std::terminate called once in 3 tests", "libc++abi 17 was found"),
)
