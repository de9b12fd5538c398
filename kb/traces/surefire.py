"""Failed tests of Maven's Surefire and Failsafe: `<<< FAILURE!`, the stack trace, and the list of results.

Source of the format: surefire's TestSetStats and DefaultReporterFactory (2.x and 3.x).
"""

import re
from dataclasses import replace

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample, java
from kb.traces._told import give_back, told

_SET = re.compile(r"Tests run: \d+, Failures: \d+, Errors: \d+.*<<< (?:FAILURE|ERROR)!")
_TEST = re.compile(r"^(?P<before>.*)Time elapsed: [^<]{0,200}<<< (?:FAILURE|ERROR)!")
_LIST = re.compile(r"^(?:\[ERROR\] *)?(?:Failures|Errors|Failed tests|Tests in error): *$")
_RESULTS = re.compile(r"^(?:\[\w+\] *)?Results ?: *$")
_ITEM = re.compile(
    r"^(?:\[ERROR\])? *(?P<test>[\w$.]+\.[\w$\[\]{}]+):(?P<line>\d+)(?:->\S+:\d+)* (?:» )?(?P<message>\S.*)$"
    r"|^(?:\[ERROR\])? *(?P<bare>[\w$.]+\.[\w$\[\]]+) » (?P<said>\S.*)$"
)
_TOTAL = re.compile(r"^(?:\[ERROR\] *)?Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+\s*$")
_SEARCH = 3000
"""Lines behind a failed test in which the list of results is looked for."""


def parse(cursor: Cursor) -> list[Event]:
    """The failed tests from here to the list of results, which is claimed with them; the list alone where nothing
    else is left."""
    line = cursor.line
    if line is None:
        return []
    events: list[Event] = []
    end = cursor.at
    for _ in range(_SEARCH):
        here = cursor.line
        if here is None:
            break
        if _LIST.match(here.text) or (events and _RESULTS.match(here.text)):
            return _with_list(cursor, events)
        if _SET.search(here.text) or _TEST.match(here.text):
            before = len(cursor.claimed)
            at = cursor.at
            event = _test(cursor)
            if event:
                events.append(replace(event, claimed=cursor.since(before)))
            elif not _SET.search(here.text):
                give_back(cursor, at + 1, before)
            end = cursor.at
        else:
            cursor.skip()
    cursor.at = end
    return _sharing_headings(cursor, events)


def _test(cursor: Cursor) -> Event | None:
    """The failed test whose heading is here, claimed with its stack trace; a heading of a whole class is claimed
    alone."""
    heading = cursor.claim()
    found = None if _SET.search(heading.text) else _TEST.match(heading.text)
    line = cursor.line
    if found is None or line is None:
        return None
    chain = java.parse(cursor)
    if not chain:
        return None
    top = chain[-1]
    first = min(heading.number, top.span[0])
    cause = chain[0]
    kept = cause if cause.cls and cause.frames and len(chain) > 1 else top
    return replace(
        kept,
        kind="test",
        causes=(),
        header=found["before"].removeprefix("[ERROR]").strip(" -"),
        span=(first, max(event.span[1] for event in chain)),
    )


def _with_list(cursor: Cursor, events: list[Event]) -> list[Event]:
    """The events, with the lines of the list claimed; where there are none, one event for each line of the list."""
    cursor.claim()
    listed: list[Event] = []
    for _ in range(_SEARCH):
        line = cursor.line
        if line is None:
            break
        found = _ITEM.match(line.text)
        if found is None and not _LIST.match(line.text) and not _TOTAL.match(line.text) and line.text.strip(" []ERO"):
            break
        cursor.claim()
        if found:
            name, place = found["test"] or found["bare"], found["line"]
            frame = Frame(name.split(".")[0] + ".java", int(place) if place else None, name)
            listed.append(
                told(line, "test", found["message"] or found["said"], language="java", frames=(frame,), header=name)
            )
    return _sharing_headings(cursor, events or listed)


def _sharing_headings(cursor: Cursor, events: list[Event]) -> list[Event]:
    """The events, the first of them holding the lines that were claimed for none."""
    if not events:
        return []
    owned = {number for event in events for number in event.claimed}
    rest = tuple(number for number in cursor.numbers if number not in owned)
    return [replace(events[0], claimed=(*events[0].claimed, *rest)), *events[1:]]


TRACE = Trace(
    name="surefire",
    starts=rf"<<< (?:FAILURE|ERROR)!|{_LIST.pattern}",
    parse=parse,
    order=15,
    marks=("<<< FAILURE!", "<<< ERROR!", "Failures:", "Errors:", "Failed tests:", "Tests in error:"),
    samples=(
        TraceSample(
            "Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 1 s <<< FAILURE! -- in dev.PierTest\n"
            "dev.PierTest.moors -- Time elapsed: 0.1 s <<< FAILURE!\norg.junit.ComparisonFailure: expected:<1> but"
            " was:<2>\n"
            "\tat dev.PierTest.moors(PierTest.java:9)\n\nResults:\n\nFailures: \n  PierTest.moors:9 expected:<1> but"
            " was:<2>\n"
            "Tests run: 2, Failures: 1, Errors: 0, Skipped: 0",
            (("test", "org.junit.ComparisonFailure", "expected:<1> but was:<2>", 3),),
        ),
        TraceSample(
            "Failures: \n  PierTest.moors:9 expected:<1> but was:<2>", (("test", None, "expected:<1> but was:<2>", 2),)
        ),
    ),
    strangers=("Tests run: 2, Failures: 0, Errors: 0, Skipped: 0", "Failures: 0"),
)
