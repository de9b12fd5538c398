"""Fatal errors and uncaught exceptions of PHP.

Source of the format: main/main.c and Zend/zend_exceptions.c of php-src (5.x to 8.x).
"""

import re

from kb.model.event import Event, Frame, Line
from kb.settings import MESSAGE_CHARS
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import take_frames, take_text, told

_FATAL = re.compile(
    r"(?:PHP |^)(?P<level>Fatal error|Parse error|Recoverable fatal error|Compile error|Core error):"
    r" +(?P<message>\S.*)$"
)
_UNCAUGHT = re.compile(
    r"^Uncaught (?:exception ')?(?P<cls>\\?[A-Za-z_][\w\\]*)(?:'(?: with message '(?P<old>.*?)')?|:"
    r" ?(?P<message>.*?))?$"
)
_PLACE = re.compile(r" in (?P<file>\S+?)(?::| on line )(?P<line>\d+)$")
_FRAME = re.compile(
    r"^#\d+ +(?:(?P<file>[^\s(][^(]*)\((?P<line>\d+)\)|(?P<bare>\[internal function\]|\{main\}))(?::"
    r" (?P<function>.*?)\(.*)?$"
)
_AROUND = re.compile(r"^Stack trace:$|^\s+thrown in .+ on line \d+$|^#\d+ \{main\}")
_MESSAGE_LINES = 30


def parse(cursor: Cursor) -> list[Event]:
    """The fatal error that the line here tells, or nothing."""
    line = cursor.line
    if line is None or (found := _FATAL.search(line.text)) is None:
        return []
    cursor.claim()
    uncaught = found["message"].startswith("Uncaught ")
    rest = take_text(cursor, line, lambda text: text.strip() == "Stack trace:", _MESSAGE_LINES) if uncaught else []
    text = "\n".join([found["message"].rstrip(), *rest])
    place = _PLACE.search(text)
    message = text[: place.start()] if place else text
    frames = take_frames(cursor, read_frame, _AROUND)
    cls = None
    first, _, others = message.partition("\n")
    if uncaught and (named := _UNCAUGHT.match(first)):
        cls, said = named["cls"].lstrip("\\"), named["message"] or named["old"] or ""
        message = "\n".join([said, others]) if others else said
    site = (Frame(place["file"], int(place["line"])),) if place else ()
    return [_event(line, message, cls, (*site, *frames), cursor.numbers)]


def _event(line: Line, message: str, cls: str | None, frames: tuple[Frame, ...], numbers: tuple[int, ...]) -> Event:
    kind = "exception" if cls else "error"
    return told(
        line,
        "exception" if kind == "exception" else "error",
        message[:MESSAGE_CHARS],
        cls,
        language="php",
        frames=frames,
        claimed=numbers,
    )


def read_frame(text: str) -> Frame | None:
    """The frame of a line `#0 FILE(12): function(…)`, None for any other line."""
    found = _FRAME.match(text.strip())
    if found is None or found["bare"] == "{main}":
        return None
    if found["bare"]:
        return Frame("<internal>", None, found["function"], runtime=True)
    return Frame(found["file"], int(found["line"]), found["function"])


TRACE = Trace(
    name="php",
    starts=r"(?:PHP |^)(?:Recoverable fatal|Fatal|Parse|Compile|Core) error: +\S",
    parse=parse,
    order=30,
    marks=("Fatal error: ", "Parse error: ", "fatal error: ", "Compile error: ", "Core error: "),
    samples=(
        TraceSample(
            "PHP Fatal error:  Uncaught Pier\\FullException: no berth in /srv/pier.php:12\nStack trace:\n#0"
            " /srv/run.php(3): Pier\\Boat->moor()\n"
            "#1 {main}\n  thrown in /srv/pier.php on line 12",
            (("exception", "Pier\\FullException", "no berth", 1),),
        ),
        TraceSample(
            "PHP Parse error:  syntax error, unexpected end of file in /srv/pier.php on line 3",
            (("error", None, "syntax error, unexpected end of file", 1),),
        ),
    ),
    strangers=("PHP Warning:  Undefined variable $boat in /srv/pier.php on line 4",),
)
