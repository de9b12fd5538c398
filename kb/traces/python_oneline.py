r"""Tracebacks whose line ends were lost: shell quoting, JSON pasted as text and chat tools put all of one on one line.

The line ends are literal `\n` or blanks.
"""

import re
from dataclasses import replace

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._python import closed, event_at, frame, named

_CALL = re.compile(
    r'\bFile \\?["\'](?P<file>[^"\'\\]+(?:\\\\[^"\'\\]+)*)\\?["\'], line (?P<line>\d+), in (?P<function>[\w.<>]+)'
)
_NAME = re.compile(
    r"(?:^|\s)(?P<said>(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Timeout|Exit|Interrupt|Refused|NotFound): \S.*)$"
)
_MARKS = re.compile(r"[~^]{2,}")
_STARTS = (
    r"Traceback \(most recent call last\):(?:\\n|\s)\s*File \\?[\"']"
    r"|File \\?[\"'][^\"']+[\"'], line \d+, in \S+(?:\\n|\s)[^\n]*File \\?[\"'][^\"']+[\"'], line \d+, in "
)


def parse(cursor: Cursor) -> list[Event]:
    """The last exception that the line here tells, with its frames; nothing when it holds fewer than two marks of a
    traceback.
    """
    line = cursor.line
    if line is None:
        return []
    calls = list(_CALL.finditer(line.text))
    if not calls:
        return []
    tail = line.text[calls[-1].end() :].replace("\\n", "\n").rstrip("\"'} ")
    frames = [_frame(calls, place, line.text) for place in range(len(calls))]
    cls, message = _said(tail)
    event = event_at(line, message, cls)
    event = replace(event, frames=tuple(reversed(frames)), complete=cls is not None)
    cursor.claim()
    return [closed(event, (line.number,))]


def _frame(calls: list[re.Match[str]], place: int, text: str) -> Frame:
    """A call with the source up to the next one."""
    found = calls[place]
    end = calls[place + 1].start() if place + 1 < len(calls) else found.end()
    code = _MARKS.sub("", text[found.end() : end].replace("\\n", "\n")).strip()
    return frame(
        found["file"].replace("\\\\", "\\"),
        int(found["line"]),
        found["function"],
        code.partition("\n")[0].strip() or None,
    )


def _said(tail: str) -> tuple[str | None, str]:
    """Class and message in what follows the last frame."""
    lines = [part.strip() for part in tail.split("\n") if part.strip()]
    for place in range(len(lines) - 1, -1, -1):
        if (whole := named(lines[place])) and whole.sure:
            return whole.cls, "\n".join([whole.message, *lines[place + 1 :]])
    if lines and (found := _NAME.search(lines[-1])) and (said := named(found["said"])):
        return said.cls, said.message
    return None, ""


TRACE = Trace(
    name="python_oneline",
    starts=_STARTS,
    parse=parse,
    order=11,
    marks=("Traceback (most recent call last):", ", line "),
    samples=(
        TraceSample('Traceback (most recent call last):\\n  File "a.py", line 3, in f\\n    g()\\nValueError: no rows',
                    (("exception", "ValueError", "no rows", 1),)),
        TraceSample('job: Traceback (most recent call last): File "a.py", line 3, in f g() ^^^ '
                    'File "b.py", line 9, in g raise E '
                    "app.RowError: no rows", (("exception", "app.RowError", "no rows", 1),)),
    ),
    strangers=('He wrote: File "notes.txt", line 3, in the middle', "poem.txt, line 4, in red"),
)  # fmt: skip
