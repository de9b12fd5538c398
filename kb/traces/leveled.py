"""Errors told in one line: an exception's class and message without a traceback, `error: …`, or a log record of level ERROR."""

import re

from kb.model.event import Event, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._message import take_message

_EXCEPTION = re.compile(r"^(?P<cls>(?:[A-Za-z_]\w*\.)*_?[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Failure|Fault))(?:\([\w.]+\))?: (?P<message>\S.*)$")
_WORD = re.compile(r"^(?:[\w./+-]+: )?(?P<word>fatal error|(?:internal |compilation )?error|fatal)(?:\[\w+\]| \w{0,8}\d+)?: (?P<message>\S.*)$", re.IGNORECASE)


def parse(cursor: Cursor) -> list[Event]:
    """The error that the line here tells, or nothing."""
    line = cursor.line
    if line is None or not line.text.strip():
        return []
    text = line.text.strip()
    if found := _EXCEPTION.match(text):
        cursor.claim()
        return [_event(line, "exception", take_message(cursor, line, found["message"]), found["cls"])]
    if _WORD.match(text) or line.level in ("ERROR", "CRITICAL"):
        cursor.claim()
        return [_event(line, "error", text, None)]
    return []


def _event(line: Line, kind: str, message: str, cls: str | None) -> Event:
    return Event("exception" if kind == "exception" else "error", message, line.number, (line.number, line.number), cls,
                 file=line.file, stream=line.stream, rank=line.rank, level=line.level, time=line.time, pid=line.pid)  # fmt: skip


TRACE = Trace(
    name="leveled",
    starts=rf"{_EXCEPTION.pattern}|(?i:{_WORD.pattern})".replace("(?P<cls>", "(?:").replace("(?P<message>", "(?:").replace("(?P<word>", "(?:"),
    parse=parse,
    order=90,
    leveled=True,
    marks=("Error", "ERROR", "error", "Exception", "FATAL", "fatal", "Fatal", "CRITICAL", "Failure", "panic"),
    samples=(
        TraceSample("RuntimeError: no rows left", (("exception", "RuntimeError", "no rows left", 1),)),
        TraceSample("error: cannot find the table", (("error", None, "error: cannot find the table", 1),)),
        TraceSample("ld: fatal: no such file", (("error", None, "ld: fatal: no such file", 1),)),
    ),
    strangers=("0 errors, 3 warnings", "Errors: none", "an error is possible here"),
)  # fmt: skip
