"""What one thread waits for: Python frames, native frames, kernel and strace put together."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kb.hang import known_calls as known
from kb.hang.frames import Key, bare, home, is_library, is_wrapper, path, python, user_frame
from kb.model.snapshot import Call, Gil, Task, Thread, Traced

_NATIVE = [(kind, re.compile(pattern)) for kind, pattern in known.NATIVE]
_KERNEL = [(kind, re.compile(pattern)) for kind, pattern in known.KERNEL]
_NAMED_WAIT = re.compile(known.NAMED_WAITS)
GIL_SPINS = 3
"""Timed-out waits of 5 ms in one trace from which a thread counts as waiting for the interpreter lock."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One thread as the rules see it. `kind` is what it waits for (see known_calls), `system` what the kernel says of it."""

    name: str
    tid: int | None
    kind: str
    op: str
    system: str
    frame: Call | None  # the innermost frame of the user's code
    frames: tuple[Call, ...]
    natives: tuple[str, ...]  # functions below Python, innermost first
    path: tuple[Key, ...]
    file: str
    line: int
    gil: Gil | None
    running: bool
    main: bool
    sure: bool  # known by more than the Python frames' silence
    cut: bool = False
    locks: tuple[tuple[str, str], ...] = ()
    timed: bool = False
    shared: bool = False  # a futex between processes
    polled: str = ""

    @property
    def leaf(self) -> Call | None:
        """The innermost Python frame."""
        return next(iter(python(self.frames)), None)

    @property
    def weighs(self) -> bool:
        """Whether the thread is more than one that waits for work or for others of its process."""
        return self.kind not in known.PASSIVE_KINDS


def view(
    thread: Thread,
    tid: int | None,
    file: str,
    line: int,
    main: bool,
    natives: Sequence[Call] = (),
    gil: Gil | None = None,
    task: Task | None = None,
    traced: Traced | None = None,
    trusted: bool = True,
    locks: Iterable[tuple[str, str]] = (),
) -> View:
    """A thread with all that is known of it."""
    frames = thread.frames
    below = _below(natives or frames)
    system, shared = _system(task, traced, below)
    gil = gil or thread.gil or ("waits" if traced and traced.spins >= GIL_SPINS else None)
    kind, op = python_wait(frames)
    running = _runs(thread, task, traced, system, trusted, gil)
    sure = bool(kind) or bool(system)
    kind = _kind(kind, system, below, running, gil, thread)
    return View(
        thread.name or "",
        tid,
        kind,
        op,
        system,
        user_frame(frames) or _outermost(frames),
        frames,
        below,
        path(frames),
        file,
        line + thread.at,
        gil,
        running,
        main,
        sure,
        thread.cut,
        tuple(dict.fromkeys((*thread.locks, *locks))),
        bool(traced and "tv_sec" in traced.args),
        shared,
        traced.polled if traced else "",
    )


@lru_cache(maxsize=4096)
def python_wait(frames: tuple[Call, ...]) -> tuple[str, str]:
    """(kind, operation) of the library calls above the user's innermost frame; two empty texts where none is known."""
    best: tuple[int, str, str] = (-1, "", "")
    for call in frames:
        if call.native or is_wrapper(call):
            continue
        if not (is_library(call.file) or _is_known(call)):
            break
        for kind, functions, file, weight in known.PYTHON:
            if weight >= best[0] and file in home(call.file) and bare(call.function) in functions:
                best = (weight, kind, bare(call.function))
                break
    return best[1], best[2]


@lru_cache(maxsize=4096)
def _is_known(call: Call) -> bool:
    return any(file in home(call.file) and bare(call.function) in functions for _, functions, file, _ in known.PYTHON)


def _outermost(frames: Sequence[Call]) -> Call | None:
    found = python(frames)
    return found[0] if found else None


def _below(frames: Sequence[Call]) -> tuple[str, ...]:
    """Native functions above the innermost Python frame, the interpreter's own left out."""
    names: list[str] = []
    for call in frames:
        if not call.native:
            if not is_wrapper(call):
                break
            continue
        if not call.function.startswith(known.INTERPRETER):
            names.append(call.function)
    return tuple(names[:40])


def native_wait(names: Sequence[str]) -> str:
    """The kind that native functions tell; the outermost telling one counts, since libraries are built on locks."""
    for kind, pattern in _NATIVE:
        if any(pattern.search(name) for name in names):
            return kind
    return ""


def kernel_wait(names: Iterable[str]) -> str:
    """The kind that kernel functions tell."""
    text = [name for name in names if name and name not in ("0", "-", "do_syscall_64")]
    for kind, pattern in _KERNEL:
        if any(pattern.search(name) for name in text):
            return kind
    return ""


def _system(task: Task | None, traced: Traced | None, below: Sequence[str]) -> tuple[str, bool]:
    """What kernel, strace and native frames agree on, and whether a futex is one between processes."""
    shared = bool(traced and traced.call == "futex" and traced.pending and "FUTEX_WAIT" in traced.args and "PRIVATE" not in traced.args)
    kind = kernel_wait([task.wchan or "", *task.kernel]) if task else ""
    if kind in ("", "futex", "poll", "epoll") and task and task.syscall:
        name = known.NUMBERS_X86_64.get(task.syscall, "")
        kind = kind or known.SYSCALLS.get(name, "")
        if name == "futex" and task.args[1:2] and (word := task.args[1]).startswith("0x") and not int(word, 16) & 128:
            shared = True
    if traced and traced.pending and traced.call != "restart_syscall":
        found = known.SYSCALLS.get(traced.call, "")
        found = {
            "read": "pipe read"
            if "<pipe:" in traced.args
            else "socket read"
            if "<TCP" in traced.args or "<UNIX" in traced.args
            else "read",
            "write": "pipe write" if "<pipe:" in traced.args else "write",
        }.get(found, found)
        kind = found if kind in ("", "futex", "poll") and found else kind
    native = native_wait(below)
    return (native if native and kind in ("", "futex", "poll", "epoll", "sleep") else kind), shared


def _runs(thread: Thread, task: Task | None, traced: Traced | None, system: str, trusted: bool, gil: Gil | None) -> bool:
    """Whether the thread computes: the kernel's word before the tool's."""
    if gil == "waits" or (traced and traced.spins >= GIL_SPINS):
        return False
    if task and task.state:
        return task.state == "R" and not (system and system not in ("running", "futex"))
    return trusted and thread.state == "active" and not (system and system not in ("running", "futex", "cuda sync"))


def _kind(kind: str, system: str, below: Sequence[str], running: bool, gil: Gil | None, thread: Thread) -> str:
    native = native_wait(below)
    if native in ("native spin", "cuda sync"):
        return native
    if gil == "waits" and kind not in known.SYNC_KINDS:
        return "gil"
    if kind and not (running and kind in ("event", "queue", "select")):
        return {"rendezvous": kind}.get(kind, native if native in ("rendezvous", "store") and kind == "collective" else kind)
    if running or (thread.state == "active" and not system):
        return "running"
    if system:
        return {"futex": "lock", "mutex": "lock", "epoll": "select"}.get(system, system)
    return "call" if thread.state == "idle" or thread.frames else "unknown"


def says_wait(call: Call | None) -> bool:
    """Whether a function's name says that it waits in a loop."""
    return call is not None and _NAMED_WAIT.search(bare(call.function)) is not None
