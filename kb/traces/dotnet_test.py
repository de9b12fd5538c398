"""Failed tests of `dotnet test`: `Failed Namespace.Class.Test [12 ms]`, `Error Message:`, `Stack Trace:`.

Source of the format: the console logger of microsoft/vstest (xUnit, NUnit and MSTest alike).
"""

import re

from kb.model.event import Event
from kb.settings import MESSAGE_CHARS
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import take_frames, told
from kb.traces.dotnet import read_frame

_HEAD = re.compile(r"^ *(?:Failed|X) (?P<name>\S.*?)(?: \[[^\]]*\])?$")
_MESSAGE = re.compile(r"^ *Error Message:$")
_STACK = re.compile(r"^ *Stack Trace:$")
_CLASS = re.compile(r"^(?P<cls>(?:[A-Z_]\w*\.)+[A-Z_]\w*(?:Exception|Error)) ?: (?P<message>.*)$")
_LINES = 60


def parse(cursor: Cursor) -> list[Event]:
    """The failed test that begins here; nothing where no message follows."""
    line = cursor.line
    if line is None or (found := _HEAD.match(line.text)) is None:
        return []
    cursor.claim()
    mark = cursor.line
    if mark is None or not _MESSAGE.match(mark.text):
        return []
    cursor.claim()
    carrier = cursor.line
    parts: list[str] = []
    for _ in range(_LINES):
        here = cursor.line
        if here is None or _STACK.match(here.text) or _HEAD.match(here.text):
            break
        cursor.claim()
        parts.append(here.text.strip())
    if carrier is None or not parts:
        return []
    frames = take_frames(cursor, read_frame, _STACK)
    named = _CLASS.match(parts[0])
    parts[0] = named["message"] if named else parts[0]
    message = "\n".join(parts).strip()[:MESSAGE_CHARS]
    cls = named["cls"] if named else None
    return [
        told(
            carrier,
            "test",
            message,
            cls,
            language="dotnet",
            frames=frames,
            claimed=cursor.numbers,
            header=found["name"],
        )
    ]


TRACE = Trace(
    name="dotnet_test",
    starts=r"^ *(?:Failed|X) \S[^\[\]]*\[[^\]]*\]$",
    parse=parse,
    order=26,
    marks=("Failed ", " X "),
    samples=(
        TraceSample(
            "  Failed Tide.PierTest.Moors [12 ms]\n  Error Message:\n   System.InvalidOperationException : no berth\n "
            " Stack Trace:\n"
            "     at Tide.PierTest.Moors() in /src/PierTest.cs:line 9",
            (("test", "System.InvalidOperationException", "no berth", 3),),
        ),
    ),
    strangers=("Failed Tide.PierTest.Moors [12 ms]", "  Passed Tide.PierTest.Leaves [1 ms]"),
)
