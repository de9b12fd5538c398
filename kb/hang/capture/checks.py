"""Looking without touching: is it a hang at all, and is everything as it was afterwards."""

import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.hang.capture.processes import PROC, Process, read_process

WATCHED = 1.0
"""Seconds between the two looks that tell whether a process computes and a log grows."""
BUSY = 0.1
"""Share of one CPU from which a process counts as computing: heartbeats and polling loops of a hung one stay below 0.05, and on a full
machine one that computes gets less than a whole CPU."""
SETTLES = 1.0
"""Seconds that a process gets to leave a stop that a detaching tool takes back by itself."""
STATES = {"R": "running", "S": "sleeping", "D": "uninterruptible", "T": "stopped", "t": "traced", "Z": "zombie", "X": "dead", "I": "idle"}


@dataclass(frozen=True, slots=True)
class Symptom:
    """What two looks at a process say. `hung` is False only where it plainly is not: it has finished."""

    pid: int
    words: str
    hung: bool = True
    cpu: float = 0.0  # share of one CPU between the looks


@dataclass(frozen=True, slots=True)
class Growth:
    """A log's size at two looks and the seconds since its last line; `bytes` is None where it cannot be read."""

    path: str
    bytes: int | None
    grown: int
    idle: float

    @property
    def words(self) -> str:
        """For the report."""
        if self.bytes is None:
            return f"log {self.path} cannot be read"
        if self.grown:
            return f"log {self.path} is growing ({self.grown} bytes in {WATCHED:g} s)"
        return f"log {self.path} is silent for {self.idle:.0f} s"


def observe(processes: Sequence[Process], log: Path | None, proc: Path = PROC, sleep: Callable[[float], None] = time.sleep,
            ) -> tuple[list[Symptom], Growth | None]:  # fmt: skip
    """The symptoms of all processes and the growth of the log, from two looks one second apart."""
    size, start = _size(log), time.monotonic()
    sleep(WATCHED)
    passed = max(time.monotonic() - start, WATCHED)
    symptoms = [_symptom(process, read_process(process.pid, proc), passed) for process in processes]
    return symptoms, _growth(log, size) if log else None


def resume_if_ours(before: Process, was_killed: bool, proc: Path = PROC) -> bool:
    """Continue a process that our own tool left stopped; True where that was done.

    Only this process, only when it was not stopped before, a tool of ours was killed on it just now, and it still is the same process.
    No other process ever gets a signal from here, and none gets another one than SIGCONT.
    """
    if not was_killed or _stands(before) or before.care == "dead (zombie)":
        return False
    now = settled(before, proc)
    if now is None or "T" not in now.state + now.threads or now.started != before.started or now.tracer:
        return False
    try:
        os.kill(now.pid, signal.SIGCONT)
    except OSError:
        return False
    return True


def settled(before: Process, proc: Path = PROC) -> Process | None:
    """The process now; one that is newly stopped gets a moment to leave that state first."""
    end = time.monotonic() + SETTLES
    while (now := read_process(before.pid, proc)) and left_stopped(before, now):
        if time.monotonic() > end:
            break
        time.sleep(0.05)
    return now


def left_stopped(before: Process, now: Process | None) -> bool:
    """Whether it stands still now and did not before."""
    return now is not None and _stands(now) and not _stands(before) and now.started == before.started


def state_words(process: Process | None) -> str:
    """A state for people: `S (sleeping), traced by pid 7`."""
    if process is None:
        return "gone"
    if not process.state:
        return "unknown (no /proc)"
    care = process.care if process.care.startswith("traced by") else ""
    return f"{process.state} ({STATES.get(process.state, '?')})" + (f", {care}" if care else "")


def _stands(process: Process) -> bool:
    """Whether some thread of it is stopped, by a signal or a tracer."""
    return any(letter in process.state + process.threads for letter in "Tt")


def _symptom(old: Process, now: Process | None, passed: float) -> Symptom:
    if now is None or now.started != old.started:
        return Symptom(old.pid, "has finished: there is nothing left to look at, `kb match` its log", False)
    if now.state in ("Z", "X"):
        return Symptom(old.pid, "has finished and was not reaped (zombie): who waits for it?", False)
    if care := now.care:
        return Symptom(old.pid, f"is {care}: it is only read, not stopped")
    if not now.state:
        return Symptom(old.pid, "cannot be watched on this system")
    cpu = (now.ticks - old.ticks) / _ticks_per_second() / passed
    if cpu >= BUSY:
        return Symptom(old.pid, f"is busy ({cpu:.0%} of a CPU): it may compute and not hang, two samples will tell", cpu=cpu)
    return Symptom(old.pid, f"waits ({cpu:.0%} of a CPU)", cpu=cpu)


def _ticks_per_second() -> float:
    return float(os.sysconf("SC_CLK_TCK")) if hasattr(os, "sysconf") else 100.0


def _size(log: Path | None) -> int | None:
    try:
        return log.stat().st_size if log else None
    except OSError:
        return None


def _growth(log: Path, old: int | None) -> Growth:
    try:
        stat = log.stat()
    except OSError:
        return Growth(str(log), None, 0, 0.0)
    return Growth(str(log), stat.st_size, max(0, stat.st_size - (old or 0)), max(0.0, time.time() - stat.st_mtime))
