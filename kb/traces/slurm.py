"""How Slurm says that a job or step ended: out of memory, time limit, cancelled, tasks that were killed.

Source of the format: slurmstepd's task_cgroup_memory.c and mgr.c, srun's libsrun/task_state and launch.c.
"""

import re

from kb.model.event import Event, Line
from kb.traces import Trace, TraceSample
from kb.traces._told import one_line, told

_OOM = re.compile(
    r"(?:slurmstepd[^:]*: )?error: (?P<message>Detected \d+ oom[-_ ]kill events?\b.*|.{0,500}\bExceeded (?:job|step) memory"
    r" limit.*)$"
)
_CANCELLED = re.compile(
    r"(?:slurmstepd[^:]*|srun|salloc): (?:error: )?(?P<message>\*\*\* (?:JOB|STEP) \S+ (?:ON \S+ )?(?:CANCELLED"
    r"|FAILED) .*\*\*\*)"
)
_DUE = re.compile(r"DUE TO (?P<why>.*?)(?: \*\*\*|$)")
_TASKS = re.compile(
    r"srun: error: (?P<message>(?P<node>\S+): tasks? (?P<tasks>[\d,-]+): (?P<how>Exited with exit code (?P<code>\d+)"
    r"|Out Of Memory|Killed|Terminated|Segmentation fault|Aborted|Bus error|Illegal instruction|Floating point"
    r" exception|Hangup)(?: \(core dumped\))?)"
)
_LOST = re.compile(
    r"(?:srun: error: (?P<message>Node failure on .*|Timed out waiting for job step to complete.*)"
    r"|^(?P<exceeded>slurmstepd: error: .*exceeded .* limit.*))$"
)
_SIGNALS = {
    "Out Of Memory": 9,
    "Killed": 9,
    "Terminated": 15,
    "Segmentation fault": 11,
    "Aborted": 6,
    "Bus error": 7,
    "Illegal instruction": 4,
    "Floating point exception": 8,
    "Hangup": 1,
}
_ANY = re.compile("|".join(re.sub(r"\?P<\w+>", "?:", each.pattern) for each in (_OOM, _CANCELLED, _TASKS, _LOST)))


def _build(line: Line, _: re.Match[str]) -> Event | None:
    text = line.text.strip()
    if found := _OOM.search(text):
        return told(
            line, "exit", found["message"], exit_status=-9, language="kernel"
        )  # the kernel killed, slurmstepd counted
    if found := _CANCELLED.search(text):
        why = _DUE.search(found["message"])
        if why and "TASK FAILURE" not in why["why"]:
            return told(line, "error", found["message"])
        return told(line, "exit", found["message"], exit_status=-15)
    if found := _TASKS.search(text):
        status = int(found["code"]) if found["code"] else -_SIGNALS[found["how"]]
        status = -(status - 128) if 128 < status < 193 else status
        rank = found["tasks"] if found["tasks"].isdigit() else None
        return told(line, "exit", found["message"], exit_status=status, rank=rank) if status else None
    if found := _LOST.search(text):
        return told(line, "error", found["message"] or found["exceeded"])
    return None


TRACE = Trace(
    name="slurm",
    starts=r"oom[-_ ]kill event|CANCELLED|FAILED|Exceeded (?:job|step) memory|srun: error: |slurmstepd: error: ",
    parse=one_line(_ANY, _build),
    order=14,
    marks=(
        "slurmstepd",
        "srun: ",
        "salloc: ",
        "oom-kill event",
        "oom_kill event",
        "Exceeded job memory",
        "Exceeded step memory",
    ),
    samples=(
        TraceSample(
            "slurmstepd: error: Detected 1 oom_kill event in StepId=7.batch. Some of the step tasks have been OOM"
            " Killed.",
            (
                (
                    "exit",
                    None,
                    "Detected 1 oom_kill event in StepId=7.batch. Some of the step tasks have been OOM Killed.",
                    1,
                ),
            ),
        ),
        TraceSample(
            "slurmstepd: error: *** JOB 7 ON pier3 CANCELLED AT 2026-01-31T10:00:00 DUE TO TIME LIMIT ***",
            (("error", None, "*** JOB 7 ON pier3 CANCELLED AT 2026-01-31T10:00:00 DUE TO TIME LIMIT ***", 1),),
        ),
        TraceSample(
            "srun: error: pier3: task 4: Segmentation fault (core dumped)",
            (("exit", None, "pier3: task 4: Segmentation fault (core dumped)", 1),),
        ),
        TraceSample(
            "srun: error: pier3: tasks 0-3: Exited with exit code 1",
            (("exit", None, "pier3: tasks 0-3: Exited with exit code 1", 1),),
        ),
    ),
    strangers=("srun: job 7 has been allocated resources", "slurmstepd: task 3 started"),
)
