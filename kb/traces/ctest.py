"""Failed tests of CTest: the line of the test, or the list at the end.

Source of the format: cmCTestRunTest.cxx and cmCTestTestHandler.cxx of CMake.
"""

import re

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import told

_TEST = re.compile(
    r"^ *\d+/\d+ +Test +#\d+: (?P<name>\S+) ?\.*(?: *Subprocess aborted|\*\*\*\S.*?| *Child aborted)\s*(?:[\d.]+"
    r" sec)?\s*$"
)
_HOW = re.compile(r"\*\*\*(?P<how>\w[\w:() ]*?)\s*(?:[\d.]+ sec)?\s*$")
_LIST = re.compile(r"^The following tests FAILED:$")
_ITEM = re.compile(r"^\s+\d+ - (?P<name>\S+) \((?P<how>[^)]+)\)")
_SHORT = 500
"""Characters of a line that can hold a test's result; a longer line is something else."""
_LEFT_OUT = ("Not Run", "Skipped", "Not Run (Disabled)")
_ITEMS = 2000
"""Tests that the list may name."""


def parse(cursor: Cursor) -> list[Event]:
    """The failed test that the line here tells, or those of the list that begins here."""
    line = cursor.line
    if line is None:
        return []
    if found := _TEST.match(line.text[:_SHORT]):
        how = _HOW.search(line.text[:_SHORT])
        if how and how["how"].startswith(_LEFT_OUT):
            return []
        cursor.claim()
        return [
            told(line, "test", f"{found['name']} ({how['how'] if how else 'Subprocess aborted'})", header=found["name"])
        ]
    return _listed(cursor) if _LIST.match(line.text) else []


def _listed(cursor: Cursor) -> list[Event]:
    heading = cursor.claim()
    events: list[Event] = []
    for _ in range(_ITEMS):
        line = cursor.line
        if line is None or (found := _ITEM.match(line.text)) is None:
            break
        cursor.claim()
        own = (line.number,) if events else (heading.number, line.number)
        events.append(told(line, "test", f"{found['name']} ({found['how']})", claimed=own, header=found["name"]))
    return events


TRACE = Trace(
    name="ctest",
    starts=rf"^ *\d+/\d+ +Test +#\d+: |{_LIST.pattern}",
    parse=parse,
    order=46,
    marks=(" Test ", "The following tests FAILED:"),
    samples=(
        TraceSample(
            " 3/10 Test  #3: pier_moors ...................***Failed    0.01 sec",
            (("test", None, "pier_moors (Failed)", 1),),
        ),
        TraceSample(
            "The following tests FAILED:\n\t  3 - pier_moors (Failed)\n\t  7 - pier_leaves (Timeout)",
            (("test", None, "pier_moors (Failed)", 2), ("test", None, "pier_leaves (Timeout)", 3)),
        ),
    ),
    strangers=(
        " 3/10 Test  #3: pier_moors ...................   Passed    0.01 sec",
        " 4/10 Test  #4: x .....***Not Run (Disabled)   0.00 sec",
    ),
)
