"""Python tracebacks: plain, with carets, with several source lines a frame, without header, hard-wrapped, cut at either
end.

Source of the format: CPython's `traceback` module, 3.8 to 3.14, and loguru's extended one.
"""

import re
from dataclasses import dataclass, field, replace

from kb.model.event import Event, Frame, Line, Link
from kb.traces import PATIENCE, Cursor, Trace, TraceSample
from kb.traces._chain import Found, Reader, parse_chain
from kb.traces._echo import echo_of
from kb.traces._embedded import closing, read_embedded
from kb.traces._message import adjoins, take_message
from kb.traces._python import FRAME, HEADER, Named, closed, event_at, frame_of, indent_of, named, relation_of, rewind

_CARETS = re.compile(r"^\s*[~^]+[~^\s]*$")
_REPEATED = re.compile(r"^\s*\[Previous line repeated \d+ more times?\]")
_FRAME_BEGINS = re.compile(r'^\s*(?:(?:> ?)?File ["\']|(?:Cell|Input) In ?\[)')
_LONE_CLASS = re.compile(r"^(?:\w+\.)*[A-Z][a-z]\w*$")
_TAIL = re.compile(r"^[\w<>]+\s*$")
_PADDING = 5
"""Blanks after a header from which it counts as padded to the width of a terminal."""
_WRAPS = 3
"""Terminal lines that one frame line may be broken into."""


@dataclass(slots=True)
class _Draft:
    """An exception while its lines are read."""

    header: str = ""
    frames: list[Frame] = field(default_factory=list)
    frame_line: Line | None = None
    indent: int = 0  # of the frame lines
    foreign: int = 0
    width: int = 0  # at which a terminal broke the lines, 0 where none did


def read(cursor: Cursor) -> Found | None:
    """One exception with its frames, with what its message embeds, or None where the lines turn out to be something
    else.
    """
    line = cursor.line
    if line is None:
        return None
    before, draft = len(cursor.claimed), _Draft()
    if found := HEADER.search(line.text):
        head = line.text[: found.start()].strip()
        draft.header = "" if head == "Exception Group" else head
        draft.indent = (0 if head else found.start()) + 2
        if len(line.text) - len(line.text.rstrip()) >= _PADDING:
            draft.width = line.peeled + len(line.text)
        cursor.claim()
    elif not _take_frame(cursor, line, draft):  # faulthandler's frames look alike; hundreds of them follow each other
        return None
    carrier = _frames(cursor, draft)
    if carrier is None:
        return _cut(cursor, draft, line, before)
    return _finish(cursor, line, carrier, draft, before)


def _frames(cursor: Cursor, draft: _Draft) -> Named | None:
    """Read frames until the line that names the exception, on which the cursor then stands; None where none comes."""
    while (line := cursor.line) is not None and draft.foreign <= PATIENCE:
        text = line.text
        home = draft.frame_line is None or line.formats == draft.frame_line.formats
        if (home and _take_frame(cursor, line, draft)) or _take_tail(cursor, text, draft):
            continue
        if home and _is_source(text, draft):
            _add_source(draft, text)
            draft.foreign = 0
            cursor.claim()
        elif home and (found := _exception(text, draft)):
            return found
        elif home and (HEADER.search(text) or relation_of(text)):
            return None
        else:
            draft.foreign += 1
            cursor.skip()
    return None


def _take_frame(cursor: Cursor, line: Line, draft: _Draft) -> bool:
    """Claim a frame line, put together where a terminal broke it."""
    if not _FRAME_BEGINS.match(line.text):
        return False
    at, claimed, text = cursor.at, len(cursor.claimed), ""
    for _ in range(_WRAPS):
        part = cursor.line
        if part is None or (text and (_FRAME_BEGINS.match(part.text) or part.number > line.number + _WRAPS)):
            break
        text += cursor.claim().text
        if (found := frame_of(text)) is not None:
            draft.frames.append(found)
            draft.width = draft.width or (line.peeled + len(line.text) if part is not line else 0)
            draft.frame_line, draft.indent, draft.foreign = line, indent_of(line.text), 0
            return True
    rewind(cursor, at, claimed)
    return False


def _take_tail(cursor: Cursor, text: str, draft: _Draft) -> bool:
    """Claim the rest of a function's name that a terminal broke: one word at the left edge, right under its frame."""
    last, line = draft.frame_line, cursor.line
    if last is None or line is None or not _TAIL.match(text) or draft.frames[-1].code or draft.indent == 0:
        return False
    if not adjoins(last, line) or draft.frames[-1].function is None or named(text) is not None:
        return False
    draft.frames[-1] = replace(draft.frames[-1], function=f"{draft.frames[-1].function}{text.strip()}")
    draft.width = draft.width or last.peeled + len(last.text)
    cursor.claim()
    return True


def _is_source(text: str, draft: _Draft) -> bool:
    """Whether a line shows source code, marks under it, or the note on repeated frames."""
    if not draft.frames or not text.strip():
        return False
    if _CARETS.match(text) or _REPEATED.match(text) or indent_of(text) > draft.indent:
        return True
    mangled = draft.indent == 0 and draft.frames[-1].code is None  # a paste that lost its indentation
    return mangled and _exception(text, draft) is None and not HEADER.search(text) and not FRAME.match(text)


def _add_source(draft: _Draft, text: str) -> None:
    if not _CARETS.match(text) and not _REPEATED.match(text) and draft.frames[-1].code is None:
        draft.frames[-1] = replace(draft.frames[-1], code=text.strip())


def _exception(text: str, draft: _Draft) -> Named | None:
    """The line that names the exception: at the header's column or left of it, and a class name."""
    if indent_of(text) > max(draft.indent - 2, 0):
        return None
    found = named(text)
    if found is None:  # a class of one's own, without a message: only right under its frames
        lone = draft.frames and not draft.foreign and _LONE_CLASS.match(text.strip())
        return Named(text.strip(), "", sure=False) if lone else None
    return found if found.sure or not draft.foreign else None


def _finish(cursor: Cursor, head: Line, found: Named, draft: _Draft, before: int) -> Found:
    line = cursor.claim()
    message = found.message if closing(found.message) else take_message(cursor, line, found.message, draft.width)
    event = replace(event_at(line, message, found.cls), frames=tuple(reversed(draft.frames)), header=draft.header)
    event = closed(event, cursor.since(before))
    echo = echo_of(event, head, draft.header) if head is not line and draft.header else None
    if echo is not None:
        event = closed(event, cursor.since(before + 1))
    inner = read_embedded(cursor, event, parse_chain)
    if inner:
        event = replace(event, causes=(Link(inner[-1].line, "embedded"),))
    return Found((*inner, *((echo,) if echo is not None else ()), event), event)


def _cut(cursor: Cursor, draft: _Draft, line: Line, before: int) -> Found | None:
    """A traceback without its message: the log is cut. A lone header says nothing."""
    if not draft.frames:
        return None
    if draft.frame_line is not None and line.number not in cursor.since(before):
        line = draft.frame_line
    event: Event = replace(event_at(line, draft.header.rstrip(": "), None), frames=tuple(reversed(draft.frames)),
                           complete=False, header=draft.header)  # fmt: skip
    event = closed(event, cursor.since(before))
    return Found((event,), event)


READER = Reader(re.compile(rf"{HEADER.pattern}|{_FRAME_BEGINS.pattern}[^\n]*, line \d"), read, order=90)

TRACE = Trace(
    name="python",
    starts=READER.starts.pattern,
    parse=parse_chain,
    order=20,
    marks=("Traceback (most recent call last)", 'File "', "File '", "Cell In[", "Input In ["),
    samples=(
        TraceSample(
            'Traceback (most recent call last):\n  File "/srv/run.py", line 9, in main\n    step(batch)\n'
            '    ~~~~^^^^^^^\n'
            '  File "/srv/run.py", line 4, in step\n    raise ValueError("no rows")\nValueError: no rows',
            (("exception", "ValueError", "no rows", 7),),
        ),
        TraceSample(
            'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x[1]\nKeyError: 1\n\n'
            "The above exception was the direct cause of the following exception:\n\n"
            'Traceback (most recent call last):\n  File "a.py", line 3, in g\n    f()\napp.LookupFailure: no entry',
            (("exception", "KeyError", "1", 4), ("exception", "app.LookupFailure", "no entry", 11)),
        ),
        TraceSample('  File "a.py", line 3\n    f(\n     ^\nSyntaxError: \'(\' was never closed',
                    (("exception", "SyntaxError", "'(' was never closed", 4),)),
        TraceSample('Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x()',
                    (("exception", None, "", 1),)),
        TraceSample('Traceback (most recent call last):\n  File "/srv/app/deep/dow\nn.py", line 7, in open_\nstore\n'
                    "    boom()\nOSError: [Errno 5] Input/output error",
                    (("exception", "OSError", "[Errno 5] Input/output error", 6),)),
        TraceSample('Traceback (most recent call last):\n  File "a.py", line 1, in f\n    compile(g)\n'
                    "app.CompilerFailed: backend='fast' raised:\nImportError: no name 'key'",
                    (("exception", "ImportError", "no name 'key'", 5),
                     ("exception", "app.CompilerFailed", "backend='fast' raised:", 4))),
    ),
    strangers=('He wrote: File "notes.txt" is gone', "see Traceback (most recent call last): in the manual"),
)  # fmt: skip
