"""pytest's report with one line for each failed test, as `--tb=line` prints it.

Source of the format: `_pytest/terminal.py`, `summary_failures`.
"""

import re
from dataclasses import replace

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._pytest import REPORTS, SECTION, claim_summary
from kb.traces._python import closed, event_at, frame, named

_LINE = re.compile(r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:]*):(?P<line>\d+): (?P<said>\S.*)$")
_LINES = 3000
"""Lines that the report may have."""


def parse(cursor: Cursor) -> list[Event]:
    """The failed tests of the report here; nothing where it has any other style."""
    head = cursor.line
    section = SECTION.match(head.text) if head is not None else None
    if section is None or section["title"] not in REPORTS:
        return []
    cursor.claim()
    line = cursor.line
    if line is None or (not line.text.startswith("E  ") and (not _LINE.match(line.text) or line.text.endswith(": "))):
        return []
    events: list[Event] = []
    for _ in range(_LINES):
        line = cursor.line
        if line is None or SECTION.match(line.text):
            break
        found = _LINE.match(line.text)
        said = named(found["said"]) if found is not None else None
        if found is None or said is None:
            cursor.skip()
            continue
        cursor.claim()
        event = event_at(line, said.message, said.cls, "test")
        event = replace(event, frames=(frame(found["file"], int(found["line"]), None),))
        events.append(closed(event, (line.number,)))
    claim_summary(cursor)
    return events


TRACE = Trace(
    name="pytest_line",
    starts=r"^={3,} FAILURES ={3,}\s*$",
    parse=parse,
    order=9,
    marks=("= FAILURES =",),
    samples=(
        TraceSample(
            "=================== FAILURES ===================\n/srv/tests/test_a.py:4: ValueError: no rows\n"
            "=========== short test summary info ============\nFAILED tests/test_a.py::test_a - ValueError: no rows\n"
            "============== 1 failed in 0.02s ===============",
            (("test", "ValueError", "no rows", 2),),
        ),
    ),
    strangers=("=== FAILURES ===\nnone", "FAILURES = 3"),
)
