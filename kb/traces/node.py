"""JavaScript errors of Node.js, Deno, Bun and browsers: source and caret, message, frames, and the tail of properties.

Source of the format: V8's stack trace API and Node's `lib/internal/process/promises.js` and
`lib/internal/util/inspect.js`."""

import re

from kb.model.event import Event, Frame, Line, Link
from kb.settings import MESSAGE_CHARS
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._message import take_message
from kb.traces._told import give_back, take_frames, told

_PLACE = re.compile(
    r"^(?P<file>(?:file://|node:|[A-Za-z]:\\|/|\.{0,2}/)?[^\s:()]+(?:\.(?:[cm]?[jt]sx?|vue|svelte)|node:[\w/]+)"
    r"|node:[\w/]+):(?P<line>\d+)$"
)
_FRAME = re.compile(
    r"^\s*at (?:async )?(?:(?P<function>\S[^()]*(?:\([^()]*\)[^()]*)?) \()?(?P<file>(?:file://|node:|https?://"
    r"|webpack(?:-internal)?://)?[^\s()]+?)"
    r":(?P<line>\d+):\d+\)?(?: \{)?,?$"
)
_PLACELESS = re.compile(r"^\s*at (?:async )?(?P<function>[^()]*?)\(?(?P<file><anonymous>|native|index \d+)\)?(?: \{)?$")
_FIREFOX = re.compile(
    r"^\s*(?P<function>[\w.$<>/*\[\]]*)@(?P<file>(?:https?|file|resource|chrome"
    r"|moz-extension)://[^\s()]+?):(?P<line>\d+):\d+$"
)
_SAYS = (
    r"(?:(?:[Uu]ncaught(?: ?\(in promise\))?|UnhandledPromiseRejectionWarning:|Unhandled(?: promise)? rejection:?"
    r"|error:) )?"
)
_HEAD = re.compile(
    rf"^(?P<before>\s*(?P<link>\[(?:cause|errors)\]: )?(?:\(node:\d+\)"
    rf" )?{_SAYS}\[?)(?P<cls>(?<![\w.$])(?:[A-Z]\w*(?:Error|Exception|Rejection|Failure)|Error|DOMException))"
    r"(?: \[(?P<code>\w+)\])?(?:: (?P<message>.*)|:?\s*\]?(?: \{)?)$"
)
_REJECTED = re.compile(r"^\(node:\d+\) (?P<cls>UnhandledPromiseRejectionWarning): (?P<message>.*)$")
_VERSION = re.compile(r"^(?:Node\.js v\d|Bun v\d|Deno \d)")
_MAKERS = re.compile(
    r"(?:^|\.)_?errnoException$|^new NodeError$|__node_internal_|^genericNodeError$|captureLargerStackTrace$"
)
_EXCERPT_LINES = 12
"""Lines that the source before a message may have: place, statement, caret, blank line."""
_TAIL_LINES = 60
"""Lines that the properties behind the frames may have."""


def parse(cursor: Cursor) -> list[Event]:
    """The error that begins here, behind the errors that caused it; nothing where neither source nor frames stand
    with it."""
    line = cursor.line
    if line is None:
        return []
    place = _excerpt(cursor) if _PLACE.match(line.text.strip()) else None
    head = cursor.line
    if head is None or (_PLACE.match(line.text.strip()) and place is None):
        return []
    found = _HEAD.match(head.text)
    return _error(cursor, head, found, place) if found else _rejection(cursor)


def _error(cursor: Cursor, head: Line, found: re.Match[str], place: Frame | None) -> list[Event]:
    """The error whose class and message stand on `head`, with the errors in its tail before it."""
    before = len(cursor.claimed) if found["link"] else 0
    cursor.claim()
    parts = [found["message"] or "", *_more_message(cursor, head)]
    frames, opened = _frames(cursor)
    sure = frames or place or found["before"].strip()
    if not sure:
        return []
    opened = opened or (parts[-1].endswith("{") and not frames)
    own = list(cursor.since(before))
    inner, tail = _tail(cursor, closing=(len(head.text) - len(head.text.lstrip())) * " " + "}") if opened else ([], [])
    cause = tuple(Link(event.line, "direct") for event in inner[-1:])
    event = told(
        head,
        "exception",
        _said(parts),
        found["cls"],
        language="node",
        frames=frames or ((place,) if place else ()),
        claimed=tuple(own + tail),
        causes=cause,
    )
    return [*inner, event]


def _said(parts: list[str]) -> str:
    """The message without the brace of the properties and the bracket of an error without a stack."""
    text = "\n".join(parts).rstrip()
    return text.removesuffix("{").rstrip().removesuffix("]" if text.endswith("] {") else "")[:MESSAGE_CHARS]


def _frames(cursor: Cursor) -> tuple[tuple[Frame, ...], bool]:
    """The frames here, and whether the last of them opens an object of properties."""
    last = ""

    def read(text: str) -> Frame | None:
        nonlocal last
        found = read_frame(text) if not last.endswith("{") else None
        last = text.rstrip() if found else last
        return found

    frames = take_frames(cursor, read)
    if not last.endswith("{") and (line := cursor.line) is not None and _VERSION.match(line.text):
        cursor.claim()
    return frames, last.endswith("{")


def _tail(cursor: Cursor, closing: str) -> tuple[list[Event], list[int]]:
    """The errors among the properties up to the `closing` brace, and the numbers of the lines that hold the rest."""
    events: list[Event] = []
    numbers: list[int] = []
    for _ in range(_TAIL_LINES):
        line = cursor.line
        if line is None or (not line.text.startswith((" ", "}", "\t")) and line.text.strip()):
            break
        found = _HEAD.match(line.text)
        if found and found["link"]:
            events += _error(cursor, line, found, None)
            continue
        cursor.claim()
        numbers.append(line.number)
        if line.text.rstrip(" ,") == closing:
            break
    return events, numbers


def _excerpt(cursor: Cursor) -> Frame | None:
    """The place of a source excerpt, claimed up to the line of the message; None, and nothing claimed, when none
    follows."""
    at, count = cursor.at, len(cursor.claimed)
    first = cursor.claim()
    found = _PLACE.match(first.text.strip())
    code = None
    for _ in range(_EXCERPT_LINES):
        line = cursor.line
        if line is None:
            break
        head = _HEAD.match(line.text)
        if head and not line.text.startswith(" ") and found:
            return Frame(
                found["file"], int(found["line"]), None, code, runtime=found["file"].startswith("node:internal")
            )
        code = code or line.text.strip() or None
        cursor.claim()
    give_back(cursor, at, count)
    cursor.skip()
    return None


def _more_message(cursor: Cursor, head: Line) -> list[str]:
    """Further lines of the message, claimed, when a frame ends them."""
    at, count, parts = cursor.at, len(cursor.claimed), list[str]()
    while len(parts) <= _EXCERPT_LINES and (line := cursor.line) is not None:
        if read_frame(line.text):
            return parts
        if (line.formats and line.formats != head.formats) or cursor.begins_event(line):
            break
        cursor.claim()
        parts.append(line.text.rstrip())
    give_back(cursor, at, count)
    return []


def _rejection(cursor: Cursor) -> list[Event]:
    """Node's own words on a rejection that nobody handled."""
    line = cursor.line
    if line is None or (found := _REJECTED.match(line.text)) is None:
        return []
    cursor.claim()
    message = take_message(cursor, line, found["message"])
    return [told(line, "exception", message, found["cls"], language="node", claimed=cursor.numbers)]


def read_frame(text: str) -> Frame | None:
    """The frame of a line `at function (file:line:column)`, None for any other line."""
    if found := _FRAME.match(text):
        function = found["function"]
        runtime = bool(function and _MAKERS.search(function.split(" [")[0]))
        return Frame(
            found["file"].removeprefix("file://"),
            int(found["line"]),
            function and function.split(" [as ")[0],
            runtime=runtime,
        )
    if found := _PLACELESS.match(text):
        return Frame(found["file"], None, found["function"].strip() or None, runtime=True)
    if found := _FIREFOX.match(text):
        return Frame(found["file"].removeprefix("file://"), int(found["line"]), found["function"] or None)
    return None


TRACE = Trace(
    name="node",
    starts=rf"{_HEAD.pattern}|^\s*{_PLACE.pattern[1:]}|{_REJECTED.pattern}".replace("(?P<cls>", "(?:")
    .replace("(?P<message>", "(?:")
    .replace("(?P<line>", "(?:"),
    parse=parse,
    order=32,
    marks=("Error", "Exception", "Rejection", "ailure", ".js:", ".ts:", ".mjs:", ".cjs:", ".tsx:", ".jsx:", "node:"),
    samples=(
        TraceSample(
            "/srv/pier/boat.js:7\n    throw new RangeError('no berth');\n    ^\n\nRangeError: no berth\n"
            "    at moor (/srv/pier/boat.js:7:11)\n    at node:internal/main:3:1\n\nNode.js v20.1.0",
            (("exception", "RangeError", "no berth", 5),),
        ),
        TraceSample(
            "Error: berth is taken\n    at async moor (file:///srv/pier/boat.mjs:7:11) {\n  code: 'ETAKEN',\n "
            " [cause]: TypeError: no rope\n"
            "      at tie (/srv/pier/rope.js:2:3)\n}",
            (("exception", "TypeError", "no rope", 4), ("exception", "Error", "berth is taken", 1)),
        ),
        TraceSample(
            "Uncaught (in promise) TypeError: rope is not a function",
            (("exception", "TypeError", "rope is not a function", 1),),
        ),
        TraceSample(
            "(node:12) UnhandledPromiseRejectionWarning: Unhandled promise rejection. It was not caught.",
            (("exception", "UnhandledPromiseRejectionWarning", "Unhandled promise rejection. It was not caught.", 1),),
        ),
    ),
    strangers=("pier/boat.js:7", "Error handling is off"),
)
