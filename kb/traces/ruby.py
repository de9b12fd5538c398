"""Ruby exceptions: `file.rb:3:in 'method': message (Class)` and the frames after it, or most recent call last.

Source of the format: Ruby's error.c and eval_error.c (1.9 to 3.4, old and new quotes), Rake's and Rails' reports.
"""

import re

from kb.model.event import Event, Frame, Line
from kb.settings import MESSAGE_CHARS
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import peek, take_frames, take_text, told

_HEAD = re.compile(
    r"^(?P<file>[^\s:][^:]*|[A-Za-z]:[^:]+):(?P<line>\d+):in [`'](?P<function>[^`']*)': (?P<message>.*?)(?:"
    r" \((?P<cls>[A-Z]\w*(?:::\w+)*)\))?$"
)
_TOP = re.compile(r"^(?P<file>[^\s:]+\.rb|-e):(?P<line>\d+): (?P<message>.+) \((?P<cls>[A-Z]\w*(?:::\w+)*)\)$")
_CLASS = re.compile(r"^(?P<message>.*) \((?P<cls>[A-Z]\w*(?:::\w+)*)\)$")
_FRAME = re.compile(
    r"^\s*(?:\d+: )?(?:from |# )?(?P<file>[^\s:]+|[A-Za-z]:[^:]+):(?P<line>\d+):in [`'](?P<function>[^`']*)'\s*$"
)
_ABORTED = re.compile(r"^(?:rake|rails|bin/rails) aborted!$")
_NAMED = re.compile(r"^(?P<cls>[A-Z]\w*(?:::\w+)*): (?P<message>.*)$|^(?P<bare>[A-Z]\w*(?:::\w+)+)$")
_RUNTIME = re.compile(r"^<internal:")
_MESSAGE_LINES = 20


def parse(cursor: Cursor) -> list[Event]:
    """The exception that the line here tells, or nothing."""
    line = cursor.line
    if line is None:
        return []
    if _ABORTED.match(line.text):
        return _aborted(cursor)
    found = _HEAD.match(line.text) or _TOP.match(line.text)
    return _exception(cursor, line, found) if found else []


def _exception(cursor: Cursor, line: Line, found: re.Match[str]) -> list[Event]:
    cursor.claim()
    message, cls = found["message"], found["cls"]
    # a message of several lines has its class at the end of the first or of the last one
    if cls is None and not peek(cursor, lambda text: bool(_FRAME.match(text) or _CLASS.match(text)), _MESSAGE_LINES):
        return []
    rest = take_text(cursor, line, lambda text: bool(_FRAME.match(text)), _MESSAGE_LINES)
    if rest and cls is None and (last := _CLASS.match(rest[-1])):
        rest[-1], cls = last["message"], last["cls"]
    site = Frame(found["file"], int(found["line"]), found.groupdict().get("function"))
    frames = (site, *take_frames(cursor, read_frame))
    if cls is None:
        return []
    text = "\n".join([message, *rest]).rstrip()[:MESSAGE_CHARS]
    return [told(line, "exception", text, cls, language="ruby", frames=frames, claimed=cursor.numbers)]


def _aborted(cursor: Cursor) -> list[Event]:
    """Rake's report: `rake aborted!`, then class and message, then frames."""
    first = cursor.claim()
    line = cursor.line
    if line is None or (found := _NAMED.match(line.text)) is None:
        return []
    cursor.claim()
    rest = take_text(cursor, line, lambda text: bool(_FRAME.match(text)) or not text.strip(), _MESSAGE_LINES)
    frames = take_frames(cursor, read_frame)
    text = "\n".join([found["message"] or "", *rest]).rstrip()[:MESSAGE_CHARS]
    return [
        told(
            line,
            "exception",
            text,
            found["cls"] or found["bare"],
            language="ruby",
            frames=frames,
            claimed=cursor.numbers,
            header=first.text.strip(),
        )
    ]


def read_frame(text: str) -> Frame | None:
    """The frame of a line `from file.rb:3:in 'method'`, None for any other line."""
    found = _FRAME.match(text)
    return (
        Frame(found["file"], int(found["line"]), found["function"], runtime=bool(_RUNTIME.match(found["file"])))
        if found
        else None
    )


TRACE = Trace(
    name="ruby",
    starts=rf"{_HEAD.pattern}|^(?:[^\s:]+\.rb|-e):\d+: .+ \([A-Z]|{_ABORTED.pattern}",
    parse=parse,
    order=36,
    marks=(":in `", ":in '", ".rb:", "aborted!", "-e:"),
    samples=(
        TraceSample(
            "pier.rb:3:in `moor': no berth (ArgumentError)\n\tfrom pier.rb:7:in `block in run'\n\tfrom pier.rb:9:in"
            " `<main>'",
            (("exception", "ArgumentError", "no berth", 1),),
        ),
        TraceSample(
            "pier.rb:3:in 'Pier#moor': two parts\nof one message (Pier::Full)\n\tfrom pier.rb:9:in '<main>'",
            (("exception", "Pier::Full", "two parts\nof one message", 1),),
        ),
        TraceSample(
            "rake aborted!\nPier::Full: no berth\n/srv/pier/Rakefile:4:in `block in <top (required)>'\nTasks: TOP =>"
            " moor",
            (("exception", "Pier::Full", "no berth", 2),),
        ),
    ),
    strangers=("pier.rb:3: see below", "we moored in 'pier 3': nice (Sunday)"),
)
