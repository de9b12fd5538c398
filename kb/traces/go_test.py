"""Failed tests of `go test`: `--- FAIL: TestX (0.00s)` and the messages of t.Error, before it with -v, below it
without.

Source of the format: testing/testing.go and cmd/go/internal/test of Go.
"""

import re
from dataclasses import dataclass

from kb.model.event import Event, Frame, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash

_FAIL = re.compile(r"^\s*--- FAIL: (?P<test>\S+) \([\d.]+s\)$")
_END = re.compile(r"^\s*--- (?P<verdict>FAIL|PASS|SKIP): (?P<test>\S+) \([\d.]+s\)$")
_SAID = re.compile(r"^\s{2,}(?P<file>[\w.-]+\.go):(?P<line>\d+): ?(?P<message>.*)$")
_RUN = re.compile(r"^=== (?:RUN|PAUSE|CONT|NAME)\s")
_PACKAGE = re.compile(r"^(?:FAIL|ok|---)\s+(?P<package>\S+)\s+(?:[\d.]+s|\(cached\)|\[.*)")
_TEST_LINES = 200
"""Lines of output between a message and the verdict on its test."""


@dataclass(slots=True)
class _Said:
    """One message of a test: its line, where it stands in the source, its words."""

    line: Line
    file: str
    number: int
    parts: list[str]


def parse(cursor: Cursor) -> list[Event]:
    """The failed test whose verdict or first message is here; nothing for messages of a test that passed."""
    line = cursor.line
    if line is None:
        return []
    if verdict := _FAIL.match(line.text):
        cursor.claim()
        said = _messages(cursor)
        return [_event(cursor, said, verdict["test"], line)]
    said = _messages(cursor)
    test = _verdict(cursor) if said else None
    return [_event(cursor, said, test, line)] if test else []


def _messages(cursor: Cursor) -> list[_Said]:
    """The messages that stand here, with their further, deeper lines."""
    said: list[_Said] = []
    while (line := cursor.line) is not None:
        if found := _SAID.match(line.text):
            said.append(_Said(line, found["file"], int(found["line"]), [found["message"]]))
        elif said and line.text.startswith("        ") and line.text.strip():
            said[-1].parts.append(line.text.strip())
        else:
            return said
        cursor.claim()
    return said


def _verdict(cursor: Cursor) -> str | None:
    """The test that failed with the messages just read, its verdict claimed; None when it passed or the log is cut."""
    for _ in range(_TEST_LINES):
        line = cursor.line
        if line is None or _PACKAGE.match(line.text):
            return None
        if found := _END.match(line.text):
            if found["verdict"] != "FAIL":
                return None
            cursor.claim()
            return found["test"]
        cursor.skip()
    return None


def _event(cursor: Cursor, said: list[_Said], test: str, verdict: Line) -> Event:
    if not said:
        return crash(cursor, verdict, verdict.text, None, (), language="go", kind="test")
    first, package = said[0], _package(cursor)
    file = f"{package}/{first.file}" if package else first.file
    frame = Frame(file, first.number, test)
    message = "\n".join("\n".join(each.parts).strip() for each in said)
    return crash(cursor, first.line, message, None, (frame,), language="go", kind="test")


def _package(cursor: Cursor) -> str | None:
    """The package of the test, from the line that closes its package; nothing is claimed."""
    start, package = cursor.at, None
    for _ in range(_TEST_LINES):
        line = cursor.line
        if line is None:
            break
        if found := _PACKAGE.match(line.text):
            package = found["package"]
            break
        cursor.skip()
    cursor.at = start
    return package


TRACE = Trace(
    name="go_test",
    starts=r"^\s*--- FAIL: \S+ \([\d.]+s\)$|^\s{2,}[\w.-]+_test\.go:\d+: ",
    parse=parse,
    order=25,
    marks=("--- FAIL: ", "_test.go:"),
    samples=(
        TraceSample(
            "--- FAIL: TestMerge (0.00s)\n    rows_test.go:12: rows = 3, want 4\nFAIL\n"
            "FAIL\texample.org/app/table\t0.021s",
            (("test", None, "rows = 3, want 4", 2),),
        ),
        TraceSample(
            "=== RUN   TestOrder\n    feed_test.go:7: out of order\n--- FAIL: TestOrder (0.10s)\n"
            "FAIL\texample.org/app/feed\t0.3s",
            (("test", None, "out of order", 2),),
        ),
        TraceSample("--- FAIL: TestEmpty (0.00s)", (("test", None, "--- FAIL: TestEmpty (0.00s)", 1),)),
    ),
    strangers=(
        "=== RUN   TestOrder\n    feed_test.go:7: starting\n--- PASS: TestOrder (0.10s)",
        "--- FAIL: the word of a headline",
    ),
)
