"""How PBS, Torque, LSF and Grid Engine say that a job was killed or ran over a limit.

Source of the format: pbs_mom's mom_over_limit and job kill messages, LSF's job report, Torque's job epilogue.
"""

import re

from kb.model.event import Event, Line
from kb.traces import Trace, TraceSample
from kb.traces._told import one_line, told

_LIMIT = re.compile(
    r"=>> PBS: job killed: (?P<message>.*)$|^(?P<lsf>TERM_(?:MEMLIMIT|RUNLIMIT|CPULIMIT|SWAP|PROCESSLIMIT|THREADLIMIT"
    r"|OWNER|ADMIN): .*)$"
)
_KILLED = re.compile(
    r"^(?P<message>(?:Job \d\S* was killed|Terminating job \S+ because|Exit_status=(?P<status>-?\d+)|Exited with"
    r" (?:exit )?(?:code|status) (?P<code>\d+)\.?$).*)$"
)


def _build(line: Line, _: re.Match[str]) -> Event | None:
    text = line.text.strip()
    if found := _LIMIT.search(text):
        return told(line, "error", found["message"] or found["lsf"])
    found = _KILLED.search(text)
    if found is None:
        return None
    number = int(found["status"] or found["code"] or 1)
    status = -(number % 256 - 128) if number % 256 > 128 else number
    return told(line, "exit", found["message"], exit_status=status) if status else None


TRACE = Trace(
    name="pbs",
    starts=r"=>> PBS: job killed: |^TERM_[A-Z]+: |^Job \d\S* was killed|^Terminating job |^Exit_status=",
    parse=one_line(re.compile(rf"{_LIMIT.pattern}|{_KILLED.pattern}".replace("(?P<message>", "(?:")), _build),
    order=14,
    marks=("=>> PBS: ", "TERM_", "Exit_status=", " was killed", "Terminating job "),
    samples=(
        TraceSample(
            "=>> PBS: job killed: walltime 3610 exceeded limit 3600",
            (("error", None, "walltime 3610 exceeded limit 3600", 1),),
        ),
        TraceSample(
            "TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.",
            (("error", None, "TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.", 1),),
        ),
        TraceSample("Exit_status=271", (("exit", None, "Exit_status=271", 1),)),
    ),
    strangers=("Exit_status=0", "the weed was killed by frost"),
)
