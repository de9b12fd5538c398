"""Dart's and Flutter's errors: `Unhandled exception:`, the message, frames `#0 function (uri:line:column)`.

Source of the format: StackTrace.toString of the Dart VM.
"""

import re

from kb.model.event import Event, Frame
from kb.settings import MESSAGE_CHARS
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import take_frames, take_text, told

_HEAD = re.compile(r"(?:^|\] )Unhandled [Ee]xception:(?: (?P<message>\S.*))?$")
_CLASS = re.compile(r"^(?P<cls>_?[A-Z]\w*(?:Error|Exception))(?:: (?P<message>.*)|$)")
_WRAPPED = re.compile(r"^(?P<cls>Exception|[A-Z]\w*Exception): (?P<message>.*)$")
_FRAME = re.compile(
    r"^#\d+ +(?P<function>\S.*?) \((?P<file>(?:dart|package|file"
    r"|org-dartlang-\w+):[^()\s]*?)(?::(?P<line>\d+))?(?::\d+)?\)$"
)
_GAP = re.compile(r"^<asynchronous suspension>$")
_RUNTIME = re.compile(r"^dart:(?:async|isolate|core-patch|_internal)")
_MESSAGE_LINES = 30


def parse(cursor: Cursor) -> list[Event]:
    """The error that begins here; nothing where no frame follows."""
    line = cursor.line
    if line is None or (found := _HEAD.search(line.text)) is None:
        return []
    cursor.claim()
    carrier = line
    parts = [found["message"]] if found["message"] else []
    if not parts and cursor.line is not None:
        carrier = cursor.line
    parts += take_text(cursor, line, lambda text: read_frame(text) is not None, _MESSAGE_LINES)
    frames = take_frames(cursor, read_frame, _GAP)
    if not frames or not parts:
        return []
    named = _CLASS.match(parts[0]) or _WRAPPED.match(parts[0])
    if named:
        parts[0] = named["message"] or ""
    message = "\n".join(parts).strip()[:MESSAGE_CHARS]
    return [
        told(
            carrier,
            "exception",
            message,
            named["cls"] if named else None,
            language="dart",
            frames=frames,
            claimed=cursor.numbers,
        )
    ]


def read_frame(text: str) -> Frame | None:
    """The frame of a line `#0 function (package:app/file.dart:3:5)`, None for any other line."""
    found = _FRAME.match(text)
    if found is None:
        return None
    file = found["file"].removeprefix("file://").removeprefix("package:")
    return Frame(
        file,
        int(found["line"]) if found["line"] else None,
        found["function"],
        runtime=bool(_RUNTIME.match(found["file"])),
    )


TRACE = Trace(
    name="dart",
    starts=r"Unhandled [Ee]xception:",
    parse=parse,
    order=25,
    marks=("Unhandled exception:", "Unhandled Exception:"),
    samples=(
        TraceSample(
            "Unhandled exception:\nStateError: no berth\n#0      moor (package:pier/boat.dart:3:5)\n<asynchronous"
            " suspension>\n"
            "#1      main (file:///srv/pier/main.dart:9:3)",
            (("exception", "StateError", "no berth", 2),),
        ),
    ),
    strangers=("Unhandled exception: none so far",),
)
