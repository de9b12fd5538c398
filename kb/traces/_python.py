"""What all forms of Python tracebacks share: frames, the line that names the exception, the words of a chain.

Source of the formats: CPython's `traceback` module, 3.8 to 3.14.
"""

import re
from dataclasses import dataclass, replace

from kb.model.event import Event, Frame, Kind, Line, Relation
from kb.traces import Cursor

HEADER = re.compile(r"Traceback \(most recent call last\):\s*$")
FRAME = re.compile(
    r'^\s*(?:> ?)?File (?P<q>["\'])(?P<file>(?:(?!(?P=q)).)+)(?P=q), line (?P<line>\d+)(?:, in (?P<function>\S.*)'
    r'|,)?\s*$'
)
CELL = re.compile(r"^\s*(?P<file>(?:Cell|Input) In ?\[\d+\]), line (?P<line>\d+)\s*$")
EXCEPTION = re.compile(
    r"^(?P<cls>(?:[A-Za-z_<][\w<>]*\.)*[A-Za-z_]\w*(?:\([\w.]+\))?)(?::(?: (?P<message>.*)|\s*)|\s*)$", re.DOTALL
)
_CLASS = re.compile(
    r"(?:^|\.)_?[A-Z]\w*(?:\([\w.]+\))?$|(?:error|exception|timeout|warning|exit|interrupt|herror|gaierror)$"
)
_SURE_CLASS = re.compile(
    r"(?:Error|Exception|Warning|Exit|Interrupt|Timeout|Failure|Fault|Group|Iteration|Abort\w*|Killed|Died|NotFound"
    r"|Denied|Refused|Cancelled)(?:\([\w.]+\))?$|[\w>]\.[A-Z]\w*(?:\([\w.]+\))?$|(?:error|exception|timeout)$"
)
_DIRECT = re.compile(r"^\(?The above exception(?: \(.*\))? was the direct cause of the following\b")
_CONTEXT = re.compile(r"^\(?During handling of the above exception(?: \(.*\))?, another\b")
_RUNTIME = re.compile(r"^<(?:frozen |__array_function__)")


@dataclass(frozen=True, slots=True)
class Named:
    """A line that names an exception: the class as printed, and the first line of the message."""

    cls: str
    message: str
    sure: bool  # the name can hardly be anything else than an exception's


def named(text: str) -> Named | None:
    """The exception that a line names, wherever it is indented; None for any other line."""
    stripped = text.lstrip()
    found = EXCEPTION.match(stripped)
    if found is None or not _CLASS.search(found["cls"]):
        return None
    bare = found["cls"].islower() and "." not in found["cls"]  # `error: …` is what a compiler says, too
    sure = not bare and _SURE_CLASS.search(found["cls"]) is not None
    return Named(found["cls"], found["message"] or "", sure) if sure or ":" in stripped else None


def frame_of(text: str) -> Frame | None:
    """The call that a line `File "…", line N, in f` shows, or IPython's place of a syntax error."""
    if cell := CELL.match(text):
        return frame(cell["file"], int(cell["line"]), None)
    found = FRAME.match(text)
    return frame(found["file"], int(found["line"]), (found["function"] or "").rstrip() or None) if found else None


def frame(file: str, line: int | None, function: str | None, code: str | None = None) -> Frame:
    """A call; those of the import machinery count as runtime."""
    return Frame(file, line, function, code, runtime=_RUNTIME.match(file) is not None)


def relation_of(text: str) -> Relation | None:
    """How the exception before is related to the next one, where a line says it."""
    stripped = text.strip().lstrip("|│ ")
    if _DIRECT.match(stripped):
        return "direct"
    return "context" if _CONTEXT.match(stripped) else None


def indent_of(text: str) -> int:
    """Blanks before the first character."""
    return len(text) - len(text.lstrip())


def event_at(
    line: Line, message: str, cls: str | None, kind: Kind = "exception", language: str | None = "python"
) -> Event:
    """An event whose message stands on a line; frames, span and claimed lines are still to come."""
    span = (line.number, line.number)
    return Event(kind, message, line.number, span, cls, language, line.file, line.stream, line.rank, line.level,
                 line.time, line.pid)  # fmt: skip


def closed(event: Event, numbers: tuple[int, ...]) -> Event:
    """The event with the lines that it used."""
    return replace(event, claimed=numbers, span=(min(numbers), max(numbers))) if numbers else event


def rewind(cursor: Cursor, at: int, claimed: int) -> None:
    """Put a cursor back to an earlier place: what was claimed since is free again."""
    cursor.at = at
    del cursor.claimed[claimed:]
