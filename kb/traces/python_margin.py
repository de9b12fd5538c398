"""Tracebacks behind a margin that no known prefix explains: the same text, digits aside, stands before each of their
lines.

pytest's `INTERNALERROR> `, tools that print `[job a] `, comment signs, clocks of unknown loggers. Lines of others may
stand between.
"""

import re
from dataclasses import replace

from kb.model.event import Event, Line
from kb.traces import PATIENCE, Cursor, Trace, TraceSample
from kb.traces._chain import parse_chain
from kb.traces._python import HEADER

_FRAME = re.compile(r'\s*(?:> ?)?File ["\']')
_LINES = 1500
"""Lines that are looked at for one traceback."""
_LONGEST = 200
"""Characters of a margin."""


def parse(cursor: Cursor) -> list[Event]:
    """The exceptions of the chain behind the margin here; nothing where no frame follows behind the same margin."""
    head = cursor.line
    found = HEADER.search(head.text) if head is not None else None
    if head is None or found is None or not 0 < len(head.text[: found.start()].strip()) < _LONGEST:
        return []
    margin = re.compile(
        re.sub(r"\d+", r"\\d+", re.escape(head.text[: found.start()].rstrip())) + r"(?P<text>(?: .*|))$"
    )
    lines, places = _behind(cursor, margin, head)
    if len(lines) < 2 or not _FRAME.match(lines[1].text):
        return []
    inner = cursor.within(lines)
    events = parse_chain(inner)
    cursor.claimed.extend(places[place] for place in inner.claimed)
    return events


def _behind(cursor: Cursor, margin: re.Pattern[str], head: Line) -> tuple[list[Line], list[int]]:
    """The lines behind the margin, without it, and their places; the cursor goes past them."""
    lines: list[Line] = []
    places: list[int] = []
    foreign = 0
    for _ in range(_LINES):
        line = cursor.line
        if line is None or foreign > PATIENCE:
            break
        found = margin.match(line.text) if line.formats == head.formats or not line.formats else None
        foreign = 0 if found is not None else foreign + 1
        if found is not None:
            lines.append(replace(line, text=found["text"].removeprefix(" ")))
            places.append(cursor.at)
        cursor.skip()
    return lines, places


TRACE = Trace(
    name="python_margin",
    starts=HEADER.pattern,
    parse=parse,
    order=7,
    marks=("Traceback (most recent call last):",),
    samples=(
        TraceSample(
            '[b] step 4\n[b] Traceback (most recent call last):\n[a] step 9\n[b]   File "b.py", line 3, in go\n'
            "[a] step 10\n[b]     run()\n[b] ValueError: no rows\n[a] step 11",
            (("exception", "ValueError", "no rows", 7),),
        ),
        TraceSample(
            'INTERNALERROR> Traceback (most recent call last):\nINTERNALERROR>   File "m.py", line 3, in go\n'
            "INTERNALERROR>     run()\nINTERNALERROR> KeyError: 'plug'",
            (("exception", "KeyError", "'plug'", 4),),
        ),
    ),
    strangers=("[b] see Traceback (most recent call last):",),
)
