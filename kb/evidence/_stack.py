"""What the parsers of stacks share: frames, and names without their decoration."""

import re
from collections.abc import Sequence

from kb.model.snapshot import Call, Stack, Thread

MAX_FRAMES = 400
"""Frames kept of one thread: CPython's own limit is 1,000 deep, and what differs stands at the inner end."""
MAX_THREADS = 4000
"""Threads kept of one dump; a server with more has a leak, not a hang."""
MAX_VALUE = 200
"""Characters kept of one argument or local."""
MAX_NAME = 300
"""Characters kept of a function's name: C++ templates reach 4,500."""

_PYTHON = (".py", ".pyc", ".pyx", ".pxd", ".ipynb")
_ROOTS = ("<module>", "_bootstrap", "_start", "__clone3", "clone3", "start_thread", "_run_code", "main", "__libc_start_main")


def is_python(file: str) -> bool:
    """Whether a frame's file is Python source; libraries and C sources are not."""
    return file.endswith(_PYTHON) or file.startswith("<") or file == "?python"


def call(function: str, file: str, line: str | int | None, native: bool | None = None) -> Call:
    """A frame with its names cut to length and its line as a number, 0 counting as none."""
    number = int(line) if line and str(line).isdigit() and len(str(line)) < 10 else None
    return Call(function[:MAX_NAME], file[:MAX_NAME], number or None, not is_python(file) if native is None else native)


def is_cut(frames: Sequence[Call]) -> bool:
    """Whether the outermost frame is none that a thread begins with."""
    if not frames:
        return False
    last = frames[-1].function
    return not (last.startswith("0x") or last.rsplit(".", 1)[-1] in _ROOTS or frames[-1].native)


def bare(function: str) -> str:
    """The last component of a qualified name: equal in all versions of Python."""
    if function.endswith(">") and "." in function:
        head, _, tail = function.rpartition(".<")
        return f"<{tail}" if head and not tail.startswith("locals") else function
    return function.rsplit(".", 1)[-1] if "::" not in function else function


def make_stack(tool: str, file: str, line: int, threads: Sequence[tuple[int | None, Thread]], **more: object) -> Stack:
    """A stack of (thread id, thread) pairs."""
    kept = list(threads)[:MAX_THREADS]
    return Stack(tool, file, line, tuple(t for _, t in kept), tuple(n for n, _ in kept), **more)  # type: ignore[arg-type]


def number(text: str | None) -> int | None:
    """A decimal or hexadecimal id; None for none and for what is absurdly long."""
    if not text or len(text) > 20:
        return None
    try:
        return int(text, 0)
    except ValueError:
        return int(text) if re.fullmatch(r"\d{1,18}", text, re.ASCII) else None
