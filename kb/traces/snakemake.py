"""Failed rules of Snakemake: `Error in rule name:` with its indented particulars.

Source of the format: snakemake/logging.py and snakemake/exceptions.py (5.x to 9.x).
"""

import re

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import told

_HEAD = re.compile(r"^Error in (?:rule|checkpoint|group) (?P<name>[\w-]+):$")
_DETAIL = re.compile(r"^ {4,}\S")
_LINES = 60


def parse(cursor: Cursor) -> list[Event]:
    """The failed rule that begins here."""
    line = cursor.line
    if line is None or not _HEAD.match(line.text):
        return []
    cursor.claim()
    for _ in range(_LINES):
        here = cursor.line
        if here is None or not _DETAIL.match(here.text):
            break
        cursor.claim()
    return [told(line, "error", line.text.strip(), claimed=cursor.numbers)]


TRACE = Trace(
    name="snakemake",
    starts=_HEAD.pattern,
    parse=parse,
    order=35,
    marks=("Error in rule ", "Error in checkpoint ", "Error in group "),
    samples=(
        TraceSample(
            "Error in rule moor:\n    jobid: 3\n    shell:\n        moor boat\n        (command exited with non-zero"
            " exit code)",
            (("error", None, "Error in rule moor:", 1),),
        ),
    ),
    strangers=("Error in rule making", "rule moor:"),
)
