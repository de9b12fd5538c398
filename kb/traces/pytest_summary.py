"""pytest's last lines where the report itself is missing: the short summary, and why it stopped.

Source of the format: `_pytest/terminal.py` and `_pytest/main.py`.
"""

import re
from dataclasses import replace

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._pytest import REPEATS
from kb.traces._python import event_at, named

_STOPPED = re.compile(r"^!{3,} (?P<message>\S.*?) !{3,}\s*$")
_STARTS = (
    r"^(?:FAILED|ERROR)(?: CONSISTENTLY:| \[[\d.]+s\])? (?:\S+\.py(?:::\S.*)?|\S+::\S.*)$"
    r"|^!{3,} (?:Interrupted: |stopping after |_pytest\.outcomes\.Exit|xdist\.|KeyboardInterrupt )"
)


def parse(cursor: Cursor) -> list[Event]:
    """The test that the line here says to have failed, or why pytest stopped. An abbreviated message counts as cut."""
    line = cursor.line
    if line is None:
        return []
    if stopped := _STOPPED.match(line.text):
        cursor.claim()
        return [event_at(line, stopped["message"], None, "test")]
    found = REPEATS.match(line.text)
    if found is None or line.text.endswith((" PASSED", "%]")):
        return []
    cursor.claim()
    text = line.text.strip()
    said = named(found["said"] or "")
    if said is None or text.endswith("..."):
        return [replace(event_at(line, text, None, "test"), complete=False, header=text)]
    return [replace(event_at(line, said.message, said.cls, "test"), header=found["test"])]


TRACE = Trace(
    name="pytest_summary",
    starts=_STARTS,
    parse=parse,
    order=30,
    marks=("FAILED ", "ERROR ", "!!! "),
    samples=(
        TraceSample("FAILED tests/test_a.py::test_b - ValueError: bad row",
                    (("test", "ValueError", "bad row", 1),)),
        TraceSample("FAILED tests/test_a.py::test_b - ValueError: a very long...",
                    (("test", None, "FAILED tests/test_a.py::test_b - ValueError: a very long...", 1),)),
        TraceSample("FAILED [3.1s] tests/test_a.py::test_b - ValueError: bad row",
                    (("test", "ValueError", "bad row", 1),)),
        TraceSample("!!!!!!!!!! KeyboardInterrupt !!!!!!!!!!", (("test", None, "KeyboardInterrupt", 1),)),
        TraceSample("!!!!!!!!!! Interrupted: 2 errors during collection !!!!!!!!!!",
                    (("test", None, "Interrupted: 2 errors during collection", 1),)),
    ),
    strangers=("FAILED to open the door", "!!! warning !!!", "tests/test_a.py::test_b FAILED [ 50%]"),
)  # fmt: skip
