"""How YARN and Spark say that a container or an executor was lost.

Source of the format: hadoop-yarn's ContainersMonitorImpl and ContainerExitStatus, Spark's ExecutorLossReason and
YarnAllocator."""

import re

from kb.model.event import Event, Line
from kb.traces import Trace, TraceSample
from kb.traces._told import one_line, told

_BEYOND = re.compile(
    r"(?P<message>Container (?:\[pid=\d+,containerID=\S+\] is running (?:\d+B )?beyond (?:the )?'?(?:physical"
    r"|virtual)'? memory limit.*|killed by YARN for exceeding .*memory limits.*))$"
)
_CODE = re.compile(
    r"(?P<message>(?:Container (?:marked as failed: |exited with a non-zero exit code |killed on request\.)"
    r"|ExecutorLostFailure \(|Lost executor \d+ on ).*)$"
)
_STATUS = re.compile(r"[Ee]xit (?:code|status)(?: is)?:? ?(?P<status>-?\d+)|non-zero exit code (?P<nonzero>\d+)")


def _build(line: Line, _: re.Match[str]) -> Event | None:
    text = line.text.strip()
    if found := _BEYOND.search(text):
        return told(line, "exit", found["message"], exit_status=-9)
    found, said = _CODE.search(text), _STATUS.search(text)
    if found is None:
        return None
    number = int(said["status"] or said["nonzero"]) if said else 1
    status = -(number - 128) if 128 < number < 193 else abs(number)
    return told(line, "exit", found["message"], exit_status=status) if status else None


TRACE = Trace(
    name="yarn",
    starts=r"\bContainer (?:\[pid=\d+,containerID=|killed by YARN|marked as failed|exited with a non-zero|killed on"
    r" request)|ExecutorLostFailure \(|Lost executor \d+ on ",
    parse=one_line(re.compile(rf"{_BEYOND.pattern}|{_CODE.pattern}".replace("(?P<message>", "(?:")), _build),
    order=18,
    marks=(
        "Container [pid=",
        "Container killed ",
        "Container marked as failed",
        "Container exited with",
        "ExecutorLostFailure (",
        "Lost executor ",
    ),
    samples=(
        TraceSample(
            "Container killed by YARN for exceeding physical memory limits. 5.5 GB of 5.5 GB physical memory used.",
            (
                (
                    "exit",
                    None,
                    "Container killed by YARN for exceeding physical memory limits. 5.5 GB of 5.5 GB physical memory"
                    " used.",
                    1,
                ),
            ),
        ),
        TraceSample(
            "Lost executor 3 on pier3: Container marked as failed: c_1 on host: pier3. Exit status: 143.",
            (
                (
                    "exit",
                    None,
                    "Lost executor 3 on pier3: Container marked as failed: c_1 on host: pier3. Exit status: 143.",
                    1,
                ),
            ),
        ),
    ),
    strangers=("Container [pier] is running", "Lost executors: none"),
)
