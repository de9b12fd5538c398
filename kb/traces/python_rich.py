"""Tracebacks in boxes, as rich prints them: round, square and ASCII boxes, panels of locals, panels of sub-exceptions.

Source of the format: `rich.traceback` and `rich.box`. Paths, messages and long words are wrapped at the width of the
console.
"""

import re
from dataclasses import dataclass, field, replace

from kb.model.event import Event, Frame, Line, Link
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._chain import Found, Reader, parse_chain
from kb.traces._message import adjoins
from kb.traces._python import closed, event_at, frame, named, relation_of

_BAR = "│|┃"
_TOP = re.compile(r"^[╭┌+┏][─━-]+ Traceback \(most recent call last\) [─━-]*(?:[╮┐+┓]|$)")
_PANEL = re.compile(r"^[╭┌+┏][─━-]+ Sub-exception #\d+ [─━-]*(?:[╮┐+┓]|$)")
_EDGE = re.compile(r"^[╭┌+┏╰└┗][─━-]{4}")
_BOTTOM = re.compile(r"^(?:[╰└┗][─━-]+|\+-{20,})[╯┘┛+]?\s*$")
_SOURCE = re.compile(r"^\s*(?:(?P<arrow>[❱>] )\s*)?\d+(?: (?P<code>.*)|)$")
_PLAIN_BOX = re.compile(r"^(?:[╭┌┏][─━]{8,}[╮┐┓]|\+-{8,}\+)\s*$")
_CALL = re.compile(r"^(?P<file>\S.*?):(?P<line>\d+) in (?P<function>\S.*)$")
_NAKED = re.compile(r"^in (?P<function>\S.*):(?P<line>\d+)$")
_GROUP = re.compile(r"Group: .*\(\d+ sub-exceptions?\)\s*$")
_DEEPEST = 100
"""Boxes around a box."""
_LINES = 3000
"""Lines that one box may have: every frame takes seven, and its locals more."""
_MESSAGE = 60
"""Lines that a wrapped message may have."""


@dataclass(slots=True)
class _Reading:
    """A box while it is read: how many bars stand left of it, and how many columns its text has."""

    cursor: Cursor
    depth: int
    width: int
    frames: list[Frame] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    path: str = ""
    syntax: bool = False  # in the second box of a syntax error
    full: bool = False  # the part of the path before this one took the whole width
    open: bool = False  # the last call's name may go on in the next line


def read(cursor: Cursor) -> Found | None:
    """The exception of the box here, and those of its sub-exceptions."""
    line = cursor.line
    if line is None:
        return None
    depth = _bars(line.text)
    if depth > _DEEPEST:
        return None
    text = _within(line.text, depth)
    reading = _Reading(cursor, depth, len(text.rstrip()))
    if _TOP.match(text):
        reading.numbers.append(cursor.claim().number)
        _read_box(reading)
    elif not _GROUP.search(text):
        return None
    event = _message(reading, line)
    if event is None:
        return None
    return _members(cursor, event, depth) if _GROUP.search(f"{event.cls}: {event.message}") else Found((event,), event)


def _bars(text: str) -> int:
    """The bars before the first other character."""
    stripped = text.lstrip(f" {_BAR}")
    return sum(text[: len(text) - len(stripped)].count(bar) for bar in _BAR)


def _within(text: str, depth: int) -> str:
    """A line without the bars of `depth` boxes on both sides."""
    text = text.strip()
    for _ in range(depth):
        if text[:1] in _BAR and text:
            text = text[1:].removeprefix(" ")
        if text[-1:] in _BAR and text:
            text = text[:-1].removesuffix(" ")
    return text if depth else text.strip()


def _read_box(reading: _Reading) -> None:
    """The frames of a box up to its bottom."""
    cursor, inner = reading.cursor, 0
    for _ in range(_LINES):
        line = cursor.line
        if line is None or _bars(line.text) < reading.depth:
            return
        text = _within(line.text, reading.depth)
        if (_BOTTOM.match(text.strip()) and not _PLAIN_BOX.match(text.strip())) or _is_ascii_end(reading, text):
            reading.numbers.append(cursor.claim().number)
            if cursor.line is None or not _PLAIN_BOX.match(_within(cursor.line.text, reading.depth).strip()):
                return  # a second box without title shows the source of a syntax error
            reading.numbers.append(cursor.claim().number)
            reading.syntax = True
            continue
        if text[:1] not in _BAR:
            return
        reading.numbers.append(cursor.claim().number)
        content = _within(text, 1)
        if _EDGE.match(content.strip()):
            inner += -1 if _BOTTOM.match(content.strip()) else 1
        elif inner <= 0 and not reading.syntax:
            _take(reading, content, reading.width - 4)


def _is_ascii_end(reading: _Reading, text: str) -> bool:
    """Whether a line of dashes closes an ASCII box: its top and its bottom look alike."""
    return text.startswith("+") and _PLAIN_BOX.match(text.strip()) is not None


def _take(reading: _Reading, content: str, width: int) -> None:
    """One line of a box: a source line, or a part of `path:line in function`."""
    if found := _SOURCE.match(content):
        if found["arrow"] and reading.frames:
            code = (found["code"] or "").replace("│", " ").strip(" |")
            reading.frames[-1] = replace(reading.frames[-1], code=code or None)
        reading.path, reading.full, reading.open = "", False, False
    elif not content.strip():
        reading.path, reading.full, reading.open = "", False, False
    else:
        reading.path += ("" if reading.full or not reading.path else " ") + content.strip()
        reading.full = len(content.rstrip()) >= width
        called = _called(reading.path)
        if called is None:
            return
        if reading.open:  # the name went on in this line
            reading.frames.pop()
        reading.frames.append(called)
        reading.open = reading.full
        reading.path = reading.path if reading.full else ""


def _called(text: str) -> Frame | None:
    if found := _CALL.match(text):
        return frame(found["file"], int(found["line"]), found["function"].strip())
    if found := _NAKED.match(text):
        return frame("", int(found["line"]), found["function"].strip())
    return None


def _message(reading: _Reading, first: Line) -> Event | None:
    """The exception that stands under the box; without its message where the log ends."""
    cursor = reading.cursor
    while (line := cursor.line) is not None and not _within(line.text, reading.depth).strip():
        if line.number > first.number + _LINES or _bars(line.text) != reading.depth:
            break
        cursor.skip()
    frames = tuple(reversed(reading.frames))
    line = cursor.line
    found = named(_within(line.text, reading.depth).strip()) if line is not None else None
    if line is None or found is None:
        if not frames:
            return None
        event = replace(event_at(first, "", None), frames=frames, complete=False)
        return closed(event, tuple(reading.numbers))
    reading.numbers.append(cursor.claim().number)
    message = _unwrap(reading, line, found.message)
    event = event_at(line, message, found.cls)
    return closed(replace(event, frames=frames) if frames else event, tuple(reading.numbers))


def _unwrap(reading: _Reading, carrier: Line, first: str) -> str:
    """The message with the lines joined that the console broke: a line goes on when the next word did not fit behind
    it.

    rich breaks between words; a console narrower than rich believed breaks every line at exactly its width.
    """
    cursor, width = reading.cursor, reading.width
    tail = carrier.text[len(carrier.text.rstrip()) :] if reading.depth == 0 else ""
    parts, last, before = [first + tail], _within(carrier.text, reading.depth), carrier
    glues: list[str] = []
    for _ in range(_MESSAGE):
        line = cursor.line
        if line is None or not adjoins(before, line) or line.formats != carrier.formats or not reading.frames:
            break
        text = _within(line.text, reading.depth)
        if not text.strip() or _bars(line.text) != reading.depth or _EDGE.match(text.strip()) or relation_of(text):
            break
        fits = len(last.rstrip()) + 1 + len(text.split(" ", 1)[0]) <= width
        if fits and (cursor.begins_event(line) or not _prose(parts[-1], text)):
            break
        glues.append("\n" if fits else "" if len(before.text) >= width and reading.depth == 0 else " ")
        parts.append(line.text if reading.depth == 0 else text.rstrip())
        last, before = text, line
        reading.numbers.append(cursor.claim().number)
    hard = " " not in glues
    message = parts[0]
    for glue, part in zip(glues, parts[1:], strict=True):
        message = (message if hard and not glue else message.rstrip()) + (glue if hard or glue else " ") + part
    return message.rstrip()


def _prose(message: str, text: str) -> bool:
    """Whether a line that the console did not break goes on with a message all the same."""
    return (
        text[0] in " \t"
        or message.endswith((":", ","))
        or re.match(r"[A-Z][\w']*(?: [\w'`.,()-]+){5,}", text) is not None
    )


def _members(cursor: Cursor, group: Event, depth: int) -> Found:
    """The members of a group: each stands in a panel of its own."""
    events: list[Event] = []
    links: list[Link] = []
    while (line := cursor.line) is not None:
        text = _within(line.text, depth)
        if not text.strip():
            cursor.skip()
        elif _PANEL.match(text):
            cursor.claim()
            found = _panel(cursor, depth)
            events += found
            inner = next((each for each in found if (each.cls or "").endswith("Group")), found[-1] if found else None)
            links += [Link(inner.line, "member")] if inner is not None else []
        else:
            break
    group = replace(group, causes=tuple(links)) if links else group
    return Found((group, *events), group)


def _panel(cursor: Cursor, depth: int) -> list[Event]:
    """The exceptions in one panel; its edge is claimed."""
    events: list[Event] = []
    for _ in range(_LINES):
        line = cursor.line
        if line is None or _bars(line.text) < depth:
            break
        text = _within(line.text, depth)
        if _BOTTOM.match(text.strip()):
            cursor.claim()
            break
        if text[:1] not in _BAR:
            break
        content, at = _within(text, 1).strip(), cursor.at
        if _TOP.match(content) or _GROUP.search(content):
            events += parse_chain(cursor)
        elif content and (found := named(content)) and found.sure:
            cursor.claim()
            events.append(closed(event_at(line, found.message, found.cls), (line.number,)))
        if cursor.at == at:
            cursor.skip()
    return events


def parse(cursor: Cursor) -> list[Event]:
    """The boxed exceptions here; a group's line alone counts only where panels follow."""
    line = cursor.line
    events = parse_chain(cursor)
    return events if len(events) > 1 or line is None or not _GROUP.search(line.text) else []


_STARTS = r"[╭┌+┏][─━-]+ Traceback \(most recent call last\) [─━-]|Group: .*\(\d+ sub-exceptions?\)[\s│|]*$"
READER = Reader(re.compile(_STARTS), read, order=40)

TRACE = Trace(
    name="python_rich",
    starts=_STARTS,
    parse=parse,
    order=14,
    marks=("─ Traceback (most recent call last) ", "- Traceback (most recent call last) ",
           "━ Traceback (most recent call last) ", "sub-exception"),
    samples=(
        TraceSample(
            "╭──── Traceback (most recent call last) ────╮\n"
            "│ /srv/app/a_rather_long_directory_name/ma │\n│ in.py:4 in                               │\n"
            "│ run_all                                  │\n│                                          │\n"
            "│   3 │   x = 1                            │\n│ ❱ 4 │   go(x)                              │\n"
            "│ ╭─ locals ─╮                             │\n│ │ x = 1    │                             │\n"
            "│ ╰──────────╯                             │\n╰───────────────────────────────────────────╯\n"
            "ValueError: the number is far too large",
            (("exception", "ValueError", "the number is far too large", 12),),
        ),
        TraceSample(
            "+---- Traceback (most recent call last) ----+\n| /srv/app/main.py:4 in run                 |\n"
            "|   3 |   x = 1                             |\n| > 4 |   go(x)                               |\n"
            "+-------------------------------------------+\nValueError: bad",
            (("exception", "ValueError", "bad", 6),),
        ),
        TraceSample(
            "ExceptionGroup: jobs (1 sub-exception)\n\n╭──── Sub-exception #1 ─────────────────────────╮\n"
            "│ ╭─── Traceback (most recent call last) ───╮   │\n│ │ /srv/app/job.py:7 in job                │   │\n"
            "│ │ ❱ 7 │   raise KeyError('k')             │   │\n│ ╰─────────────────────────────────────────╯   │\n"
            "│ KeyError: 'k'                                 │\n╰───────────────────────────────────────────────╯",
            (("exception", "ExceptionGroup", "jobs (1 sub-exception)", 1), ("exception", "KeyError", "'k'", 8)),
        ),
    ),
    strangers=("╭── notes ──╮", "│ Traceback │", "+---- Traceback ----+"),
)  # fmt: skip
