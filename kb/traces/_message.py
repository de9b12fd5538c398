"""Messages of more than one line."""

import re

from kb.model.event import Line
from kb.settings import MESSAGE_CHARS, MESSAGE_LINES
from kb.traces import Cursor

_RULER = re.compile(r"^([=\-*_])\1{4,}$")
_OPEN_END = re.compile(r"[:,({\[\\]$|^$")
_PARTS = re.compile(
    r"^(?:DETAIL|HINT|CONTEXT|LINE \d+|STATEMENT|QUERY|SQL|Original exception was|Caused by)\b"
    r"|^\[(?:SQL|parameters|type|SQLSTATE)\b|^\(Background on this error at:"
    r"|^(?:CUDA kernel errors might|For debugging consider|Compile with `|Device-side assertions)"
    r"|^Exception raised from |^frame #\d+:|^C\+\+ CapturedTraceback|^#\d+ "
    r"|^(?:Search for|note:|NOTE:|hint:|help:)"
)
_LOWER = re.compile(r"^[a-z(\"'`<\-•*→]")
_SENTENCE = re.compile(r"^[A-Z][\w'`-]*(?: \S+){4,}[.:!?)`'\"]$")
_LOGGISH = re.compile(r"^\S*\d\d:\d\d:\d\d|\b(?:INFO|DEBUG|WARN|WARNING|ERROR|CRITICAL)\b|^\w[\w .-]{0,30}: |^\+ |^\$ |^> ")


def take_message(cursor: Cursor, carrier: Line, first: str) -> str:
    """The message that begins with `first` on the line just claimed, with the further lines that continue it; these are claimed.

    A line continues the message while its prefix is the same and it is indented, begins in lower case, completes what the line before
    left open, is a known part of database or CUDA messages, or is a plain sentence. A ruler line opens a block up to the next one.
    """
    parts, previous = [first], carrier
    while len(parts) < MESSAGE_LINES and (line := cursor.line) is not None:
        ruler = _RULER.match(line.text.strip())
        if line.formats != carrier.formats or line.number != previous.number + 1 and carrier.stream == "":
            break
        if ruler and len(parts) == 1:
            return _join([*parts, *_block(cursor, line.text.strip()[0])])
        if not _continues(parts[-1], line, cursor):
            break
        previous = cursor.claim()
        parts.append(line.text.rstrip())
    return _join(parts)


def _continues(before: str, line: Line, cursor: Cursor) -> bool:
    text = line.text
    if not text.strip():
        return False
    if _PARTS.match(text.strip()):
        return True
    if cursor.begins_event(line):
        return False
    if text[0] in " \t" or _OPEN_END.search(before.rstrip()) is not None and before.strip() != "":
        return True
    if _LOGGISH.search(text):
        return False
    return _LOWER.match(text) is not None and not re.match(r"^[a-z][\w./-]*: ", text) or _SENTENCE.match(text) is not None


def _block(cursor: Cursor, mark: str) -> list[str]:
    """The lines of a block between two rulers of `mark`, rulers included."""
    parts = [cursor.claim().text.strip()]
    formats = None
    while len(parts) < 4 * MESSAGE_LINES and (line := cursor.line) is not None:
        formats = formats or line.formats
        if line.formats != formats:
            break
        cursor.claim()
        parts.append(line.text.rstrip())
        if re.match(rf"^\{mark}{{5,}}$", line.text.strip()):
            break
    return parts


def _join(parts: list[str]) -> str:
    return "\n".join(parts).rstrip()[:MESSAGE_CHARS]
