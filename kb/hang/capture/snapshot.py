"""What /proc says about one process, as text below `==> path <==` headings that `kb hang` reads."""

from collections.abc import Iterator
from pathlib import Path

from kb.hang.capture.processes import PROC, Process
from kb.hang.capture.ranks import shown_variables

MAX_THREADS = 500
"""Threads of one process that are looked at; servers have hundreds, a leak of them has thousands that all look alike."""
MAX_FDS = 200
"""Open files that are listed."""
MAX_BYTES = 16_384
"""Bytes kept of one file of /proc."""
PARTS = ("status", "stat", "wchan", "syscall", "stack")
THREAD_PARTS = ("comm", "status", "wchan", "syscall", "stack")


def snapshot(process: Process, proc: Path = PROC) -> str:
    """The text of everything readable. Of the environment only what `rank_like` admits; never blocks, never raises."""
    return "".join(_sections(process, proc / str(process.pid), f"/proc/{process.pid}"))


def _sections(process: Process, folder: Path, shown: str) -> Iterator[str]:
    for part in PARTS:
        yield _section(f"{shown}/{part}", _text(folder / part))
    yield _section(f"{shown}/cmdline", process.command)
    yield _section(f"{shown}/environ", "\n".join(shown_variables(process)))
    for task in _entries(folder / "task")[:MAX_THREADS]:
        for part in THREAD_PARTS:
            yield _section(f"{shown}/task/{task}/{part}", _text(folder / "task" / task / part))
    links = (f"{fd} -> {_link(folder / 'fd' / fd)}" for fd in _entries(folder / "fd")[:MAX_FDS])
    yield _section(f"{shown}/fd", "\n".join(links))


def _section(heading: str, text: str) -> str:
    return f"==> {heading} <==\n{text.rstrip()}\n" if text.strip("\0\n ") else ""


def _entries(folder: Path) -> list[str]:
    try:
        return sorted((entry.name for entry in folder.iterdir()), key=lambda name: (len(name), name))
    except OSError:
        return []


def _text(path: Path) -> str:
    try:
        with path.open("rb", buffering=0) as stream:
            return stream.read(MAX_BYTES).decode("utf-8", "backslashreplace")
    except OSError:
        return ""


def _link(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:
        return "?"
