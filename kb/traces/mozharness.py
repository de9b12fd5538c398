"""Results of Mozilla's test harnesses: `TEST-UNEXPECTED-FAIL | test | message`, `PROCESS-CRASH | …`, failed
assertions, leaks.

Source of the format: mozlog's formatters, mozcrash, MOZ_CRASH of mfbt/Assertions.h, buildbot's remote failures.
"""

import re

from kb.model.event import Event, Frame, Kind, Line
from kb.traces import Trace, TraceSample
from kb.traces._told import one_line, told

_UNEXPECTED = re.compile(
    r"(?:REFTEST )?TEST-(?:UNEXPECTED-(?!WARNING)[A-Z]+|VALGRIND-ERROR) \| (?P<test>[^|]*?) (?:==[^"
    r"|]*)?\|?(?P<rest>.*)$|REFTEST ERROR \| (?P<ref>[^|]*)"
)
_DEVICE_COPY = re.compile(r"\bI[/ ](?:Gecko|TestRunner)")
_CRASH = re.compile(r"PROCESS-CRASH \| (?P<said>.*)$")
_ASSERTION = re.compile(r"(?:Hit MOZ_CRASH\(|###!!! ABORT: )(?P<said>.*)$")
_PLACE = re.compile(
    r"(?:,? at |: file )(?P<file>[^\s:,]+):(?:(?P<line>\d+)|.*)$|: file (?P<file2>[^\s,]+), line (?P<line2>\d+)"
)
_OTHER = re.compile(
    r"YOU ARE LEAKING THE WORLD|Process \d+ hanging at shutdown; attempting crash report|^Automation Error: "
    r"|^remoteFailed: |^command timed out: "
)
_KNOWN = re.compile(
    rf"{_UNEXPECTED.pattern}|{_CRASH.pattern}|{_ASSERTION.pattern}|{_OTHER.pattern}".replace(
        "(?P<said>", "(?:"
    ).replace("(?P<line>", "(?:")
)
_FILE = re.compile(r"^[\w./-]+\.\w+$")


def _build(line: Line, found: re.Match[str]) -> Event | None:
    text = line.text
    message = text[found.start() :].strip()
    if unexpected := _UNEXPECTED.search(text):
        if _DEVICE_COPY.search(
            text[: unexpected.start()]
        ):  # logcat repeats what the harness prints itself
            return None
        test = (unexpected["test"] or unexpected["ref"] or "").strip()
        return told(
            line, "test", message, frames=(Frame(test),) if _FILE.match(test) else ()
        )
    kind: Kind = (
        "crash"
        if _CRASH.search(text) or _ASSERTION.search(text)
        else "stall"
        if "hanging" in text
        else "error"
    )
    return told(
        line, kind, message, frames=_frames(message) if _ASSERTION.search(text) else ()
    )


def _frames(message: str) -> tuple[Frame, ...]:
    found = _PLACE.search(message)
    if found is None:
        return ()
    number = found["line"] or found["line2"]
    return (Frame(found["file"] or found["file2"], int(number) if number else None),)


TRACE = Trace(
    name="mozharness",
    starts=r"TEST-UNEXPECTED-|TEST-VALGRIND-ERROR|REFTEST ERROR|PROCESS-CRASH \||Hit MOZ_CRASH\("
    r"|###!!! ABORT: "
    r"|YOU ARE LEAKING THE WORLD|hanging at shutdown; attempting crash report|^Automation Error: |^remoteFailed: "
    r"|^command timed out: ",
    parse=one_line(_KNOWN, _build),
    order=12,
    marks=(
        "TEST-UNEXPECTED-",
        "TEST-VALGRIND-ERROR",
        "REFTEST ERROR",
        "PROCESS-CRASH |",
        "Hit MOZ_CRASH(",
        "###!!! ABORT: ",
        "YOU ARE LEAKING THE WORLD",
        "hanging at shutdown; attempting",
        "Automation Error: ",
        "remoteFailed: ",
        "command timed out: ",
    ),
    samples=(
        TraceSample(
            "TEST-UNEXPECTED-FAIL | dom/pier/test_boat.html | no berth",
            (
                (
                    "test",
                    None,
                    "TEST-UNEXPECTED-FAIL | dom/pier/test_boat.html | no berth",
                    1,
                ),
            ),
        ),
        TraceSample(
            "PROCESS-CRASH | application crashed [@ moor] | dom/pier/test_boat.html",
            (
                (
                    "crash",
                    None,
                    "PROCESS-CRASH | application crashed [@ moor] | dom/pier/test_boat.html",
                    1,
                ),
            ),
        ),
        TraceSample(
            "[81] Hit MOZ_CRASH(boat) at /src/pier/Boat.cpp:13",
            (("crash", None, "Hit MOZ_CRASH(boat) at /src/pier/Boat.cpp:13", 1),),
        ),
    ),
    strangers=(
        "TEST-PASS | dom/pier/test_boat.html | moored",
        "TEST-UNEXPECTED-WARNING | dom/pier/boat.js | old rope",
        "I/GeckoDump(  73): 11 INFO TEST-UNEXPECTED-FAIL | a | b",
    ),
)
