"""Carry a plan out: read /proc, look at the sockets, run the tools one after the other, and see that everybody stands as before."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from kb.hang.capture.checks import left_stopped, resume_if_ours, settled, state_words
from kb.hang.capture.plan import Job, Plan, jobs, socket_jobs, stem
from kb.hang.capture.private import masked
from kb.hang.capture.processes import PROC, Process, read_process
from kb.hang.capture.snapshot import snapshot
from kb.hang.capture.sockets import of_processes
from kb.hang.capture.tools import Ran, run

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Step:
    """One tool's run in one sample. `file` is what it left in the folder, None where it left nothing; `resumed` whether the process
    had to be continued afterwards."""

    sample: int
    ran: Ran
    file: str | None
    resumed: bool = False


@dataclass(slots=True)
class Taken:
    """What was done to one process. `after` is the process at the end, None where it is gone."""

    process: Process
    steps: list[Step] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    after: Process | None = None
    left_stopped: bool = False
    spared: bool = False  # a tool that pauses it had to be killed: no further one is tried

    @property
    def resumed(self) -> bool:
        """Whether a tool of ours left it stopped and it was continued."""
        return any(step.resumed for step in self.steps)

    @property
    def complaint(self) -> str:
        """What the last tool said that gave nothing; empty where some tool gave a stack."""
        if any(step.file and step.ran.good for step in self.steps):
            return ""
        return next((step.ran.error or step.ran.killed for step in reversed(self.steps)), "")


def take(plan: Plan, say: Say, proc: Path = PROC, sleep: Callable[[float], None] = time.sleep) -> tuple[list[Taken], list[Step]]:
    """The processes in the plan's order, and the runs that belong to none. Files are in `plan.folder`, which must be there."""
    taken = [Taken(process) for process in plan.processes]
    sockets: list[Step] = []
    start = time.monotonic()
    for sample in range(1, plan.samples + 1):
        wait = start + (sample - 1) * plan.interval - time.monotonic()
        if sample > 1 and wait > 0:
            say(f"sample {sample} of {plan.samples} in {wait:.0f} s")
            sleep(wait)
        there = [one for one in taken if _read(plan, one, sample, say, proc)]
        sockets += _sockets(plan, sample)
        for one in there:
            _stacks(plan, one, sample, say, proc)
    for one in taken:
        _check(one, say, proc)
    return taken, sockets


def _read(plan: Plan, one: Taken, sample: int, say: Say, proc: Path) -> bool:
    """Keep what /proc says, before anything attaches to any process; False where the process is gone."""
    now = _now(one, proc)
    if now is None:
        say(f"pid {one.process.pid} ended before sample {sample}")
        return False
    if plan.has_proc:
        name = f"{stem(now, sample)}.proc.txt"
        _write(plan.folder / name, snapshot(now, proc))
        one.files.append(name)
    return True


def _stacks(plan: Plan, one: Taken, sample: int, say: Say, proc: Path) -> None:
    """Run the tools that suit the process as it is at this moment."""
    now = _now(one, proc)
    for job in jobs(now, plan.tools, plan.native) if now else ():
        if not (job.stops and one.spared):
            one.steps += _steps(plan, one, sample, job, say, proc)
        elif job.instead:
            one.steps += _steps(plan, one, sample, job.instead, say, proc)


def _now(one: Taken, proc: Path) -> Process | None:
    """The process at this moment with the rank that it was given; None where it is gone, or another one has its id."""
    now = read_process(one.process.pid, proc)
    if now is None or now.started != one.process.started:
        return None
    return replace(now, rank=one.process.rank, rank_by=one.process.rank_by)


def _steps(plan: Plan, one: Taken, sample: int, job: Job, say: Say, proc: Path) -> Iterator[Step]:
    """One job, and what stands in for it where it gives nothing."""
    before = read_process(one.process.pid, proc) or one.process
    output = plan.folder / f"{stem(one.process, sample)}.{job.ending}"
    badly, resumed = True, False
    try:
        ran = run(job.command, output, job.seconds)
        badly = bool(ran.killed) or ran.code != 0
    finally:
        if job.stops and (resumed := resume_if_ours(before, badly, proc)):
            say(f"pid {one.process.pid} was left stopped by our {Path(job.command[0]).name}: continued with SIGCONT")
    one.spared = one.spared or (job.stops and bool(ran.killed))
    last = ran.good or job.instead is None
    yield Step(sample, ran, _kept(output, ran, last), resumed)
    if not last and job.instead:
        yield from _steps(plan, one, sample, job.instead, say, proc)


def _kept(output: Path, ran: Ran, last: bool) -> str | None:
    """The name of the file that stays: the output, or the complaint of a tool that nothing stands in for."""
    if ran.size and (ran.good or (last and (ran.killed or _has_stack(output)))):
        if output.suffix == ".txt":
            _tidy(output, ran)
        return output.name
    output.unlink(missing_ok=True)
    if not last or not (ran.error or ran.killed):
        return None
    complaint = output.with_name(f"{output.name}.error.txt")
    _write(complaint, f"{ran.error}\n" + ("[capture timed out]\n" if ran.killed == "timed out" else ""))
    return complaint.name


def _has_stack(output: Path) -> bool:
    """Whether a tool that failed got as far as a thread."""
    text = output.read_text(encoding="utf-8", errors="replace")
    return any(word in text for word in ("\nThread ", '"thread_id"', "Traceback for thread"))


def _tidy(output: Path, ran: Ran) -> None:
    """Mask the command line that py-spy prints at the top, and say where the dump was cut."""
    head, _, rest = output.read_text(encoding="utf-8", errors="backslashreplace").partition("\n")
    end = "\n[capture timed out]\n" if ran.killed == "timed out" else ""
    _write(output, f"{masked(head) if head.startswith('Process ') else head}\n{rest}{end}")


def _sockets(plan: Plan, sample: int) -> Iterator[Step]:
    pids = {process.pid for process in plan.processes}
    for job in socket_jobs(plan.tools):
        output = plan.folder / f"sample{sample}.{job.ending}"
        ran = run(job.command, output, job.seconds)
        kept = of_processes(output.read_text(encoding="utf-8", errors="replace"), pids) if ran.good else ""
        if kept:
            _write(output, kept)
        else:
            output.unlink(missing_ok=True)
        yield Step(sample, ran, output.name if kept else None)


def _check(one: Taken, say: Say, proc: Path) -> None:
    one.after = settled(one.process, proc)
    if one.after is not None and one.after.started != one.process.started:
        one.after = None
    one.left_stopped = left_stopped(one.process, one.after)
    if one.left_stopped:
        pid = one.process.pid
        say(f"pid {pid} is {state_words(one.after)} now and was not before; no tool of ours was ended while it "
            f"stopped it, so it is left alone: kill -CONT {pid}")  # fmt: skip


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
