"""unittest's report of one failed test, which nose and Django's runner print alike.

Source of the format: `unittest.runner.TextTestResult.printErrorList`.
"""

import re
from dataclasses import replace

from kb.model.event import Event, Line
from kb.settings import MESSAGE_LINES
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._chain import parse_chain
from kb.traces._python import HEADER, closed

_HEADING = re.compile(r"^(?:ERROR|FAIL): (?P<test>\S+ \([\w.<>]+\)(?: .*)?|\w[\w.]*(?: \[.*)?)\s*$")
_RULE = re.compile(r"^(?:-{50,}|={50,})\s*$")
_HEAD_LINES = 5
"""Lines between the name of a test and its traceback: its description and a rule."""


def parse(cursor: Cursor) -> list[Event]:
    """The exceptions of the test here; nothing where no traceback follows between rules."""
    head = cursor.line
    if head is None or not _HEADING.match(head.text):
        return []
    ruled = False
    for _ in range(_HEAD_LINES):
        cursor.claim()
        line = cursor.line
        if line is None or line.formats != head.formats:
            return []
        if ruled and HEADER.search(line.text):
            break
        ruled = ruled or _RULE.match(line.text) is not None
    else:
        return []
    used = cursor.numbers
    events = [replace(event, kind="test", header=head.text.strip()) for event in parse_chain(cursor)]
    if not events:
        return []
    events[0] = closed(events[0], (*used, *events[0].claimed))
    events[-1] = _whole(cursor, events[-1], head)
    return events


def _whole(cursor: Cursor, event: Event, head: Line) -> Event:
    """The event with its whole message: a comparison has empty lines in it, and the next rule ends it."""
    at, claimed = cursor.at, len(cursor.claimed)
    parts: list[str] = []
    numbers: list[int] = []
    while (line := cursor.line) is not None and len(parts) < MESSAGE_LINES and line.formats == head.formats:
        if _RULE.match(line.text):
            if not any(parts):
                break
            event = replace(event, message="\n".join([event.message, *parts]).rstrip())
            return closed(event, (*event.claimed, *numbers))
        if cursor.begins_event(line):
            break
        parts.append(line.text.rstrip())
        numbers.append(cursor.claim().number)
    cursor.at = at
    del cursor.claimed[claimed:]
    return event


TRACE = Trace(
    name="unittest_report",
    starts=_HEADING.pattern.replace("(?P<test>", "(?:"),
    parse=parse,
    order=28,
    marks=("ERROR: ", "FAIL: "),
    samples=(
        TraceSample(
            f"{'=' * 70}\nFAIL: test_rows (tests.test_t.Case.test_rows)\n{'-' * 70}\n"
            f"Traceback (most recent call last):\n"
            '  File "tests/test_t.py", line 7, in test_rows\n    self.assertEqual(a, b)\n'
            'AssertionError: Lists differ: [1] != [2]\n\n'
            f"First differing element 0:\n1\n2\n\n{'-' * 70}\nRan 1 test in 0.001s\n\nFAILED (failures=1)",
            (("test", "AssertionError", "Lists differ: [1] != [2]\n\nFirst differing element 0:\n1\n2", 7),),
        ),
    ),
    strangers=("FAIL: test_rows (tests.Case)", "FAIL: 0"),
)  # fmt: skip
