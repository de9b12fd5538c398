"""Julia's errors: `ERROR: Class: message`, `Stacktrace:`, numbered frames and their `@ Module file:line` lines.

Source of the format: showerror and show_backtrace in Julia's base/errorshow.jl.
"""

import re
from dataclasses import replace

from kb.model.event import Event, Frame
from kb.settings import MESSAGE_CHARS
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import told

_HEAD = re.compile(
    r"^ERROR: (?:LoadError: |InitError: )*(?:(?P<cls>[A-Z]\w*(?:Error|Exception)(?:\{.*?\})?)(?:: (?P<message>.*)"
    r"|\((?P<args>.*)\)$)|(?P<text>.*))$"
)
_STACK = re.compile(r"^Stacktrace:$")
_CALL = re.compile(r"^ *\[(?P<number>\d+)\] (?P<function>.*)$")
_AT = re.compile(r"^ *@ (?:[\w.]+ )?(?P<file>\S+?):(?P<line>\d+)(?: \[inlined\])?$")
_AFTER = re.compile(r"^(?:in expression starting at |during initialization |caused by: )|^ *⋮ ")
_LINES = 400


def parse(cursor: Cursor) -> list[Event]:
    """The error that begins here; nothing where no stack follows."""
    line = cursor.line
    if line is None or (found := _HEAD.match(line.text)) is None:
        return []
    cursor.claim()
    parts = [found["message"] or found["args"] or found["text"] or ""]
    frames: list[Frame] = []
    stack = False
    for _ in range(_LINES):
        here = cursor.line
        if here is None:
            break
        text = here.text
        if _STACK.match(text):
            stack = True
        elif stack and (call := _CALL.match(text)):
            frames.append(Frame("<unknown>", None, call["function"].strip()))
        elif stack and frames and (place := _AT.match(text)):
            frames[-1] = replace(
                frames[-1], file=place["file"], line=int(place["line"]), runtime=_is_base(place["file"], frames[-1])
            )
        elif (stack and not _AFTER.match(text)) or (not stack and cursor.begins_event(here)):
            break
        elif not stack:
            parts.append(text.rstrip())
        cursor.claim()
    if not stack:
        return []
    message = "\n".join(parts).strip()[:MESSAGE_CHARS]
    return [
        told(line, "exception", message, found["cls"], language="julia", frames=tuple(frames), claimed=cursor.numbers)
    ]


def _is_base(file: str, frame: Frame) -> bool:
    return file.startswith("./") and re.match(r"(?:error|throw\w*|_?include\w*)\(", frame.function or "") is not None


TRACE = Trace(
    name="julia",
    starts=r"^ERROR: \S",
    parse=parse,
    order=45,
    marks=("ERROR: ",),
    samples=(
        TraceSample(
            "ERROR: LoadError: ArgumentError: no berth\nStacktrace:\n [1] moor(boat::Int64)\n   @ Main /srv/pier.jl:3\n"
            "in expression starting at /srv/pier.jl:9",
            (("exception", "ArgumentError", "no berth", 1),),
        ),
    ),
    strangers=("Stacktrace:", "ERRORS: none"),
)
