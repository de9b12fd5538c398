"""Errors of CMake: a header, the message re-flowed and indented under it with blank lines inside, and the call stack.

Source of the format: cmake's Source/cmMessenger.cxx and cmDocumentationFormatter.cxx.
"""

from kb.model.event import Event, Frame, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import BLOCK_LINES, Lazy, ahead, block, indent_of, joined, told

_HEADER = Lazy(
    r"^(?P<indent>\s*)(?:\d+>\s*)?CMake (?:Internal )?Error(?: \(\w+\))?(?: (?:at|in) "
    r"(?P<file>[^\s:]+)(?::(?P<line>\d+))?(?: \((?P<command>[^)]*)\))?)?:(?P<said>.*)$"
)
_STACK = Lazy(r"^\s*Call Stack \(most recent call first\):")
_CALL = Lazy(r"^\s+(?P<file>[^\s:]+):(?P<line>\d+)(?::EVAL:\d+)? \((?P<command>[^)]*)\)\s*$")
_END = Lazy(
    r"^\s*(?P<message>-- (?:Configuring|Generating) incomplete, errors occurred!|CMake (?:Generate|Configure) step "
    r"failed\..*)"
)


def parse(cursor: Cursor) -> list[Event]:
    """The error whose header stands here, or the words with which CMake gives up."""
    line = cursor.line
    if line is None:
        return []
    if found := _END.match(line.text):
        cursor.claim()
        block(cursor, line, lambda text: text.lstrip().startswith('See also "'), 3)
        return [told(cursor, line, found["message"].rstrip(), language="cmake")]
    found = _HEADER.match(line.text)
    if found is None:
        return []
    cursor.claim()
    body = _body(cursor, line, len(found["indent"]))
    told_at = line if found["said"].strip() else next((each for each in body if each.text.strip()), line)
    message = joined(found["said"].strip(), [each.text for each in body])
    frames = (
        (Frame(found["file"], int(found["line"]) if found["line"] else None, found["command"]),)
        if found["file"]
        else ()
    )
    return [told(cursor, told_at, message, language="cmake", frames=(*frames, *_calls(cursor, line)))]


def _body(cursor: Cursor, header: Line, indent: int) -> list[Line]:
    """Claims the indented lines under a header; blank ones belong to them when an indented one follows."""
    body: list[Line] = []
    while len(body) < BLOCK_LINES:
        lines = [each for each in ahead(cursor, 3) if each.formats == header.formats]
        full = next((at for at, each in enumerate(lines) if each.text.strip()), None)
        if full is None or indent_of(lines[full].text) <= indent or _STACK.match(lines[full].text):
            return body
        body += [cursor.claim() for _ in range(full + 1)]
    return body


def _calls(cursor: Cursor, header: Line) -> list[Frame]:
    """Claims the call stack, innermost first as CMake prints it."""
    lines = ahead(cursor, 2)
    at = next((at for at, each in enumerate(lines) if _STACK.match(each.text)), None)
    if at is None or (lines[0].text.strip() and at):
        return []
    for _ in range(at + 1):
        cursor.claim()
    calls = (_CALL.match(text) for text in block(cursor, header, _CALL.match, 60))
    return [Frame(call["file"], int(call["line"]), call["command"]) for call in calls if call]


TRACE = Trace(
    name="cmake",
    starts=(
        r"CMake (?:Internal )?Error|^\s*-- (?:Configuring|Generating) incomplete|^\s*CMake (?:Generate|Configure) step "
        r"failed"
    ),
    parse=parse,
    order=25,
    marks=(
        "CMake Error",
        "CMake Internal Error",
        "-- Configuring incomplete",
        "-- Generating incomplete",
        "CMake Generate step failed",
        "CMake Configure step failed",
    ),
    samples=(
        TraceSample(
            "CMake Error at cmake/heap.cmake:7 (message):\n  No heap was found under\n\n    /opt/heap\n\n  Set "
            "HEAP_ROOT.\n"
            "Call Stack (most recent call first):\n  CMakeLists.txt:3 (include)\n\n\n-- Configuring incomplete, errors "
            "occurred!",
            (
                ("build", None, "No heap was found under\n\n  /opt/heap\n\nSet HEAP_ROOT.", 2),
                ("build", None, "-- Configuring incomplete, errors occurred!", 11),
            ),
        ),
        TraceSample(
            'CMake Error: The source directory "/srv/heap" does not exist.\nSpecify --help for usage.',
            (("build", None, 'The source directory "/srv/heap" does not exist.', 1),),
        ),
    ),
    strangers=("CMake Warning at CMakeLists.txt:3 (message):\n  an error is near", "-- Configuring done"),
)
