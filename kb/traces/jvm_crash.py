"""Fatal errors of the Java virtual machine itself: the block of `#` lines that points to hs_err_pid.log.

Source of the format: src/hotspot/share/utilities/vmError.cpp of OpenJDK.
"""

import re

from kb.model.event import Event, Frame, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import told

_HEAD = re.compile(
    r"^# (?:A fatal error has been detected by the Java Runtime Environment:|There is insufficient memory for the Java)"
)
_SIGNAL = re.compile(r"^#\s+(?P<message>(?P<name>SIG[A-Z]+|EXCEPTION_[A-Z_]+|Internal Error|Out of Memory Error)\b.*)$")
_PID = re.compile(r"\bpid=(?P<pid>\d+)")
_FRAME = re.compile(r"^# (?P<kind>[CJVjv]) +(?:\[(?P<file>[^\]+]+)(?:\+0x[0-9a-f]+)?\] *)?(?P<function>.*)$")
_NUMBER = re.compile(r"\((?:0x)?(?P<number>[0-9a-f]+)\)")
_LINES = 30


def parse(cursor: Cursor) -> list[Event]:
    """The fatal error that begins here, told by the line that names the signal."""
    line = cursor.line
    if line is None or not _HEAD.match(line.text):
        return []
    carrier: Line = line
    message, status, pid = line.text.lstrip("# "), None, None
    frames: list[Frame] = []
    for _ in range(_LINES):
        here = cursor.line
        if here is None or not here.text.startswith("#"):
            break
        if carrier is line and (found := _SIGNAL.match(here.text)):
            carrier, message = here, found["message"]
            number, process = _NUMBER.search(message), _PID.search(message)
            status = -int(number["number"], 16) if number and found["name"].startswith("SIG") else None
            pid = int(process["pid"]) if process else None
        elif (found := _FRAME.match(here.text)) and not frames:
            frames.append(Frame(found["file"] or "<unknown>", None, found["function"].strip() or None))
        cursor.claim()
    return [
        told(
            carrier,
            "crash",
            message,
            language="java",
            frames=tuple(frames),
            claimed=cursor.numbers,
            exit_status=status,
            pid=pid,
        )
    ]


TRACE = Trace(
    name="jvm_crash",
    starts=_HEAD.pattern,
    parse=parse,
    order=19,
    marks=("# A fatal error has been detected by", "# There is insufficient memory for"),
    samples=(
        TraceSample(
            "# A fatal error has been detected by the Java Runtime Environment:\n#\n#  SIGSEGV (0xb) at pc=0x00007f,"
            " pid=81, tid=82\n#\n"
            "# Problematic frame:\n# C  [libboat.so+0x6a]  moor+0x1a\n#",
            (("crash", None, "SIGSEGV (0xb) at pc=0x00007f, pid=81, tid=82", 3),),
        ),
    ),
    strangers=("# A fatal error has been fixed",),
)
