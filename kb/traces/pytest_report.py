"""pytest's report of one failed test or one module that could not be collected: long, short and mixed styles, chains.

Source of the format: `_pytest/_code/code.py` (ReprEntry, ReprFileLocation), `_pytest/reports.py` and
`_pytest/terminal.py`.
"""

import re
from dataclasses import dataclass, field, replace

from kb.model.event import Event, Frame, Line, Link, Relation
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._chain import parse_chain
from kb.traces._pytest import FINAL, HEADING, REPORTS, SECTION, SUMMARY, TITLE, claim_summary
from kb.traces._python import closed, event_at, frame, frame_of, indent_of, named, relation_of, rewind

_SAID = re.compile(r"^E(?P<text>(?: .*)?)$")
_POINTS = re.compile(r"^>(?P<code> +\S.*)$")
_PLACE = re.compile(
    r"^(?P<file>[^\s:][^:]*|[A-Za-z]:[^:]+):(?P<line>\d+): (?:in (?P<function>\S.*)|(?P<cls>[A-Za-z_][\w.<>]*)?)\s*$"
)
_BARE_PLACE = re.compile(r"^(?P<file>[^\s:][^:]*\.\w+):(?P<line>\d+)\s*$")
_NATIVE = re.compile(r"^ {0,4}(?:\+ Exception Group )?Traceback \(most recent call last\):\s*$")
_CARETS = re.compile(r"^\s*\^+\s*$")
_NEXT = re.compile(r"^(?:_ ){5,}_?\s*$")
_CAPTURED = re.compile(r"^-+ Captured (?P<what>.+?) -*\s*$")
_RECORD = re.compile(r"^(?:ERROR|CRITICAL|WARNING|INFO|DEBUG) +[\w.]+:[\w.]+:\d+ ")
_DEF = re.compile(r"^\s*(?:async )?def (?P<name>\w+)\(")
_CALLS = re.compile(r"\b(\w+)\(")
_COLLECTING = re.compile(r"^ERROR collecting (?P<file>\S+)")
_CRASHED = re.compile(r"^worker '\w+' crashed while running ")
_IMPORT = re.compile(r"^\w*Error while (?:importing|loading) ")
_LINES = 6000
"""Lines that one test's report may have."""


@dataclass(slots=True)
class _Report:
    """One test's report while it is read."""

    title: str
    events: list[Event] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)  # outermost first
    said: list[tuple[Line, str]] = field(default_factory=list)
    ended: bool = False  # the block of `E` lines is over
    short: bool = False  # right under a call of the short style
    cls: str | None = None
    function: str | None = None  # whose source was shown last
    code: str | None = None  # the source line that failed or calls
    asked: str | None = None  # what the last call before this entry calls
    relation: Relation | None = None
    captured: str = ""
    failed_import: Line | None = None


def parse(cursor: Cursor) -> list[Event]:
    """The failed tests from here on, each with its chain; the summary lines that repeat them are used up."""
    events: list[Event] = []
    while (line := cursor.line) is not None:
        if (section := SECTION.match(line.text)) and section["title"] in REPORTS and events:
            cursor.claim()
            if cursor.line is not None and HEADING.match(cursor.line.text):
                continue
            rewind(cursor, cursor.claimed[-1], len(cursor.claimed) - 1)
            break
        if (heading := HEADING.match(line.text)) is None:
            break
        report = _Report(heading["title"])
        report.numbers.append(cursor.claim().number)
        found = _read(cursor, report, line)
        if not found:
            break
        events += found
    if events:
        claim_summary(cursor)
    return events


def _read(cursor: Cursor, report: _Report, heading: Line) -> list[Event]:
    for _ in range(_LINES):
        line = cursor.line
        if line is None or HEADING.match(line.text) or SECTION.match(line.text) or FINAL.match(line.text):
            break
        if report.captured or _CAPTURED.match(line.text):
            _take_captured(cursor, line, report)
        elif _NATIVE.match(line.text):
            report.events += [replace(event, kind="test", header=report.title) for event in parse_chain(cursor)]
            if cursor.line is line:
                cursor.skip()
        elif _take(line, report):
            report.numbers.append(cursor.claim().number)
        else:
            cursor.skip()
    _close(report)
    if report.failed_import is not None and report.events:
        event = _import_event(report, heading)
        return [*report.events, event]
    return report.events


def _take_captured(cursor: Cursor, line: Line, report: _Report) -> None:
    """What the test printed is left to other grammars; records that it logged are part of the report."""
    if found := _CAPTURED.match(line.text):
        report.captured = found["what"]
        cursor.claim()
    elif report.captured.startswith("log") and (_RECORD.match(line.text) or line.level):
        cursor.claim()
    else:
        cursor.skip()


def _take(line: Line, report: _Report) -> bool:
    """Read one line of the report; False for a line that says nothing."""
    text = line.text
    if found := _SAID.match(text):
        if not report.ended:
            report.said.append((line, found["text"].rstrip()))
    elif found := _POINTS.match(text):
        report.code = found["code"].strip()
        shown = _DEF.match(report.code)
        report.function = shown["name"] if shown else report.function or _asked(report)
    elif _CRASHED.match(text):
        report.said.append((line, text.rstrip()))
    elif found := _PLACE.match(text):
        _take_place(found, report)
    elif (bare := _BARE_PLACE.match(text)) and report.said:
        report.frames.append(frame(bare["file"], int(bare["line"]), _test_function(report.title)))
        _close(report)
    elif (relation := relation_of(text)) is not None:
        _close(report)
        report.relation = relation
    elif _NEXT.match(text):
        report.function, report.code, report.short = None, None, False
    elif _IMPORT.match(text) and _COLLECTING.match(report.title):
        report.failed_import = line
        return False
    else:
        report.ended = report.ended or (not text.strip() and bool(report.said))
        return _take_source(text, report)
    return True


def _take_source(text: str, report: _Report) -> bool:
    """A source line of the long style, or the one line under a call of the short style."""
    if report.short:
        report.short = False
        report.frames[-1] = replace(report.frames[-1], code=text.strip().strip("?") or None)
    elif (found := _DEF.match(text)) and report.code is None:
        report.function = found["name"]
    return text.startswith(("    ", "Traceback:", "Hint: ", "[gw")) or _CARETS.match(text) is not None


def _take_place(found: re.Match[str], report: _Report) -> None:
    """`path:line: in f` opens a call of the short style; `path:line: ` and `path:line: Class` close one of the long
    style.
    """
    if found["function"]:
        report.frames.append(frame(found["file"], int(found["line"]), found["function"].strip()))
        report.function, report.code, report.short = None, None, True
        return
    function = report.function or (None if report.frames else _test_function(report.title)) or _asked(report)
    report.frames.append(frame(found["file"], int(found["line"]), function, report.code))
    report.asked, report.function, report.code = report.code, None, None
    if found["cls"] or report.said:
        report.cls = found["cls"]
        _close(report)


def _asked(report: _Report) -> str | None:
    """The function of an entry that shows no `def`: the only one that the line before it calls."""
    names = _CALLS.findall(report.asked or "")
    return names[0] if len(names) == 1 else None


def _test_function(title: str) -> str | None:
    """`test_x` of `TestCase.test_x[param]` or of `ERROR at setup of test_x`."""
    name = title.partition("[")[0].rpartition(" ")[2].rpartition(".")[2]
    return name if name.isidentifier() else None


def _close(report: _Report) -> None:
    """The exception that was read becomes an event."""
    if report.said:
        carrier, cls, message = _split(report)
        event = replace(
            event_at(carrier, message, cls, "test"), frames=tuple(reversed(report.frames)), header=report.title
        )
        if report.relation is not None and report.events:
            event = replace(event, causes=(Link(report.events[-1].line, report.relation),))
        report.events.append(closed(event, tuple(report.numbers)))
        report.numbers = []
    report.frames, report.said, report.cls, report.relation = [], [], None, None
    report.function, report.code, report.asked, report.ended, report.short = None, None, None, False, False


def _split(report: _Report) -> tuple[Line, str | None, str]:
    """The line that carries it, class and message of the `E` lines: the margin goes, and so does the class."""
    margin = indent_of(report.said[0][1])
    said = [(line, text[margin:] if not text[:margin].strip() else text.strip()) for line, text in report.said]
    if (source := frame_of(said[0][1])) is not None:  # a syntax error shows its source first
        report.frames.append(replace(source, code=said[1][1].strip() if len(said) > 1 else None))
        said = said[next((place for place, (_, text) in enumerate(said) if (name := named(text)) and name.sure), 0) :]
    lines = [text for _, text in said]
    found = named(lines[0])
    if found is not None and (report.cls is None or found.cls.rpartition(".")[2] == report.cls.rpartition(".")[2]):
        return said[0][0], found.cls, "\n".join([found.message, *lines[1:]]).strip("\n")
    cls = report.cls or ("AssertionError" if lines[0].startswith("assert ") else None)
    return said[0][0], cls, "\n".join(lines).strip("\n")


def _import_event(report: _Report, heading: Line) -> Event:
    """pytest's own line on a module that it could not import; the exception in it is the cause."""
    line = report.failed_import or heading
    report.events = [closed(event, tuple(n for n in event.claimed if n != heading.number)) for event in report.events]
    event = replace(event_at(line, line.text.strip(), None, "test"), header=report.title)
    event = replace(event, causes=(Link(report.events[-1].line, "embedded"),))
    return closed(event, tuple(sorted({heading.number, line.number})))


TRACE = Trace(
    name="pytest_report",
    starts=TITLE,
    parse=parse,
    order=8,
    marks=("_ ",),
    samples=(
        TraceSample(
            "_______________ test_sum _______________\n\n    def test_sum():\n>       assert add(1, 1) == 3\n"
            "E       assert 2 == 3\n"
            "E        +  where 2 = add(1, 1)\n\ntests/test_sum.py:4: AssertionError\n"
            "=============== short test summary info ===============\n"
            "FAILED tests/test_sum.py::test_sum - assert 2 == 3\n"
            "=============== 1 failed in 0.02s ===============",
            (("test", "AssertionError", "assert 2 == 3\n +  where 2 = add(1, 1)", 5),),
        ),
        TraceSample(
            "_______________ test_a[x] _______________\ntests/test_a.py:4: in test_a\n    row(1)\n"
            "src/rows.py:9: in row\n"
            "    return ROWS[n]\nE   KeyError: 1\n\n"
            "During handling of the above exception, another exception occurred:\n"
            "tests/test_a.py:6: in test_a\n    stop()\nE   app.Stopped: no row\n"
            "=============== 1 failed in 1s ===============",
            (("test", "KeyError", "1", 6), ("test", "app.Stopped", "no row", 11)),
        ),
        TraceSample(
            "_____________ ERROR collecting tests/test_b.py _____________\n"
            "ImportError while importing test module '/srv/tests/test_b.py'.\n"
            "Hint: make sure your test modules/packages have valid Python names.\nTraceback:\n"
            "tests/test_b.py:1: in <module>\n"
            "    import rows\nE   ModuleNotFoundError: No module named 'rows'",
            (("test", "ModuleNotFoundError", "No module named 'rows'", 7),
             ("test", None, "ImportError while importing test module '/srv/tests/test_b.py'.", 2)),
        ),
    ),
    strangers=("____ notes ____", "_ a _", f"E   {SUMMARY}", "x_ y"),
)  # fmt: skip
