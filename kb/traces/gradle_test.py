"""Failed tests as Gradle prints them: `Class > test() FAILED`, then class and place of the exception.

Source of the format: Gradle's TestExceptionFormatter and AbstractTestLogger.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample, java
from kb.traces._told import take_frames, told

_HEAD = re.compile(r"^(?P<name>\S.*? > \S.*?) FAILED$")
_SHORT = re.compile(
    r"^\s+(?P<cls>(?:[A-Za-z_][\w$]*\.)+[A-Z][\w$]*)(?: at (?P<file>[\w$]+\.\w+):(?P<line>\d+)|: (?P<message>\S.*))?$"
)
_CAUSE = re.compile(r"^\s+Caused by: ")


def parse(cursor: Cursor) -> list[Event]:
    """The failed test that begins here, with the exception below it."""
    line = cursor.line
    if line is None or (found := _HEAD.match(line.text)) is None:
        return []
    cursor.claim()
    below = cursor.line
    named = _SHORT.match(below.text) if below else None
    if below is None or named is None:
        return [told(line, "test", found["name"], language="java", claimed=cursor.numbers)]
    cursor.claim()
    frames = take_frames(cursor, java.read_frame, _CAUSE)
    if named["file"]:
        frames = (Frame(named["file"], int(named["line"])), *frames)
    return [
        told(
            below,
            "test",
            named["message"] or "",
            named["cls"],
            language="java",
            frames=frames,
            claimed=cursor.numbers,
            header=found["name"],
        )
    ]


TRACE = Trace(
    name="gradle_test",
    starts=r"^\S.* > \S.* FAILED$",
    parse=parse,
    order=28,
    marks=(" FAILED",),
    samples=(
        TraceSample(
            "PierTest > moors() FAILED\n    org.junit.ComparisonFailure at PierTest.java:9",
            (("test", "org.junit.ComparisonFailure", "", 2),),
        ),
        TraceSample(
            "PierTest > moors() FAILED\n    java.lang.AssertionError: no berth\n        at"
            " dev.PierTest.moors(PierTest.java:9)",
            (("test", "java.lang.AssertionError", "no berth", 2),),
        ),
    ),
    strangers=("> Task :check FAILED", "2 tests completed, 1 FAILED tests"),
)
