"""Failed tests of GoogleTest: `file.cc:12: Failure` with the comparison, closed by `[  FAILED  ] Suite.Test`.

Source of the format: googletest's src/gtest.cc (PrettyUnitTestResultPrinter).
"""

import re

from kb.model.event import Event, Frame
from kb.settings import MESSAGE_CHARS
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import give_back, told

_FAILURE = re.compile(r"^(?P<file>\S[^:(]*)(?::|\()(?P<line>\d+)\)?: (?:Failure|error: Failure)$")
_FAILED = re.compile(r"^\[  FAILED  \] (?P<name>[\w/]+\.[\w/]+)(?:, where .*?)?(?: \(\d+ ms\))?$")
_OTHER = re.compile(r"^\[ +(?:RUN|OK|PASSED|FAILED|SKIPPED) +\]|^\[-+\]|^\[=+\]|^\S[^:(]*(?::|\()\d+\)?: Failure$")
_LIST = re.compile(r"^\[  FAILED  \] \d+ tests?, listed below:$")
_LINES = 100


def parse(cursor: Cursor) -> list[Event]:
    """The failed test that begins here: its comparison and its closing line, or the closing line alone."""
    line = cursor.line
    if line is None:
        return []
    if found := _FAILURE.match(line.text):
        return _failure(cursor, Frame(found["file"], int(found["line"])))
    if found := _FAILED.match(line.text):
        cursor.claim()
        return [told(line, "test", line.text.strip(), language="c++", header=found["name"])]
    return []


def _failure(cursor: Cursor, site: Frame) -> list[Event]:
    """The comparison below a place, with what closes the test; more comparisons of the same test are claimed with
    it."""
    cursor.claim()
    carrier = cursor.line
    if carrier is None or _OTHER.match(carrier.text):
        return []
    parts: list[str] = []
    for _ in range(_LINES):
        here = cursor.line
        if here is None or _OTHER.match(here.text):
            break
        cursor.claim()
        parts.append(here.text.rstrip())
    name = _close(cursor)
    message = "\n".join(parts).rstrip()[:MESSAGE_CHARS]
    return [told(carrier, "test", message, language="c++", frames=(site,), claimed=cursor.numbers, header=name)]


def _close(cursor: Cursor) -> str:
    """Claim the line that closes the test; its name, empty where the log does not show it next."""
    at, count = cursor.at, len(cursor.claimed)
    line = cursor.line
    if line is not None and (found := _FAILED.match(line.text)):
        cursor.claim()
        return found["name"]
    give_back(cursor, at, count)
    return ""


TRACE = Trace(
    name="gtest",
    starts=rf"{_FAILURE.pattern}|^\[  FAILED  \] [\w/]+\.[\w/]+".replace("(?P<file>", "(?:").replace(
        "(?P<line>", "(?:"
    ),
    parse=parse,
    order=27,
    marks=(": Failure", "[  FAILED  ] "),
    samples=(
        TraceSample(
            "[ RUN      ] Pier.Moors\n/src/pier_test.cc:12: Failure\nExpected equality of these values:\n  a\n   "
            " Which is: 1\n"
            "[  FAILED  ] Pier.Moors (0 ms)",
            (("test", None, "Expected equality of these values:\n  a\n    Which is: 1", 3),),
        ),
        TraceSample("[  FAILED  ] Pier.Leaves", (("test", None, "[  FAILED  ] Pier.Leaves", 1),)),
    ),
    strangers=("[       OK ] Pier.Moors (0 ms)", "[  FAILED  ] 1 test, listed below:", "Engine: Failure"),
)
