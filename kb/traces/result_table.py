"""Rows of a table of results that say FAIL where their neighbours say PASS."""

import re

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import told

_ROW = re.compile(r"^(?P<what>\S{1,200}) {2,}(?P<said>FAIL(?:ED|URE)?\b:?.*)$")
_PASSED = re.compile(r"^\S{1,200} {2,}(?:PASS|PASSED|OK)\b")
_NEIGHBOURS = 3
"""Rows below that are asked whether they are of such a table."""


def parse(cursor: Cursor) -> list[Event]:
    """The failed row here, when a row close below it passed or failed in the same columns."""
    line = cursor.line
    if line is None or (found := _ROW.match(line.text)) is None:
        return []
    column, here = found.start("said"), cursor.at
    cursor.claim()
    for _ in range(_NEIGHBOURS):
        below = cursor.line
        if below is None:
            break
        if (_PASSED.match(below.text) or _ROW.match(below.text)) and below.text[column - 1 : column + 1].strip():
            cursor.at = here + 1
            return [told(line, "test", line.text.strip())]
        cursor.skip()
    return []


TRACE = Trace(
    name="result_table",
    starts=_ROW.pattern.replace("(?P<what>", "(?:").replace("(?P<said>", "(?:"),
    parse=parse,
    order=60,
    marks=("  FAIL",),
    samples=(
        TraceSample(
            "mill      PASS\npress     FAIL: plates=4, expected=2\nlathe     PASS",
            (("test", None, "press     FAIL: plates=4, expected=2", 2),),
        ),
    ),
    strangers=("it would  FAIL sooner or later", "press     FAIL\nand nothing else"),
)
