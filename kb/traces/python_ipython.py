"""Tracebacks of IPython, Jupyter and Colab: class and header in one line, frames with arrows, the message after all
frames.

Source of the format: `IPython.core.ultratb`, 7 to 9; Colab writes paths as Markdown links.
"""

import re
from dataclasses import dataclass, field, replace

from kb.model.event import Frame, Line
from kb.traces import PATIENCE, Cursor, Trace, TraceSample
from kb.traces._chain import Found, Reader, parse_chain
from kb.traces._message import take_message
from kb.traces._python import closed, event_at, frame, named

_HEAD = re.compile(r"^\s*(?P<cls>[A-Za-z_][\w.]*) {2,}Traceback \(most recent call last\)\s*$")
_NEW = re.compile(r"^File (?P<file>\S.*?)(?::(?P<line>\d+))?, in (?P<function>[^\s(]+)")
_CELL = re.compile(
    r"^(?P<file>(?:Cell In|Input In|In) ?\[\d+\])(?:, line (?P<line>\d+))?(?:, in (?P<function>[^\s(]+"
    r"|<cell line: \d+>))?"
)
_LINKED = re.compile(r"^\[(?P<file>[^\]\s]+)\]\(\S*\)(?: in (?P<function>.+))?$")
_OLD = re.compile(r"^(?P<file>[^\s\[][^\[\]]*?|\S+) in (?P<function><cell line: \d+>|[^\s(]+)(?:\(.*)?$")
_SOURCE = re.compile(r"^\s*(?P<arrow>-+> ?)?(?P<line>\d+)(?:[ \t](?P<code>.*)|)$")
_HIDDEN = re.compile(r"^\s*(?:\[\.\.\. skipping|\.\.\. last \d+ frames|\d+ frames\s*$|\(\.\.\.\)$|\.\.\.$|-{20,}$)")


@dataclass(slots=True)
class _Draft:
    cls: str
    frames: list[Frame] = field(default_factory=list)
    foreign: int = 0


def read(cursor: Cursor) -> Found | None:
    """One exception in IPython's form; without its message when the log is cut."""
    head = cursor.line
    if head is None or not (opened := _HEAD.match(head.text)):
        return None
    before = len(cursor.claimed)
    cursor.claim()
    draft = _Draft(opened["cls"])
    while (line := cursor.line) is not None and draft.foreign <= PATIENCE:
        text = line.text.strip()
        if line.formats != head.formats and text:
            break
        if (found := named(line.text)) and found.cls.rpartition(".")[2] == draft.cls.rpartition(".")[2]:
            cursor.claim()
            event = event_at(line, take_message(cursor, line, found.message), found.cls)
            event = replace(event, frames=tuple(reversed(draft.frames)))
            event = closed(event, cursor.since(before))
            return Found((event,), event)
        _take(cursor, line, text, draft)
    if not draft.frames:
        return None
    event = replace(event_at(head, "", draft.cls), frames=tuple(reversed(draft.frames)), complete=False)
    event = closed(event, cursor.since(before))
    return Found((event,), event)


def _take(cursor: Cursor, line: Line, text: str, draft: _Draft) -> None:
    """Claim a line of a frame, leave any other."""
    if (source := _SOURCE.match(line.text)) and draft.frames:
        if source["arrow"]:
            last = draft.frames[-1]
            draft.frames[-1] = replace(
                last, line=last.line or int(source["line"]), code=(source["code"] or "").strip() or None
            )
    elif (called := _called(text)) is not None:
        draft.frames.append(called)
    elif text and not _HIDDEN.match(text) and not (line.text[0] in " \t" and draft.frames):
        draft.foreign += 1
        cursor.skip()
        return
    draft.foreign = 0
    cursor.claim()


def _called(text: str) -> Frame | None:
    """The call that a line between the sources names."""
    if not text or (found := _NEW.match(text) or _CELL.match(text) or _LINKED.match(text) or _OLD.match(text)) is None:
        return None
    says = found.groupdict()
    function = (says.get("function") or "").partition("(")[0].strip() or None
    return frame(found["file"], int(says["line"]) if says.get("line") else None, function)


READER = Reader(_HEAD, read, order=30)

TRACE = Trace(
    name="python_ipython",
    starts=_HEAD.pattern.replace("(?P<cls>", "(?:"),
    parse=parse_chain,
    order=16,
    marks=("Traceback (most recent call last)",),
    samples=(
        TraceSample(
            "KeyError                                  Traceback (most recent call last)\n"
            "Cell In[3], line 2\n      1 import table\n----> 2 table.row('x')\n\n"
            "File ~/venv/lib/table.py:41, in Table.row(self, key)\n     40 def row(self, key):\n"
            "---> 41     return self._rows[key]\n\n"
            "KeyError: 'x'",
            (("exception", "KeyError", "'x'", 10),),
        ),
        TraceSample(
            "ValueError                                Traceback (most recent call last)\n"
            "[<ipython-input-3-1f>](https://localhost:8080/#) in <cell line: 0>()\n----> 1 run()\n\n"
            "2 frames\n/usr/lib/python3/run.py in run(n)\n      7     if n < 0:\n"
            "----> 8         raise ValueError('n')\n\nValueError: n",
            (("exception", "ValueError", "n", 10),),
        ),
    ),
    strangers=("the words Traceback (most recent call last) alone", "Table   Trace"),
)  # fmt: skip
