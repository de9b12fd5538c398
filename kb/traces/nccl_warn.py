"""NCCL's own warnings: `host:pid:tid [device] file.cc:12 NCCL WARN message`.

Source of the format: ncclDebugLog in NCCL's src/debug.cc, also of RCCL.
"""

import re

from kb.model.event import Event, Line
from kb.traces import Trace, TraceSample
from kb.traces._told import one_line, told

_WARN = re.compile(
    r"(?:^|\s)(?P<host>[\w.-]+):(?P<pid>\d+):\d+ \[(?P<device>-?\d+)\](?: \S+)? (?:[\w./ -]+:\d+ )?NCCL WARN"
    r" (?P<message>\S.*)$"
)
_BARE = re.compile(r"NCCL WARN (?P<message>\S.*)$")


def _build(line: Line, _: re.Match[str]) -> Event | None:
    if found := _WARN.search(line.text):
        device = found["device"] if found["device"].isdigit() else None
        return told(line, "stall", found["message"].rstrip(), rank=line.rank or device, pid=int(found["pid"]))
    found = _BARE.search(line.text)
    return told(line, "stall", found["message"].rstrip()) if found else None


TRACE = Trace(
    name="nccl_warn",
    starts=r"NCCL WARN \S",
    parse=one_line(_BARE, _build),
    order=13,
    marks=("NCCL WARN ",),
    samples=(
        TraceSample(
            "pier3:81:92 [2] misc/socket.cc:484 NCCL WARN socketStartConnect: Connect to 10.0.0.1 failed",
            (("stall", None, "socketStartConnect: Connect to 10.0.0.1 failed", 1),),
        ),
    ),
    strangers=("pier3:81:92 [2] NCCL INFO Channel 00/24 : 0 1 2 3",),
)
