"""What would be done, as values: every command with its limit. Making a plan touches nothing."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kb.hang.capture.checks import state_words
from kb.hang.capture.processes import Process
from kb.hang.capture.tools import Tools

STACK_SECONDS = 10.0
"""A dump takes 0.05 to 1 s; py-spy on a process that cannot be stopped waits for ever."""
NATIVE_SECONDS = 30.0
"""Symbols of torch and CUDA take 5 to 20 s to read the first time."""
SOCKET_SECONDS = 10.0
"""ss lists ten thousand connections in under a second."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run of one tool on one process. `ending` names its file; `instead` is tried where this one gives nothing."""

    command: tuple[str, ...]
    seconds: float
    ending: str
    stops: bool  # whether the tool pauses the process while it looks
    instead: "Job | None" = None


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is going to happen. `left_out` are ids with the reason, `notes` what the reader should know before."""

    processes: tuple[Process, ...]
    tools: Tools
    folder: Path
    native: bool = False
    samples: int = 2
    interval: float = 30.0
    has_proc: bool = True
    left_out: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = ()


def jobs(process: Process, tools: Tools, native: bool) -> tuple[Job, ...]:
    """The tools to run on a process in this state, in their order: what pauses nothing for one that is stopped, traced or in state D."""
    if process.state in ("Z", "X"):
        return ()
    if process.care:
        return tuple(_careful(process, tools))
    found = list(_python(process, tools, native)) if process.python is not False else []
    return (*found, *(_native(process, tools) if native else ()))


def socket_jobs(tools: Tools) -> tuple[Job, ...]:
    """Once a sample: connections with their queues, and who listens."""
    names = (("-tinp", "ss-tinp.txt"), ("-tlnp", "ss-tlnp.txt")) if tools.ss else ()
    return tuple(Job((str(tools.ss), option), SOCKET_SECONDS, ending, False) for option, ending in names)


def stem(process: Process, sample: int) -> str:
    """How the files of a process begin: `kb hang` reads rank and sample from it."""
    rank = f"rank{process.rank}." if process.rank is not None else ""
    return f"{rank}pid{process.pid}.sample{sample}"


def shown(plan: Plan) -> str:
    """The plan for people, complete: each process, each command, each limit."""
    return "\n".join(_lines(plan)) + "\n"


def _lines(plan: Plan) -> Iterator[str]:
    count = len(plan.processes)
    times = f"{plan.samples} samples, {plan.interval:g} s apart" if plan.samples > 1 else "1 sample"
    yield f"kb capture: {count} process{'es' if count != 1 else ''}, {times}, into {plan.folder}"
    for process in plan.processes:
        rank = f"  rank {process.rank} ({process.rank_by})" if process.rank is not None else ""
        yield f"  pid {process.pid}  user {process.user}  state {state_words(process)}{rank}  {process.command[:120]}"
        if plan.has_proc:
            yield f"    reads /proc/{process.pid}: status, stat, wchan, syscall, stack, threads, open files, command line, rank variables"
        yield from (f"    {line}" for job in jobs(process, plan.tools, plan.native) for line in _job_lines(job))
        if process.python is False and not plan.native:
            yield "    no Python in it: only /proc is read; --native takes stacks of C"
        if process.care:
            yield f"    it is {process.care}: nothing attaches to it or stops it"
    yield from (f"  once a sample: {line}" for job in socket_jobs(plan.tools) for line in _job_lines(job))
    yield from (f"  left out: pid {pid} ({why})" for pid, why in plan.left_out)
    yield from (f"  note: {note}" for note in plan.notes)


def _job_lines(job: Job) -> Iterator[str]:
    how = ", pauses the process while it looks" if job.stops else ""
    yield f"runs {' '.join(_quoted(word) for word in job.command)}   (at most {job.seconds:g} s{how})"
    if job.instead:
        yield from (f"  if that fails, {line}" for line in _job_lines(job.instead))


def _quoted(word: str) -> str:
    return f"'{word}'" if " " in word else word


def _careful(process: Process, tools: Tools) -> Iterator[Job]:
    """Reading memory from outside is all that a process in this state can bear."""
    if process.python is not False and tools.pyspy:
        yield _nonblocking(process, tools.pyspy)


def _python(process: Process, tools: Tools, native: bool) -> Iterator[Job]:
    if tools.pyspy:
        command = (tools.pyspy, "dump", "--json", "--pid", str(process.pid))
        yield Job(command, STACK_SECONDS, "pyspy.json", True, _nonblocking(process, tools.pyspy))
        if native:
            yield Job((tools.pyspy, "dump", "--native", "--pid", str(process.pid)), NATIVE_SECONDS, "pyspy-native.txt", True)
    elif tools.pystack and not native:
        yield Job((tools.pystack, "remote", str(process.pid)), STACK_SECONDS, "pystack.txt", True)


def _nonblocking(process: Process, pyspy: str) -> Job:
    command = (pyspy, "dump", "--nonblocking", "--json", "--pid", str(process.pid))
    return Job(command, STACK_SECONDS, "pyspy.json", False)


def _native(process: Process, tools: Tools) -> Iterator[Job]:
    """pystack alone sees who waits for the interpreter lock; gdb sees every process."""
    if process.python is not False and tools.pystack:
        yield Job((tools.pystack, "remote", "--native-all", str(process.pid)), NATIVE_SECONDS, "pystack-native.txt", True)
    elif tools.gdb:
        options = ("-nx", "-batch", "-p", str(process.pid), "-ex", "set pagination off", "-ex", "thread apply all bt")
        yield Job((tools.gdb, *options), NATIVE_SECONDS, "gdb-bt.txt", True)
