"""Django's error page as text: class and path, message, request, traceback, and all again at the end.

Source of the format: django/views/templates/technical_500.txt and the copy-and-paste view of the HTML page.
"""

import re
from dataclasses import dataclass, field, replace

from kb.model.event import Event, Frame, Line, Link
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._python import closed, event_at, frame

_TITLE = re.compile(r"^(?P<cls>(?:[A-Za-z_]\w*\.)*[A-Z]\w+) at (?P<path>/\S*)\s*$")
_REQUEST = re.compile(r"^Request (?:Method|URL): ")
_HEADER = re.compile(r"^Traceback(?: \(most recent call last\))?:\s*$")
_CALL = re.compile(r'^\s*File "(?P<file>[^"]+)"(?:, line (?P<line>\d+),)? in (?P<function>\S.*)$')
_SOURCE = re.compile(r"^\s+(?P<line>\d+)\. (?P<code>.*)$")
_CHAIN = re.compile(
    r"^(?:The above exception \((?P<direct>.*)\) was the direct cause of the following exception:"
    r"|During handling of the above exception \((?P<context>.*)\), another exception occurred:)\s*$"
)
_TYPE = re.compile(r"^Exception Type: (?P<cls>\S+)(?: at (?P<path>\S+))?\s*$")
_VALUE = re.compile(r"^Exception Value: ?(?P<message>.*)$")
_HEAD_LINES = 150
"""Lines between the request and the traceback: installed applications, middleware, a template."""


@dataclass(slots=True)
class _Page:
    """The page while it is read: one list of frames for each exception of the chain, outermost call first."""

    numbers: list[int] = field(default_factory=list)
    stacks: list[list[Frame]] = field(default_factory=lambda: [[]])
    markers: list[tuple[Line, str, str]] = field(default_factory=list)  # line, relation, message
    cls: str = ""
    message: str = ""
    line: Line | None = None


def parse(cursor: Cursor) -> list[Event]:
    """The exceptions of the page here; nothing where no request follows the title."""
    title = cursor.line
    page = _Page()
    if title is None or not _read_title(cursor, page) or not _skip_to_traceback(cursor, page):
        return []
    while (line := cursor.line) is not None and _take(page, line):
        if line.text.strip():
            page.numbers.append(cursor.claim().number)
        else:
            cursor.skip()
    return _events(page) if page.line is not None else []


def _read_title(cursor: Cursor, page: _Page) -> bool:
    """Claim title and message when the request follows them; the page may also begin with the request."""
    line = cursor.line
    if line is not None and (title := _TITLE.match(line.text)):
        page.cls = title["cls"]
        page.numbers.append(cursor.claim().number)
        parts: list[str] = []
        while (
            (line := cursor.line) is not None
            and line.text.strip()
            and not _REQUEST.match(line.text)
            and len(parts) < _HEAD_LINES
        ):
            page.line = page.line or line
            parts.append(line.text.rstrip())
            page.numbers.append(cursor.claim().number)
        page.message = "\n".join(parts)
        while cursor.line is not None and not cursor.line.text.strip():
            cursor.skip()
    return cursor.line is not None and _REQUEST.match(cursor.line.text) is not None


def _skip_to_traceback(cursor: Cursor, page: _Page) -> bool:
    for _ in range(_HEAD_LINES):
        line = cursor.line
        if line is None:
            break
        if _HEADER.match(line.text.strip()):
            page.numbers.append(cursor.claim().number)
            return True
        cursor.skip()
    return page.line is not None


def _take(page: _Page, line: Line) -> bool:
    """Read one line of the traceback; False where it does not belong to the page any more."""
    text = line.text
    if not text.strip():
        return True
    stack = page.stacks[-1]
    if found := _CALL.match(text):
        stack.append(frame(found["file"], int(found["line"]) if found["line"] else None, found["function"].strip()))
    elif found := _CHAIN.match(text.strip()):
        relation = "direct" if found["direct"] is not None else "context"
        page.markers.append((line, relation, found["direct"] or found["context"] or ""))
        page.stacks.append([])
    elif found := _TYPE.match(text):
        page.cls = found["cls"]
    elif found := _VALUE.match(text):
        page.line, page.message = page.line or line, page.message or found["message"].strip()
    elif text[0] in " \t" and stack:
        source = _SOURCE.match(text)
        number = int(source["line"]) if source else None
        code = (source["code"] if source else text).strip(" ^")
        stack[-1] = replace(stack[-1], line=stack[-1].line or number, code=stack[-1].code or code or None)
    else:
        return text.startswith(("Raised during: ", "Raised by: "))
    return True


def _events(page: _Page) -> list[Event]:
    """The chain of the page. A cause with the message of the last exception is that exception: it was only passed on.
    """
    assert page.line is not None
    last = event_at(page.line, page.message, page.cls or None)
    causes = [
        (line, relation, said, stack) for (line, relation, said), stack in zip(page.markers, page.stacks, strict=False)
    ]
    frames = page.stacks[-1]
    events: list[Event] = []
    for line, relation, said, stack in causes:
        if said == page.message:
            frames = [*frames, *stack]
            continue
        cause = replace(event_at(line, said, None), frames=tuple(reversed(stack)))
        events.append(closed(cause, (line.number,)))
        page.numbers.remove(line.number)
        last = replace(last, causes=(Link(line.number, "direct" if relation == "direct" else "context"),))
    return [*events, closed(replace(last, frames=tuple(reversed(frames))), tuple(page.numbers))]


TRACE = Trace(
    name="django_debug",
    starts=rf"{_TITLE.pattern}|^Request Method: [A-Z]+\s*$".replace("(?P<cls>", "(?:").replace("(?P<path>", "(?:"),
    parse=parse,
    order=9,
    marks=(" at /", "Request Method: "),
    samples=(
        TraceSample(
            "KeyError at /shop/7\n'price'\n\nRequest Method: GET\nRequest URL: http://localhost/shop/7\n\nTraceback:\n\n"
            'File "/srv/shop/views.py" in show\n  31.     return table[key]\n\n'
            "Exception Type: KeyError at /shop/7\nException Value: 'price'",
            (("exception", "KeyError", "'price'", 2),),
        ),
    ),
    strangers=("Looking at /usr/lib", "Request Method: GET", "Meeting at /noon\nwe talk"),
)  # fmt: skip
