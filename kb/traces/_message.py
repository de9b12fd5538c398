"""Messages of more than one line."""

import re

from kb.model.event import Line
from kb.settings import MESSAGE_CHARS, MESSAGE_LINES
from kb.traces import Cursor
from kb.traces._python import relation_of

_RULER = re.compile(r"^([=\-*_])\1{4,}$")
_OPEN_END = re.compile(r"[:,({\[\\]$")
_PARTS = re.compile(
    r"^(?:DETAIL|HINT|CONTEXT|LINE \d+|STATEMENT|QUERY|SQL|Caused by)\b|^Original exception was: \S"
    r"|^\[(?:SQL|parameters|type|SQLSTATE)\b|^\(Background on this error at:"
    r"|^(?:CUDA kernel errors might|For debugging consider|Compile with `|Device-side assertions)"
    r"|^Exception raised from |^frame #\d+:|^C\+\+ CapturedTraceback|^#\d+ "
    r"|^(?:Search for|note:|NOTE:|hint:|help:|Did you mean)|^(?:Failed validating |On instance|On schema)"
    r"|^For further information visit |^Repro command: |^(?:Set TORCH|You can suppress this exception)|^Last error:$"
)
_LOWER = re.compile(r"^[a-z(\"'`<\-•*→]")
_KEYED = re.compile(r"^[a-z][\w./-]*: ")
_SENTENCE = re.compile(r"^[A-Z][\w'`-]*(?: \S+){4,}[.:!?)`'\"]$")
_WORD = re.compile(r"^[a-z'’-]+[,.;:!?]?$")
_LOGGISH = re.compile(
    r"^\S*\d\d:\d\d:\d\d|\b(?:INFO|DEBUG|WARN|WARNING|ERROR|CRITICAL)\b|^\w[\w .-]{0,30}: |^\+ |^\$ |^> "
)
_PROSE_WORDS = 7
"""Words from which a line after a gap reads as prose rather than as a log line."""
_PROSE_SHARE = 0.75
"""Share of plain lower-case words in prose."""
_LONG = 60
"""Characters from which a line that ends in no full stop is an open sentence."""
_GAP = 2
"""Empty lines inside a message: database and validation libraries leave one."""


def take_message(cursor: Cursor, carrier: Line, first: str, width: int = 0) -> str:
    """The message that begins with `first` on the line just claimed, with the further lines that continue it; these are
    claimed.

    A line continues the message while its prefix is the same and it is indented, begins in lower case, completes what
    the line before left open, is a known part of database or CUDA messages, or is a plain sentence; behind an empty
    line only a known part or prose does. A ruler line opens a block up to the next one. `width` is where a terminal
    broke the lines: broken ones are joined.
    """
    parts, previous, prose = [_end(first, width)], carrier, False
    while len(parts) < MESSAGE_LINES and (line := cursor.line) is not None:
        if not adjoins(previous, line):
            break
        if width and previous.peeled + len(previous.text) >= width and previous.text == previous.text.rstrip():
            previous = cursor.claim()
            parts[-1] += previous.text.rstrip()
            continue
        if not line.text.strip():
            if not (gap := _take_gap(cursor, carrier, previous)):
                break
            previous, prose = gap[-1], True
            parts += [""] * len(gap)
            continue
        if line.formats != carrier.formats or (width and line.text[0] not in " \t" and not _PARTS.match(line.text)):
            break
        if _RULER.match(line.text.strip()) and len(parts) == 1 and first.strip()[-1:] in ("", ":"):
            return _join([*parts, *_block(cursor, line.text.strip()[0])])
        if not _continues(parts, line, cursor, prose=prose):
            break
        previous = cursor.claim()
        parts.append(line.text.rstrip())
    return _join(parts)


def adjoins(before: Line, line: Line) -> bool:
    """Whether a line comes right after another one; where a prefix names the writer, others may have written in
    between.
    """
    return before.stream != "" or line.number <= before.number + 1


def _end(first: str, width: int) -> str:
    """A first line without the blanks that a terminal or a box padded it with; a single one was said."""
    return first if first.endswith(" ") and not width and not first.endswith("  ") else first.rstrip()


def _take_gap(cursor: Cursor, carrier: Line, previous: Line) -> list[Line]:
    """The empty lines here, claimed, when the message goes on behind them; else none, and the cursor has not moved."""
    at, claimed = cursor.at, len(cursor.claimed)
    gap: list[Line] = []
    while len(gap) <= _GAP and (line := cursor.line) is not None and adjoins(gap[-1] if gap else previous, line):
        if line.text.strip():
            text = line.text.strip()
            prose = _is_prose(text) and not relation_of(text) and not cursor.begins_event(line)
            if gap and line.formats == carrier.formats and (prose or _PARTS.match(text)):
                return gap
            break
        gap.append(cursor.claim())
    cursor.at = at
    del cursor.claimed[claimed:]
    return []


def _is_prose(text: str) -> bool:
    """Whether a line reads like a sentence, even one that goes on in the next line."""
    words = text.split()
    plain = sum(_WORD.match(word) is not None for word in words)
    return (len(words) >= _PROSE_WORDS and text[0].isupper() and plain >= _PROSE_SHARE * (len(words) - 1)
            and not _LOGGISH.search(text))  # fmt: skip


def _continues(parts: list[str], line: Line, cursor: Cursor, *, prose: bool) -> bool:
    text, before = line.text, parts[-1].rstrip()
    if _PARTS.match(text.strip()):
        return True
    if cursor.begins_event(line) or relation_of(text):
        return False
    if text[0] in " \t" or _OPEN_END.search(before) or (not before and len(parts) == 1):
        return True
    if text[0].islower() and len(before) >= _LONG and before[-1] not in ".!?":
        return True
    if _LOGGISH.search(text):
        return False
    if (prose and before) or _SENTENCE.match(text):
        return True
    return (_LOWER.match(text) is not None and not _KEYED.match(text)) or (prose and _is_prose(text))


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
    """The lines as one text; what a message ends in is kept only where it has one line."""
    text = parts[0] if len(parts) == 1 else "\n".join(parts).rstrip()
    return text[:MESSAGE_CHARS]
