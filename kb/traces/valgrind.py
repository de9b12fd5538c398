"""Errors that Valgrind's Memcheck and Helgrind find.

Source of the format: coregrind/m_errormgr.c and memcheck/mc_errors.c of Valgrind.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_frames import bare_function
from kb.traces._runtime_frames import is_runtime

_HEADER = re.compile(
    r"^(?P<pid>==\d+==) (?P<message>(?P<cls>Invalid (?:read|write|free\(\)|jump)|Conditional jump or move depends"
    r"|Use of uninitialised value|Syscall param|Mismatched free|"
    r"Source and destination overlap|Process terminating with default action|Possible data race"
    r"|Jump to the invalid address|Argument '\w+' of function)\b.*)$"
    r"|^(?P<leak_pid>==\d+==) (?P<leak>[\d,]+ (?:\([^)]*\) )?bytes in [\d,]+ blocks are (?P<lost>definitely lost).*)$"
)
_LINE = re.compile(r"^==\d+==(?: {2,4}(?P<text>\S.*)| ?)$")
_FRAME = re.compile(
    r"^(?:at|by) 0x[0-9A-Fa-f]+: (?P<function>.+?)(?: \((?:in (?P<lib>[^()]+)|(?P<file>[^():]+):(?P<line>\d+))\))?$"
)
_BLOCK_LINES = 120
"""Lines that one error may have."""


def parse(cursor: Cursor) -> list[Event]:
    """The error that begins here; its first stack is where it happened, later ones tell where the block came from."""
    line = cursor.line
    if line is None or (found := _HEADER.match(line.text.strip())) is None:
        return []
    cursor.claim()
    parts, frames, closed = [found["message"] or found["leak"]], list[Frame](), False
    for _ in range(_BLOCK_LINES):
        here = cursor.line
        inside = _LINE.match(here.text.rstrip()) if here else None
        if inside is None or not inside["text"]:
            break
        cursor.claim()
        call = _FRAME.match(inside["text"])
        if call and not closed:
            frames.append(_frame(call))
        elif not call:
            closed = bool(frames)
            parts += [] if closed else [inside["text"]]
    return [crash(cursor, line, "\n".join(parts), found["cls"] or found["lost"], tuple(frames))]


def _frame(found: re.Match[str]) -> Frame:
    function, file = bare_function(found["function"]), found["file"] or found["lib"] or ""
    name = None if function == "???" else function
    return Frame(
        file,
        int(found["line"]) if found["line"] else None,
        name,
        runtime=is_runtime(name, file) or "/vgpreload_" in file,
    )


TRACE = Trace(
    name="valgrind",
    starts=r"^\s*==\d+== (?:Invalid |Conditional jump|Use of uninit|Syscall param|Mismatched free|Source and dest"
    r"|Process terminating|Possible data race|Jump to the inv|Argument |[\d,]+ (?:\([^)]*\) )?bytes in )",
    parse=parse,
    order=30,
    marks=(
        "== Invalid ",
        "== Conditional jump",
        "== Use of uninit",
        "== Syscall param",
        "== Mismatched free",
        "== Source and dest",
        "== Process terminating",
        "== Possible data race",
        "== Jump to the inv",
        "== Argument ",
        "definitely lost in loss record",
    ),
    samples=(
        TraceSample(
            "==71== Invalid read of size 4\n==71==    at 0x10915E: sum (sum.c:9)\n"
            "==71==    by 0x109190: main (main.c:4)\n"
            "==71==  Address 0x4a8b068 is 0 bytes after a block of size 40 alloc'd\n"
            "==71==    at 0x483B7F3: malloc (vg_replace_malloc.c:307)\n==71== ",
            (("crash", "Invalid read", "Invalid read of size 4", 1),),
        ),
        TraceSample(
            "==71== 40 bytes in 1 blocks are definitely lost in loss record 1 of 1\n"
            "==71==    at 0x483B7F3: malloc (vg_replace_malloc.c:307)",
            (("crash", "definitely lost", "40 bytes in 1 blocks are definitely lost in loss record 1 of 1", 1),),
        ),
    ),
    strangers=(
        "==71== Memcheck, a memory error detector",
        "==71== ERROR SUMMARY: 0 errors from 0 contexts (suppressed: 0 from 0)",
    ),
)
