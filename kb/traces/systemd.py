"""How systemd says that a unit ended: `Main process exited, code=killed, status=9/KILL`, `Failed with result
'oom-kill'`.

Source of the format: src/core/service.c and unit.c of systemd.
"""

import re

from kb.model.event import Event, Line
from kb.traces import Trace, TraceSample
from kb.traces._told import one_line, told

_EXITED = re.compile(
    r"(?<!\S)(?P<unit>\S+\.\w+): (?:Main|Control|Mount|Swap) process exited, code=(?P<code>exited|killed|dumped),"
    r" status=(?P<status>\d+)(?:/(?P<name>[\w/]+))?"
)
_OOM = re.compile(r"(?<!\S)(?P<unit>\S+\.\w+): A process of this unit has been killed by the OOM killer")
_RESULT = re.compile(r"(?<!\S)(?P<unit>\S+\.\w+): Failed with result '(?P<result>[\w-]+)'")
_RESULTS = {"oom-kill": -9, "core-dump": -6, "signal": -9, "timeout": -15, "watchdog": -6}
"""What a unit's result says of the signal that ended it; the line before says it exactly, where the log has it."""
_ANY = re.compile("|".join(re.sub(r"\?P<\w+>", "?:", each.pattern) for each in (_EXITED, _OOM, _RESULT)))


def _build(line: Line, _: re.Match[str]) -> Event | None:
    text = line.text.strip()
    if found := _EXITED.search(text):
        number = int(found["status"])
        status = -number if found["code"] != "exited" else -(number - 128) if 128 < number < 193 else number
        return told(line, "exit", text, exit_status=status) if status else None
    if _OOM.search(text):
        return told(line, "exit", text, exit_status=-9, language="kernel")
    found = _RESULT.search(text)
    return told(line, "exit", text, exit_status=_RESULTS.get(found["result"], 1)) if found else None


TRACE = Trace(
    name="systemd",
    starts=r"process exited, code=(?:exited|killed|dumped), status=\d|killed by the OOM killer|: Failed with result '",
    parse=one_line(_ANY, _build),
    order=18,
    marks=("process exited, code=", "killed by the OOM killer", "Failed with result '"),
    samples=(
        TraceSample(
            "pier.service: Main process exited, code=killed, status=9/KILL",
            (("exit", None, "pier.service: Main process exited, code=killed, status=9/KILL", 1),),
        ),
        TraceSample(
            "pier.service: Failed with result 'oom-kill'.",
            (("exit", None, "pier.service: Failed with result 'oom-kill'.", 1),),
        ),
    ),
    strangers=("pier.service: Main process exited, code=exited, status=0/SUCCESS", "Started pier.service"),
)
