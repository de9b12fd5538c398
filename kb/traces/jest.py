"""Failed tests of Jest (`● suite › test`) and Vitest (` FAIL  file > suite > test`).

Source of the format: jest-message-util's formatResultsErrors, Vitest's reporters/renderers.
"""

import re

from kb.model.event import Event, Frame, Line
from kb.settings import MESSAGE_CHARS
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import told
from kb.traces.node import read_frame

_HEAD = re.compile(r"^\s*● (?P<name>\S.*)$|^ *(?:FAIL|❯|×) +(?P<file>\S+\.[cm]?[jt]sx? > .+)$")
_CLASS = re.compile(r"^(?P<cls>(?:[A-Z]\w*(?:Error|Exception)|Error))(?: \[\w+\])?: (?P<message>.*)$")
_CODE = re.compile(r"^[ \t]*(?:[>❯] *)?(?:\d+ *)?\|")
_VPLACE = re.compile(r"^\s*❯ (?:(?P<function>\S+) )?(?P<file>[^\s:]+\.[cm]?[jt]sx?):(?P<line>\d+):\d+$")
_END = re.compile(r"^(?:Test Suites:|Tests:|Test Files |Snapshots?:|(?:PASS|FAIL) |⎯)|^\s*● |^ *(?:FAIL|×) +\S+ > ")
_LINES = 120
"""Lines that one failure may have: message, difference, source, stack."""


def parse(cursor: Cursor) -> list[Event]:
    """The failed test that begins here; nothing for a heading without a message, such as that of captured console
    output."""
    line = cursor.line
    if line is None or (found := _HEAD.match(line.text)) is None:
        return []
    first = cursor.claim()
    texts: list[tuple[Line, str]] = []
    frames: list[Frame] = []
    blank: list[int] = []
    for _ in range(_LINES):
        here = cursor.line
        if here is None or _END.match(here.text) or (found["name"] and texts and _outdented(here.text)):
            break
        if not here.text.strip():
            blank.append(cursor.at)
            cursor.skip()
            continue
        frame = read_frame(here.text) or _vitest_frame(here.text)
        if frame:
            frames.append(frame)
        elif not _CODE.match(here.text) and not frames:
            texts.append((here, here.text.strip()))
        cursor.claim()
    if not texts or _is_console(found["name"]):
        return []
    carrier, text = texts[0]
    named = _CLASS.match(text)
    parts = [named["message"] if named else text, *(said for _, said in texts[1:])]
    return [
        told(
            carrier,
            "test",
            "\n".join(parts)[:MESSAGE_CHARS],
            named["cls"] if named else None,
            language="node",
            frames=tuple(frames),
            claimed=cursor.numbers,
            header=(found["name"] or found["file"] or first.text).strip(),
        )
    ]


def _outdented(text: str) -> bool:
    return bool(text) and not text.startswith((" ", "\t")) and _CLASS.match(text) is None


def _is_console(name: str | None) -> bool:
    return name is not None and name.startswith(("Console", "process.", "Cannot log"))


def _vitest_frame(text: str) -> Frame | None:
    found = _VPLACE.match(text)
    return Frame(found["file"], int(found["line"]), found["function"]) if found else None


TRACE = Trace(
    name="jest",
    starts=_HEAD.pattern.replace("(?P<name>", "(?:").replace("(?P<file>", "(?:"),
    parse=parse,
    order=22,
    marks=("● ", "FAIL  ", " FAIL "),
    samples=(
        TraceSample(
            "  ● pier › moors\n\n    TypeError: rope is not a function\n\n      1 | moor()\n    > 2 |   rope()\n      "
            "  |   ^\n\n"
            "      at moor (src/pier.js:2:3)\n      at Object.<anonymous> (src/pier.test.js:9:1)\n\nTest Suites: 1"
            " failed, 1 total",
            (("test", "TypeError", "rope is not a function", 3),),
        ),
        TraceSample(
            "  ● moors\n\n    expect(received).toBe(expected)\n\n    Expected: 1\n    Received: 2\n\n      at"
            " Object.<anonymous> (a.test.js:9:1)",
            (("test", None, "expect(received).toBe(expected)\nExpected: 1\nReceived: 2", 3),),
        ),
        TraceSample(
            " FAIL  src/pier.test.ts > pier > moors\nAssertionError: expected 1 to be 2\n ❯ src/pier.test.ts:4:5",
            (("test", "AssertionError", "expected 1 to be 2", 2),),
        ),
    ),
    strangers=("  ● Console\n", "● online"),
)
