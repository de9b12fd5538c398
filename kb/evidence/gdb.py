"""gdb: `thread apply all bt` and `thread apply all py-bt`; also lldb's and pstack's plain frames."""

import re

from kb.evidence import Evidence, Page
from kb.evidence._stack import MAX_FRAMES, call, make_stack, number
from kb.model.snapshot import Call, Fact, Gil, Thread

_THREAD = re.compile(r'Thread \d+ \((?:Thread 0x[0-9a-f]+ )?\(?LWP +(\d+)\)?(?: "(.*?)")?\)')
_FRAME = re.compile(r"#\d+\s+(?:0x[0-9a-f]+ in )?(.{1,400}?) \(.*?(?:\) (?:at|from) (\S+?)(?::(\d+))?)?$")
_PYTHON = re.compile(r'  File "([^"]*)", line (\d+), in (.*?)\s*$')
_LOCK = re.compile(r"  <built-in method (?:__enter__|acquire|acquire_lock|lock) of \S+ object at remote (0x[0-9a-f]+)>")
_BUILTIN = re.compile(r"  <built-in method (\w+) of (\S+) object")
_SELF = re.compile(r"lock_PyThread_acquire_lock \(self=(0x[0-9a-f]+)")
_LONG = 2000
"""Characters of a line that are looked at: arguments hold whole objects when gdb's Python support is loaded."""


def parse(page: Page) -> list[Fact]:
    """All threads, one after the other."""
    first = page.row
    assert first is not None
    threads: list[tuple[int | None, Thread]] = []
    while row := page.row:
        if head := _THREAD.match(row.text):
            page.take()
            threads.append((number(head[1]), _thread(page, head[2], row.number - first.number)))
        elif not row.text.strip() or row.text.startswith("[Inferior"):
            page.take()
        else:
            break
    threads.reverse()
    pid = min((tid for tid, _ in threads if tid), default=None)
    return [make_stack("gdb", page.file, first.number, threads, pid=pid)]


def _thread(page: Page, name: str | None, at: int) -> Thread:
    frames: list[Call] = []
    gil: Gil | None = None
    locks: list[tuple[str, str]] = []
    while (row := page.row) and row.text.strip():
        text = row.text[:_LONG]
        if text.startswith("#"):
            gil = "waits" if "take_gil" in text else gil
            if found := _SELF.search(text):
                locks.append(("waits", found[1]))
            if frame := _FRAME.match(text):
                frames.append(call(frame[1].split("(")[0].strip(), frame[2] or "?", None, True))
        elif python := _PYTHON.match(text):
            frames.append(call(python[3], python[1], python[2], False))
        elif lock := _LOCK.match(text):
            locks.append(("waits", lock[1]))
            frames.append(call("lock_PyThread_acquire_lock", "python", None, True))
        elif builtin := _BUILTIN.match(text):
            frames.append(call(builtin[1], "builtin", None, True))
        elif text.strip() == "Waiting for the GIL":
            gil = "waits"
        elif _THREAD.match(text):
            break
        page.take()
    return Thread(name, None, gil, tuple(frames[:MAX_FRAMES]), at, locks=tuple(dict.fromkeys(locks)))


EVIDENCE = Evidence(
    name="gdb",
    starts=r"Thread \d+ \((?:Thread 0x[0-9a-f]+ )?\(?LWP +\d+",
    parse=parse,
    samples=(
        'Thread 2 (Thread 0x7fdb4b2ae6c0 (LWP 24797) "python3"):\n#0  0x00007f in do_futex_wait (sem=0x6c) at ./nptl/sem_waitcommon.c:111\n'
        "#1  0x00007f in PyThread_acquire_lock_timed (lock=0x6c, intr_flag=1) at Python/thread_pthread.h:497\n"
        "#2  0x00007f in lock_PyThread_acquire_lock (self=0x7fdb4b2cefc0, kwds=0x0) at ./Modules/_threadmodule.c:179\n",
        "Thread 1 (LWP 7):\nTraceback (most recent call first):\n  Waiting for the GIL\n"
        "  <built-in method __enter__ of _thread.lock object at remote 0x7fdb4b2cefc0>\n"
        '  File "/srv/w.py", line 6, in run\n    with lock: pass\n',
    ),
    order=10,
)
