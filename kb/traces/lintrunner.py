"""Findings of lintrunner: one block for each file, each with the linter's code.

Source of the format: lintrunner's src/render.rs.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import told

_HEAD = re.compile(r"^>>> (?:Lint for (?P<file>\S.*):|General linter failure:)\s*$")
_FINDING = re.compile(r"^\s+(?P<level>Error|Warning|Advice|Disabled) \((?P<code>[A-Z][A-Z0-9_-]*)\) (?P<what>\S.*)$")
_LINE = re.compile(r"^\s+>>> (?P<line>\d+) ")
_LINES = 300
"""Lines of one block that are read: it shows the source around each finding."""


def parse(cursor: Cursor) -> list[Event]:
    """The first finding of the block that begins here; nothing where it has none."""
    head = cursor.line
    if head is None or (found := _HEAD.match(head.text)) is None:
        return []
    carrier, what, place = None, None, None
    cursor.claim()
    for _ in range(_LINES):
        line = cursor.line
        if line is None or line.formats != head.formats or (line.text.strip() and not line.text[0].isspace()):
            break
        if carrier is None and (what := _FINDING.match(line.text)):
            carrier = line, what
        place = place or (carrier and _LINE.match(line.text))
        cursor.claim()
    if carrier is None:
        return []
    line, what = carrier
    frames = (Frame(found["file"], int(place["line"]) if place else None),) if found["file"] else ()
    return [told(line, "build", what["what"].strip(), what["code"], frames=frames, claimed=cursor.numbers)]


TRACE = Trace(
    name="lintrunner",
    starts=_HEAD.pattern,
    parse=parse,
    order=30,
    marks=(">>> Lint for ", ">>> General linter failure"),
    samples=(
        TraceSample(
            ">>> Lint for mill/grind.py:\n\n  Error (FLAKE8) F401\n    'os' imported but unused\n\n    >>> 3  |import os",
            (("build", "FLAKE8", "F401", 3),),
        ),
        TraceSample(
            ">>> General linter failure:\n\n  Error (CLANGTIDY) Linter failed\n    it broke",
            (("build", "CLANGTIDY", "Linter failed", 3),),
        ),
    ),
    strangers=(">>> Lint for fun and profit", ">>> 1 + 1"),
)
