"""Errors told in one line: an exception's class and message without a traceback, `error: …`, or a log record of level
ERROR."""

import re

from kb.model.event import Event, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._message import take_message
from kb.traces._told import told

_EXCEPTION = re.compile(
    r"^(?P<cls>(?:[A-Za-z_]\w*\.)*_?[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Failure|Fault))(?:\([\w.]+\))?:"
    r" (?P<message>\S.*)$"
)
_WORD = re.compile(
    r"^(?:[\w./+-]+: )?(?P<word>fatal error|(?:internal |compilation )?error|fatal)(?:\[\w+\]| \w{0,8}\d+)?:"
    r" (?P<message>\S.*)$",
    re.IGNORECASE,
)
_TAG = re.compile(r"^\[[\w.-]+:error\] (?P<message>\S.*)$")
_CALM = ("INFO", "DEBUG", "TRACE")
"""Levels at which a line that merely begins with the word error is a quotation, not a report."""
_GOES_ON = re.compile(r", (?:removing|skipping|ignoring|continuing|falling back|retrying|will retry|using)\b")
"""What a program says that helps itself: the error was handled on the spot."""
_HEADING = re.compile(r":\s*$")
_VALUE = re.compile(r"^\W*(?:(?:[A-Za-z_]\w*(?:=| ?[:#] ?)|[Rr]ank )-?\d+\W*)?$")
"""Nothing but a name and a number, such as `rank=0`: no message."""


def parse(cursor: Cursor) -> list[Event]:
    """The error that the line here tells, or nothing."""
    line = cursor.line
    if line is None or not line.text.strip():
        return []
    text = line.text.strip()
    if found := _EXCEPTION.match(text):
        cursor.claim()
        message = take_message(cursor, line, found["message"])
        return [told(line, "exception", message, found["cls"], claimed=cursor.numbers)]
    if found := _TAG.match(text):
        cursor.claim()
        return [told(line, "error", found["message"])]
    record = line.level in ("ERROR", "CRITICAL") and not _VALUE.match(text)
    worded = _WORD.match(text) and line.level not in _CALM and not _handled(cursor, line)
    if (record and not _only_heads(cursor, line)) or worded:
        cursor.claim()
        return [told(line, "error", text)]
    return []


def _below(cursor: Cursor) -> Line | None:
    """The next line; the cursor stays."""
    start = cursor.at
    cursor.skip()
    below = cursor.line
    cursor.at = start
    return below


def _handled(cursor: Cursor, line: Line) -> bool:
    """Whether the line or the next one says that the program goes on without what failed."""
    below = _below(cursor)
    return _GOES_ON.search(line.text) is not None or (below is not None and _GOES_ON.search(below.text) is not None)


def _only_heads(cursor: Cursor, line: Line) -> bool:
    """Whether a log record is only the heading of what stands below it: of its own exception, or of text that tells
    by itself."""
    below = _below(cursor)
    if below is None or not cursor.begins_event(below):
        return False
    return below.number == line.number or _HEADING.search(line.text) is not None


TRACE = Trace(
    name="leveled",
    starts=rf"{_EXCEPTION.pattern}|(?i:{_WORD.pattern})|{_TAG.pattern}".replace("(?P<cls>", "(?:")
    .replace("(?P<message>", "(?:")
    .replace("(?P<word>", "(?:"),
    parse=parse,
    order=90,
    leveled=True,
    marks=(
        "Error",
        "ERROR",
        "error",
        "Exception",
        "FATAL",
        "fatal",
        "Fatal",
        "CRITICAL",
        "Failure",
        "panic",
        ":error]",
    ),
    samples=(
        TraceSample("RuntimeError: no rows left", (("exception", "RuntimeError", "no rows left", 1),)),
        TraceSample("error: cannot find the table", (("error", None, "error: cannot find the table", 1),)),
        TraceSample("ld: fatal: no such file", (("error", None, "ld: fatal: no such file", 1),)),
        TraceSample("[pier-worker:error] the boat sank", (("error", None, "the boat sank", 1),)),
    ),
    strangers=(
        "0 errors, 3 warnings",
        "Errors: none",
        "an error is possible here",
        "[pier:error]",
        "Error: no rope for boat 3\nNo rope found, skipping boat",
    ),
)
