"""Python tracebacks: plain, chained in both ways, with carets, with several source lines a frame, groups, cut at either end.

Source of the format: CPython's `traceback` module, 3.8 to 3.14.
"""

import re
from dataclasses import dataclass, field, replace

from kb.model.event import Event, Frame, Line, Link, Relation
from kb.traces import PATIENCE, Cursor, Trace, TraceSample
from kb.traces._message import take_message

HEADER = re.compile(r"Traceback \(most recent call last\):\s*$")
FRAME = re.compile(r'^\s*File "(?P<file>.+?)", line (?P<line>\d+)(?:, in (?P<function>.+?))?\s*$')
EXCEPTION = re.compile(r"^(?P<cls>(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:\([\w.]+\))?)(?::(?: (?P<message>.*)|\s*)|\s*)$")
_CLASS = re.compile(r"(?:^|\.)_?[A-Z]\w*(?:\([\w.]+\))?$|(?:error|exception|timeout|warning|exit|interrupt|herror|gaierror)$")
_SURE_CLASS = re.compile(
    r"(?:Error|Exception|Warning|Exit|Interrupt|Timeout|Failure|Fault|Group|Iteration|Abort\w*|Killed|Died|NotFound|Denied|Refused)"
    r"(?:\([\w.]+\))?$|\w\.[A-Z]\w*(?:\([\w.]+\))?$|(?:error|exception|timeout)$"
)
_CARETS = re.compile(r"^\s*[~^]+[~^\s]*$")
_REPEATED = re.compile(r"^\s*\[Previous line repeated \d+ more times?\]")
_CHAIN: dict[str, Relation] = {
    "The above exception was the direct cause of the following exception": "direct",
    "During handling of the above exception, another exception occurred": "context",
}
_RUNTIME = re.compile(r"^<(?:frozen|__array_function__)")


@dataclass(slots=True)
class _Draft:
    """An exception while its lines are read."""

    header: str = ""
    first: int = 0
    frames: list[Frame] = field(default_factory=list)
    frame_line: Line | None = None
    indent: int = 0  # of the frame lines
    foreign: int = 0


def parse(cursor: Cursor) -> list[Event]:
    """The exceptions of one chain, in the order in which they are printed."""
    events: list[Event] = []
    relation: Relation | None = None
    while True:
        before = len(cursor.claimed)
        event = _one(cursor)
        if event is None:
            return events
        numbers = cursor.numbers[before:]
        cause = (Link(events[-1].line, relation),) if events and relation else ()
        events.append(replace(event, causes=cause, claimed=numbers, span=(min(numbers), max(numbers))))
        relation = _next_of_chain(cursor) if event.complete else None
        if relation is None:
            return events


def _one(cursor: Cursor) -> Event | None:
    """One exception with its frames, or None where the lines turn out to be something else."""
    line = cursor.line
    if line is None:
        return None
    draft = _Draft(first=line.number)
    if found := HEADER.search(line.text):
        draft.header = line.text[: found.start()].strip()
        draft.indent = (found.start() if not draft.header else 0) + 2
        cursor.claim()
    elif not FRAME.match(line.text):
        return None
    while (here := cursor.line) is not None and draft.foreign <= PATIENCE:
        if (done := _step(cursor, here, draft)) is not None:
            return done or _cut(draft, line)
    return _cut(draft, line)


def _step(cursor: Cursor, line: Line, draft: _Draft) -> Event | bool | None:
    """Read one line: the finished event, False when the traceback ends here without a message, None to go on."""
    text, home = line.text, draft.frame_line is None or line.formats == draft.frame_line.formats
    if home and (found := FRAME.match(text)):
        draft.frames.append(Frame(found["file"], int(found["line"]), found["function"], runtime=bool(_RUNTIME.match(found["file"]))))
        draft.frame_line, draft.indent, draft.foreign = line, len(text) - len(text.lstrip()), 0
        cursor.claim()
    elif home and _is_source(text, draft):
        _add_source(draft, text)
        draft.foreign = 0
        cursor.claim()
    elif home and (found := _exception(text, draft)):
        return _finish(cursor, line, found, draft)
    elif home and HEADER.search(text):
        return False
    elif not text.strip() and draft.frames and draft.foreign == 0 and line.number == (draft.frame_line or line).number + 1:
        draft.foreign += 1
        cursor.skip()
    else:
        draft.foreign += 1
        cursor.skip()
    return None


def _is_source(text: str, draft: _Draft) -> bool:
    """Whether a line shows source code, marks under it, or the note on repeated frames."""
    if not draft.frames or not text.strip():
        return False
    deeper = len(text) - len(text.lstrip()) > draft.indent
    if _CARETS.match(text) or _REPEATED.match(text) or deeper:
        return True
    mangled = draft.indent == 0 and draft.frames[-1].code is None  # a paste that lost its indentation
    return mangled and _exception(text, draft) is None and not HEADER.search(text) and not FRAME.match(text)


def _add_source(draft: _Draft, text: str) -> None:
    if not _CARETS.match(text) and not _REPEATED.match(text) and draft.frames[-1].code is None:
        draft.frames[-1] = replace(draft.frames[-1], code=text.strip())


def _exception(text: str, draft: _Draft) -> re.Match[str] | None:
    """The line that names the exception: at the header's column or left of it, and a class name."""
    found = EXCEPTION.match(text.strip())
    if found is None or len(text) - len(text.lstrip()) > max(draft.indent - 2, 0):
        return None
    name, said = found["cls"], ":" in text
    sure = _SURE_CLASS.search(name) is not None
    if draft.foreign or not said:
        return found if sure else None
    return found if sure or _CLASS.search(name) else None


def _finish(cursor: Cursor, line: Line, found: re.Match[str], draft: _Draft) -> Event:
    cursor.claim()
    message = take_message(cursor, line, found["message"] or "")
    return _event(draft, line, message, found["cls"], complete=True)


def _cut(draft: _Draft, line: Line) -> Event | None:
    """A traceback without its message: the log is cut. A lone frame line or header says nothing."""
    if not draft.frames:
        return None
    return _event(draft, line, draft.header.rstrip(": "), None, complete=False)


def _event(draft: _Draft, line: Line, message: str, cls: str | None, *, complete: bool) -> Event:
    return Event(
        "exception", message, line.number, (draft.first, line.number), cls, "python", line.file, line.stream, line.rank, line.level,
        line.time, line.pid, tuple(reversed(draft.frames)), complete=complete, header=draft.header,
    )  # fmt: skip


def _next_of_chain(cursor: Cursor) -> Relation | None:
    """The relation to the next exception when a chain marker follows; the marker is claimed, the cursor stands on the next header."""
    start, claimed = cursor.at, len(cursor.claimed)
    relation: Relation | None = None
    passed = 0
    while (line := cursor.line) is not None and passed <= PATIENCE:
        text = line.text.strip()
        if relation and (HEADER.search(text) or FRAME.match(line.text)):
            return relation
        marker = next((kind for words, kind in _CHAIN.items() if text.strip("()").startswith(words)), None)
        if marker and relation is None:
            relation = marker
            cursor.claim()
        elif not text:
            cursor.skip()
        elif HEADER.search(text) or relation is None and cursor.begins_event(line):
            break
        else:
            passed += 1
            cursor.skip()
    cursor.at = start
    del cursor.claimed[claimed:]
    return None


TRACE = Trace(
    name="python",
    starts=r'Traceback \(most recent call last\):\s*$|^\s*File ".+?", line \d+',
    parse=parse,
    order=20,
    marks=("Traceback (most recent call last)", 'File "'),
    samples=(
        TraceSample(
            'Traceback (most recent call last):\n  File "/srv/run.py", line 9, in main\n    step(batch)\n    ~~~~^^^^^^^\n'
            '  File "/srv/run.py", line 4, in step\n    raise ValueError("no rows")\nValueError: no rows',
            (("exception", "ValueError", "no rows", 7),),
        ),
        TraceSample(
            'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x[1]\nKeyError: 1\n\n'
            "The above exception was the direct cause of the following exception:\n\n"
            'Traceback (most recent call last):\n  File "a.py", line 3, in g\n    f()\napp.LookupFailure: no entry',
            (("exception", "KeyError", "1", 4), ("exception", "app.LookupFailure", "no entry", 11)),
        ),
        TraceSample('  File "a.py", line 3\n    f(\n     ^\nSyntaxError: \'(\' was never closed',
                    (("exception", "SyntaxError", "'(' was never closed", 4),)),
        TraceSample('Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x()', (("exception", None, "", 1),)),
    ),
    strangers=('He wrote: File "notes.txt" is gone', "see Traceback (most recent call last): in the manual"),
)  # fmt: skip
