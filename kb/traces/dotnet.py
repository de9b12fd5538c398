"""Exceptions of .NET: message, inner exceptions after ` ---> `, frames `at … in FILE:line N`.

Source of the format: System.Exception.ToString and the runtime's report of unhandled exceptions.
"""

import re
from dataclasses import replace

from kb.model.event import Event, Frame, Line, Link
from kb.settings import MESSAGE_CHARS
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import give_back, take_frames, told

_CLASS = r"(?<![\w.`])(?:[A-Z_]\w*\.)+[A-Z_][\w`+]*(?:\[[^\]]*\])?"
_HEAD = re.compile(
    rf"^(?P<before>.*?(?:Unhandled exception[.:] |Unhandled Exception: |fail: \S+ |: )?)"
    rf"(?P<cls>{_CLASS}(?:(?<=Exception)|(?<=Error)|(?<=Fault))|(?<=nhandled exception. )[A-Z]\w*)(?:"
    rf" \((?:0x)?[0-9A-Fa-f]+\))?: ?(?P<message>.*)$"
)
_INNER = re.compile(
    rf"^\s*---> (?:\(Inner Exception #\d+\) )?(?P<cls>{_CLASS})(?: \((?:0x)?[0-9A-Fa-f]+\))?: ?(?P<message>.*)$"
)
_FRAME = re.compile(
    r"^\s*(?:at|à|bei|en|в|在) (?P<name>[^\s(][^(]*)\((?P<args>[^)]*)\)(?: in (?P<file>.+?):(?:line|ligne|Zeile|строка"
    r"|行号) ?(?P<line>\d+))?\s*$"
)
_BETWEEN = re.compile(r"^\s*--- End of (?:inner exception stack trace|stack trace from previous location)")
_RUNTIME = re.compile(
    r"^System\.(?:Runtime\.(?:ExceptionServices|CompilerServices)|ThrowHelper|Threading\.Tasks\.Task\.(?:Throw|Wait))"
    r"|^System\.Environment\.FailFast"
)
_MESSAGE_LINES = 40
_DEPTH = 20
"""Inner exceptions that one may have."""


def parse(cursor: Cursor) -> list[Event]:
    """The exceptions of one chain, the innermost first; nothing where neither a frame nor an inner exception
    follows."""
    line = cursor.line
    if line is None or (found := _HEAD.match(line.text)) is None:
        return []
    heads = [(line, found["cls"], [found["message"]], len(cursor.claimed))]
    cursor.claim()
    _rest(cursor, line, heads[-1][2])
    while len(heads) <= _DEPTH and (inner := cursor.line) is not None and (found := _INNER.match(inner.text)):
        heads.append((inner, found["cls"], [found["message"]], len(cursor.claimed)))
        cursor.claim()
        _rest(cursor, inner, heads[-1][2])
    ends = [*(start for *_, start in heads[1:]), len(cursor.claimed)]
    numbers = cursor.numbers
    events: list[Event] = []
    for (head, cls, parts, start), end in zip(reversed(heads), reversed(ends), strict=True):
        before = len(cursor.claimed)
        frames = take_frames(cursor, read_frame)
        if (mark := cursor.line) is not None and frames and _BETWEEN.match(mark.text):
            cursor.claim()
        own = (*numbers[start:end], *cursor.since(before))
        causes = (Link(events[-1].line, "direct"),) if events else ()
        events.append(_event(head, cls, parts, frames, own, causes))
    sure = len(events) > 1 or events[0].frames or "nhandled" in line.text
    return [*events[:-1], replace(events[-1], header=_header(line))] if sure else []


def _event(
    head: Line, cls: str, parts: list[str], frames: tuple[Frame, ...], own: tuple[int, ...], causes: tuple[Link, ...]
) -> Event:
    message = "\n".join(parts).rstrip()[:MESSAGE_CHARS]
    return told(head, "exception", message, cls, language="dotnet", frames=frames, claimed=own, causes=causes)


def _header(line: Line) -> str:
    found = _HEAD.match(line.text)
    return found["before"].strip(" :.") if found else ""


def _rest(cursor: Cursor, head: Line, parts: list[str]) -> None:
    """Add the further lines of a message when a frame or an inner exception ends them."""
    at, count, more = cursor.at, len(cursor.claimed), list[str]()
    while len(more) <= _MESSAGE_LINES and (line := cursor.line) is not None:
        if read_frame(line.text) or _INNER.match(line.text):
            parts += more
            return
        if (line.formats and line.formats != head.formats) or (line.text.strip() and cursor.begins_event(line)):
            break
        cursor.claim()
        more.append(line.text.rstrip())
    give_back(cursor, at, count)


def read_frame(text: str) -> Frame | None:
    """The frame of a line `at Namespace.Class.Method(args) in FILE:line N`, None for any other line."""
    found = _FRAME.match(text)
    if found is None or "." not in found["name"]:
        return None
    place = found["file"] or "<unknown>"
    return Frame(
        place, int(found["line"]) if found["line"] else None, found["name"], runtime=bool(_RUNTIME.match(found["name"]))
    )


TRACE = Trace(
    name="dotnet",
    starts=_HEAD.pattern.replace("(?P<cls>", "(?:").replace("(?P<message>", "(?:").replace("(?P<before>", "(?:"),
    parse=parse,
    order=34,
    marks=("Exception: ", "Exception (", "Error: ", "Fault: "),
    samples=(
        TraceSample(
            "Unhandled exception. Tide.PierException: no berth\n ---> System.IO.IOException: disk full\n   at"
            " Tide.Store.Open(String path)\n"
            "   --- End of inner exception stack trace ---\n   at Tide.Boat.Moor() in /src/Boat.cs:line 12\n   at"
            " Tide.Program.Main(String[] args)",
            (
                ("exception", "System.IO.IOException", "disk full", 2),
                ("exception", "Tide.PierException", "no berth", 1),
            ),
        ),
        TraceSample(
            "System.ArgumentException: two parts\n(Parameter 'x')\n   at Tide.Boat.Moor(Int32 x) in"
            " C:\\src\\Boat.cs:line 3",
            (("exception", "System.ArgumentException", "two parts\n(Parameter 'x')", 1),),
        ),
    ),
    strangers=("see System.Exception in the manual", "Tide.PierException is documented"),
)
