"""Processes: which ones are meant, and what /proc says about them before anything attaches."""

import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kb.hang.capture.private import masked, rank_like

PROC = Path("/proc")
PATIENCE = 2.0
"""Seconds that one read of a process's own memory may take: the kernel makes it wait while the process is stuck holding its map."""
MAX_COMMAND = 800
"""Characters kept of a command line."""
RANK_NAMES = ("RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID")
"""Variables that number a process, the most exact first: under `srun torchrun` SLURM_PROCID counts nodes, RANK the workers."""

_OURSELVES = re.compile(r"\bkb['\"]?\s+capture\b")
_HELPERS = re.compile(r"multiprocessing[./](?:resource_tracker|forkserver)\b")


@dataclass(frozen=True, slots=True)
class Process:
    """One process at one moment. `state` is the kernel's letter, empty where there is no /proc; `ticks` is its CPU time so far.

    `inner` is its id inside its own PID namespace where that differs. `python` is None where nobody may look. `started` tells a process
    from a later one with the same id.
    """

    pid: int
    state: str = ""
    parent: int = 0
    user: str = "?"
    uid: int | None = None
    command: str = "?"
    started: int = 0
    ticks: int = 0
    tracer: int = 0
    threads: str = ""  # the states of all threads, each once
    inner: int | None = None
    python: bool | None = None
    variables: tuple[tuple[str, str], ...] = ()
    rank: str | None = None
    rank_by: str = ""

    @property
    def care(self) -> str:
        """Why nothing may stop this process for a look, in words; empty for an ordinary one."""
        if self.state in ("Z", "X"):
            return "dead (zombie)"
        if self.state == "T":
            return "stopped"
        if self.tracer or "t" in self.threads or self.state == "t":
            return f"traced by pid {self.tracer}" if self.tracer else "traced"
        return "in state D" if "D" in self.threads or self.state == "D" else ""


def read_process(pid: int, proc: Path = PROC) -> Process | None:
    """The process with this id now; None where there is none. Without /proc only its id is known."""
    if not proc.is_dir():
        return Process(pid)
    folder = proc / str(pid)
    stat, status = _text(folder / "stat"), _text(folder / "status")
    values = stat[stat.rfind(")") + 2 :].split()
    if len(values) < 20:
        return None
    uid = _field(status, "Uid")
    own = bounded if values[0] == "D" else _text
    variables = rank_like(own(folder / "environ"))
    return Process(
        pid, values[0], int(values[1]), _user(uid), uid, command_of(own(folder / "cmdline"), stat), int(values[19]),
        int(values[11]) + int(values[12]), _field(status, "TracerPid") or 0, _thread_states(folder), _inner(status, pid),
        _is_python(folder, own), variables,
    )  # fmt: skip


def listed(proc: Path = PROC) -> Iterator[tuple[int, int, str]]:
    """(id, parent's id, unmasked command line or name) of all processes, kernel threads left out."""
    for entry in sorted((e.name for e in proc.iterdir() if e.name.isdigit()), key=int):
        stat = _text(proc / entry / "stat")
        values = stat[stat.rfind(")") + 2 :].split()
        if len(values) < 20 or 2 in (int(entry), int(values[1])):
            continue
        words = _text(proc / entry / "cmdline").replace("\0", " ").strip()
        yield int(entry), int(values[1]), words or stat[stat.find("(") + 1 : stat.rfind(")")]


def named(pattern: re.Pattern[str], rows: Iterable[tuple[int, int, str]], me: int) -> tuple[list[int], list[int]]:
    """Ids whose command line holds the pattern, and those left out of them: helpers of multiprocessing. Never `me`, who started me, or
    another that has `kb capture` in its command line (srun, docker exec)."""
    every = list(rows)
    parents = {pid: parent for pid, parent, _ in every}
    ours = set(ancestors(me, parents)) | {me}
    found = [(pid, words) for pid, _, words in every if pid not in ours and not _OURSELVES.search(words) and pattern.search(words)]
    return _parted(found)


def descendants(pid: int, rows: Iterable[tuple[int, int, str]], me: int) -> tuple[list[int], list[int]]:
    """Ids of all processes below this one, in the order of their ids, and those left out: helpers of multiprocessing, and `me`."""
    every = list(rows)
    parents = {child: parent for child, parent, _ in every}
    return _parted([(child, words) for child, _, words in every if child != me and pid in ancestors(child, parents)])


def ancestors(pid: int, parents: dict[int, int]) -> list[int]:
    """Parent, grandparent and so on."""
    found: list[int] = []
    while (parent := parents.get(pid, 0)) and parent not in found:
        found.append(parent)
        pid = parent
    return found


def command_of(cmdline: str, stat: str) -> str:
    """The command line to show, or the name in brackets where there is none."""
    words = " ".join(cmdline.replace("\0", " ").split())
    return masked(words)[:MAX_COMMAND] if words else f"[{stat[stat.find('(') + 1 : stat.rfind(')')]}]"


def bounded(path: Path) -> str:
    """What `_text` gives, or nothing where the kernel lets the read wait."""
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append(_text(path)), daemon=True)
    reader.start()
    reader.join(PATIENCE)
    return found[0] if found else ""


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "backslashreplace")
    except OSError:
        return ""


def _field(status: str, name: str) -> int | None:
    found = re.search(rf"^{name}:\s+(\d+)", status, re.MULTILINE)
    return int(found[1]) if found else None


def _inner(status: str, pid: int) -> int | None:
    found = re.search(r"^NSpid:.*\t(\d+)$", status, re.MULTILINE)
    return int(found[1]) if found and int(found[1]) != pid else None


def _thread_states(folder: Path) -> str:
    try:
        stats = [_text(task / "stat") for task in (folder / "task").iterdir()]
    except OSError:
        return ""
    return "".join(sorted({stat[stat.rfind(")") + 2 : stat.rfind(")") + 3] for stat in stats if stat}))


def _is_python(folder: Path, read: Callable[[Path], str]) -> bool | None:
    maps = read(folder / "maps")
    return bool(re.search(r"^\S+ .*/[^/\n]*python", maps, re.MULTILINE | re.IGNORECASE)) if maps else None


def _user(uid: int | None) -> str:
    if uid is None:
        return "?"
    try:
        import pwd

        return pwd.getpwuid(uid).pw_name
    except (ImportError, KeyError):
        return str(uid)


def _parted(found: list[tuple[int, str]]) -> tuple[list[int], list[int]]:
    kept = [pid for pid, words in found if not _HELPERS.search(words)]
    return kept, [pid for pid, _ in found if pid not in kept]


def alive(pid: int) -> bool:
    """Whether there is such a process, where there is no /proc to ask."""
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
