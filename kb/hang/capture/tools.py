"""Foreign programs: where they are, and one run of one of them, bounded in time and output."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

GRACE = 2.0
"""Seconds between asking a tool to end and killing it; py-spy ignores an interrupt when it is stuck."""
MAX_OUTPUT = 32 * 1024 * 1024
"""Bytes that one run may write: 4,000 threads with 100 frames, as JSON."""
MAX_ERROR = 4000
"""Characters kept of a tool's complaint."""
_POLL = 0.02


@dataclass(frozen=True, slots=True)
class Tools:
    """Paths of the tools that are there."""

    pyspy: str | None = None
    pystack: str | None = None
    gdb: str | None = None
    ss: str | None = None


@dataclass(frozen=True, slots=True)
class Ran:
    """One run. `killed` says why it was ended by us: `timed out`, `too much output`, else empty. `code` is None where it did not start."""

    command: tuple[str, ...]
    code: int | None
    seconds: float
    killed: str = ""
    error: str = ""
    size: int = 0

    @property
    def good(self) -> bool:
        """Whether there is something to read."""
        return self.code == 0 and self.size > 0


def find_tools() -> Tools:
    """The tools on PATH or beside this interpreter, where an environment has them that is not on PATH."""
    return Tools(*(_find(name) for name in ("py-spy", "pystack", "gdb", "ss")))


def run(command: Sequence[str], output: Path, timeout: float, limit: int = MAX_OUTPUT) -> Ran:
    """Run a command with its standard output in `output`, which is removed again where it stays empty.

    After `timeout` seconds or `limit` bytes the command's own process group is asked to end and killed `GRACE` seconds later; no other
    process is touched. Never raises for what the command does.
    """
    errors = output.with_name(f".{output.name}.stderr")
    start = time.monotonic()
    try:
        with output.open("wb") as out, errors.open("wb") as err:
            code, killed = _watched(command, out, err, output, start + timeout, limit)
        return _ended(tuple(command), code, killed, time.monotonic() - start, output, _tail(errors))
    except OSError as error:
        return _ended(tuple(command), None, "", time.monotonic() - start, output, f"{command[0]}: {error.strerror}")
    finally:
        errors.unlink(missing_ok=True)


def _watched(command: Sequence[str], out: IO[bytes], err: IO[bytes], output: Path, end: float, limit: int) -> tuple[int | None, str]:
    environment = {**os.environ, "DEBUGINFOD_URLS": "", "NO_COLOR": "1", "LC_ALL": "C"}
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment, start_new_session=True)
    killed = ""
    try:
        while child.poll() is None and not killed:
            if time.monotonic() > end:
                killed = "timed out"
            elif output.stat().st_size > limit:
                killed = "too much output"
            else:
                time.sleep(_POLL)
    finally:
        _end(child)
    return child.poll(), killed


def _end(child: "subprocess.Popen[bytes]") -> None:
    """End a child of ours and what it started: ask, wait, kill."""
    for ask, patience in (("SIGTERM", GRACE), ("SIGKILL", GRACE)):
        if child.poll() is not None:
            return
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(child.pid, getattr(signal, ask))
            else:
                child.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(patience)


def _ended(command: tuple[str, ...], code: int | None, killed: str, seconds: float, output: Path, error: str) -> Ran:
    size = output.stat().st_size if output.exists() else 0
    if not size:
        output.unlink(missing_ok=True)
    return Ran(command, code, round(seconds, 3), killed, error, size)


def _tail(path: Path) -> str:
    with path.open("rb") as stream:
        text = stream.read(MAX_ERROR).decode("utf-8", "backslashreplace")
    return text.partition("Stack backtrace:")[0].strip()


def _find(name: str) -> str | None:
    beside = Path(sys.executable).parent
    return shutil.which(name) or shutil.which(name, path=str(beside))
