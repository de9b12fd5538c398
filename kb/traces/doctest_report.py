"""doctest's report of one example that failed.

Source of the format: `doctest.DocTestRunner.report_failure` and `report_unexpected_exception`.
"""

import re
from dataclasses import replace

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._chain import parse_lines
from kb.traces._python import closed, event_at, frame, frame_of

_PLACE = re.compile(r'^File "(?P<file>[^"]+)", line (?P<line>\d+|\?), in (?P<test>\S+)\s*$')
_LINES = 200
"""Lines that one example, what was expected and what came may have."""


def parse(cursor: Cursor) -> list[Event]:
    """The example that failed here, or the exception that it raised."""
    head = cursor.line
    place = _PLACE.match(head.text) if head is not None else None
    if head is None or place is None:
        return []
    cursor.claim()
    title = cursor.line
    if title is None or title.text.strip() != "Failed example:":
        return []
    lines = [cursor.claim()]
    while (line := cursor.line) is not None and len(lines) < _LINES:
        if not line.text.startswith("    ") and line.text.strip() not in (
            "Expected:",
            "Got:",
            "Exception raised:",
            "Expected nothing",
        ):
            break
        lines.append(cursor.claim())
    if len(lines) == 1:
        return []
    raised = (
        parse_lines(lines, cursor)
        if any(each.text.startswith("Exception raised:") for each in lines)
        else []
    )
    if raised:
        last = replace(raised[-1], kind="test", header=f"doctest {place['test']}")
        return [closed(last, cursor.numbers)]
    message = "\n".join(each.text.rstrip() for each in lines)
    number = int(place["line"]) if place["line"].isdigit() else None
    at = frame_of(head.text) or frame(place["file"], number, place["test"])
    event = replace(event_at(title, message, None, "test"), frames=(at,), header=f"doctest {place['test']}")
    return [closed(event, cursor.numbers)]


TRACE = Trace(
    name="doctest_report",
    starts=_PLACE.pattern.replace("(?P<file>", "(?:").replace("(?P<line>", "(?:").replace("(?P<test>", "(?:"),
    parse=parse,
    order=10,
    marks=('File "',),
    samples=(
        TraceSample('File "rows.py", line 3, in rows.add\nFailed example:\n    add(1, 1)\n'
                    "Expected:\n    3\nGot:\n    2",
                    (("test", None, "Failed example:\n    add(1, 1)\nExpected:\n    3\nGot:\n    2", 2),)),
        TraceSample('File "rows.py", line 3, in rows.add\nFailed example:\n    add(1, "")\nException raised:\n'
                    '    Traceback (most recent call last):\n      File "rows.py", line 9, in add\n'
                    '        return a + b\n'
                    "    TypeError: no sum", (("test", "TypeError", "no sum", 8),)),
    ),
    strangers=('File "rows.py" is old', "Failed example:"),
)  # fmt: skip
