"""Stack traces of the Java virtual machine: Java, Kotlin, Scala, Groovy, Clojure.

Source of the format: java.lang.Throwable.printStackTrace (JDK 8 to 21) and the exception converters of Logback and
Log4j 2."""

import re
from dataclasses import dataclass, replace

from kb.model.event import Event, Frame, Line, Link
from kb.settings import MESSAGE_CHARS
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import give_back, peek, take_frames, told

_FRAME = re.compile(r"^\s*at (?P<name>[^\s()][^()]*)\((?P<source>[^()]*)\)(?:\s+[~\[]|\s*$)")
_MORE = re.compile(
    r"^\s*(?:\.\.\. \d+ (?:more|common frames omitted|lines matching)|Driver stacktrace:|\[wrapped\]|\.\.\. \d+ frames)"
)
_CLASS = r"(?P<cls>(?<![\w$.])[a-z_][\w$]*\.(?:[A-Za-z_][\w$]*\.)*[A-Z][\w$]*)"
_NAME = r"(?:[A-Za-z_][\w$]*\.)*[A-Z][\w$]*"
_HEAD = re.compile(
    r"^(?P<before>\s*(?:\[CIRCULAR REFERENCE: ?)?(?:(?P<link>Caused by|Suppressed|Wrapped by): )?"
    r"(?P<thread>Exception in thread \"[^\"]*\" |Exception: )?:? ?)"
    rf"(?:(?P<cls>[a-z_][\w$]*\.(?:[A-Za-z_][\w$]*\.)*[A-Z][\w$]*)|(?<=: )(?P<bare>{_NAME})|(?<=\""
    rf" )(?P<plain>{_NAME}))(?:: (?P<message>.*)|:?\s*)$"
)
_INSIDE = re.compile(rf"{_CLASS}(?:(?<=Exception)|(?<=Throwable)|(?<=Error))(?:: (?P<message>.*)|:?\s*)$")
_SOURCE = re.compile(r"^(?P<file>[^:]+\.\w+)(?::(?P<line>\d+))?$")
_RUNTIME = re.compile(
    r"^(?:java\.lang\.(?:reflect|invoke)\.|java\.lang\.Thread\.run|(?:jdk\.internal|sun)\.reflect\."
    r"|java\.lang\.Throwable\.)"
)
_FOREIGN = "Traceback (most recent call last):"
_MESSAGE_LINES = 40
"""Lines that a message may have before the first frame: validation and class loading errors list their parts."""


@dataclass(frozen=True, slots=True)
class _Head:
    """The line that names an exception."""

    indent: int
    link: str | None
    header: str
    cls: str
    message: str


def parse(cursor: Cursor) -> list[Event]:
    """The exceptions of one chain, the cause before its consequence; nothing where no frame follows."""
    events: list[Event] = []
    at_indent: dict[int, int] = {}  # indentation of a chain -> its last exception
    while (line := cursor.line) is not None and (head := _head(line, first=not events)) and (not events or head.link):
        if head.message.endswith(_FOREIGN):  # Spark quotes a worker's traceback: it tells for itself
            break
        at, count = cursor.at, len(cursor.claimed)
        event = _one(cursor, line, head)
        if event is None:
            give_back(cursor, at, count)
            break
        events.append(event)
        above = at_indent.get(head.indent)
        at_indent[head.indent] = len(events) - 1
        if above is not None and head.link == "Caused by":
            events[above] = replace(events[above], causes=(Link(event.line, "direct"),))
        elif above is not None and head.link == "Wrapped by":
            events[-1] = replace(event, causes=(Link(events[above].line, "direct"),))
    return events[::-1]


def names_exception(text: str) -> bool:
    """Whether a line is one that names an exception, as a stack trace begins."""
    return _HEAD.match(text.rstrip()) is not None


def _head(line: Line, *, first: bool) -> _Head | None:
    text = line.text.rstrip()
    if found := _HEAD.match(text):
        indent = len(text) - len(text.lstrip())
        cls = found["cls"] or found["bare"] or found["plain"]
        return _Head(indent, found["link"], found["before"].strip(" :"), cls, found["message"] or "")
    if first and (found := _INSIDE.search(text)):
        return _Head(0, None, text[: found.start()].strip(), found["cls"], found["message"] or "")
    return None


def _one(cursor: Cursor, line: Line, head: _Head) -> Event | None:
    """The exception that `line` names, with the rest of its message and its frames."""
    before = len(cursor.claimed)
    cursor.claim()
    parts = [head.message, *_rest_of_message(cursor, line)]
    frames = take_frames(cursor, read_frame, _MORE)
    bare = head.link is not None and _next_is_link(cursor)
    if not frames and not bare and len(cursor.claimed) == before + 1:
        return None
    numbers = cursor.since(before)
    return told(
        line,
        "exception",
        "\n".join(parts).rstrip()[:MESSAGE_CHARS],
        head.cls,
        language="java",
        frames=frames,
        claimed=numbers,
        header="" if head.link else head.header,
    )


def _rest_of_message(cursor: Cursor, head: Line) -> list[str]:
    """The further lines of a message, claimed, when a frame ends them."""
    start, count, parts = cursor.at, len(cursor.claimed), list[str]()
    while len(parts) <= _MESSAGE_LINES and (line := cursor.line) is not None:
        if _FRAME.match(line.text) or _MORE.match(line.text):
            while parts and not parts[-1]:
                parts.pop()
            return parts
        new_record = line.formats and (line.formats != head.formats or line.level is not None)
        if new_record or _HEAD.match(line.text) or (line.text.strip() and cursor.begins_event(line)):
            break
        cursor.claim()
        parts.append(line.text.rstrip())
    give_back(cursor, start, count)
    return []


def _next_is_link(cursor: Cursor) -> bool:
    return peek(cursor, lambda text: text.lstrip().startswith(("Caused by: ", "Wrapped by: ")), 1)


def read_frame(text: str) -> Frame | None:
    """The frame of a line `at package.Class.method(File.java:12)`, None for any other line."""
    found = _FRAME.match(text)
    if found is None:
        return None
    name = found["name"].rsplit("/", 1)[-1]
    source = _SOURCE.match(found["source"])
    folders = name.rsplit(".", 2)[0].split(".") if name.count(".") > 1 else []
    packages = [part for part in folders if not part[:1].isupper()]
    file = "/".join([*packages, source["file"]]) if source else f"<{found['source'] or 'unknown'}>"
    line = int(source["line"]) if source and source["line"] else None
    return Frame(file, line, name, runtime=bool(_RUNTIME.match(name)))


TRACE = Trace(
    name="java",
    starts=rf"{_HEAD.pattern}|{_INSIDE.pattern}".replace("(?P<cls>", "(?:")
    .replace("(?P<message>", "(?:")
    .replace("(?P<before>", "(?:"),
    parse=parse,
    order=30,
    marks=("Exception", "Error", "Throwable", "Failure", "Caused by: ", "Suppressed: ", "Interrupted", "Fault"),
    samples=(
        TraceSample(
            'Exception in thread "main" dev.tide.BootException: cannot start\n\tat dev.tide.Main.run(Main.java:14)\n'
            "\tat java.base/java.lang.Thread.run(Thread.java:829)\nCaused by: java.io.IOException: disk full\n"
            "\tat dev.tide.Store.open(Store.kt:40) ~[store.jar:1.2]\n\t... 1 more",
            (
                ("exception", "java.io.IOException", "disk full", 4),
                ("exception", "dev.tide.BootException", "cannot start", 1),
            ),
        ),
        TraceSample(
            "java.lang.IllegalStateException: two parts:\nleft\nright\n\tat dev.tide.Join.both(Join.java:3)",
            (("exception", "java.lang.IllegalStateException", "two parts:\nleft\nright", 1),),
        ),
        TraceSample(
            "request failed java.lang.NullPointerException\n\tat dev.tide.Web.get(Web.java:8)\n\tSuppressed:"
            " java.io.IOException: late\n"
            "\t\tat dev.tide.Web.close(Web.java:9)",
            (("exception", "java.io.IOException", "late", 3), ("exception", "java.lang.NullPointerException", "", 1)),
        ),
    ),
    strangers=("see java.lang.Error in the manual", "Caused by: an old pump\n\tat the harbour (pier 3)"),
)
