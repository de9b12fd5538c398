"""torch's desync report: which rank did not join the collective that all others wait in.

Source of the format: retrieveDesyncReport in torch/csrc/distributed/c10d/TraceUtils.h.
"""

import re

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import told

_HEAD = re.compile(
    r"^\s*- \[\d+\] Timeout at collective: |^\s*- To our best knowledge, (?:the lagging/dead/mismatched ranks|ranks \["
    r"|the lagging)"
)
_PART = re.compile(r"^\s*(?:- |#\d+ (?:started|finished) ranks:|\[[\d, -]+\])")
_CULPRIT = re.compile(
    r"^\s*(?P<message>\[(?P<ranks>[\d, -]+)\] (?:finished collective #\d+, but didn't join|joined but didn't finish"
    r"|never joined|started .* but).*)$"
)
_LINES = 400


def parse(cursor: Cursor) -> list[Event]:
    """The report that begins here, told by the line that names the missing ranks; nothing where it names none."""
    line = cursor.line
    if line is None or not _HEAD.match(line.text):
        return []
    carrier, found = None, None
    for _ in range(_LINES):
        here = cursor.line
        if here is None or not _PART.match(here.text):
            break
        if carrier is None and (found := _CULPRIT.match(here.text)):
            carrier, named = here, found
        cursor.claim()
    if carrier is None:
        return []
    rank = named["ranks"] if named["ranks"].isdigit() else None
    return [told(carrier, "stall", named["message"].rstrip(), rank=rank, claimed=cursor.numbers)]


TRACE = Trace(
    name="nccl_desync",
    starts=_HEAD.pattern,
    parse=parse,
    order=13,
    marks=("Timeout at collective: ", "To our best knowledge, "),
    samples=(
        TraceSample(
            "\t - [0] Timeout at collective: ALLREDUCE, #8\n\t - To our best knowledge, the lagging/dead/mismatched"
            " ranks that caused the desync are:\n"
            "\t   [1] finished collective #7, but didn't join collective #8 (count from 1)\n\t - Snapshot of ranks'"
            " latest states:\n"
            "\t   #8 started ranks:\n\t     [0, 2] started ALLREDUCE",
            (("stall", None, "[1] finished collective #7, but didn't join collective #8 (count from 1)", 3),),
        ),
    ),
    strangers=("- To our best knowledge, the boats are moored",),
)
