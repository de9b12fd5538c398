"""`py-spy dump`, as text, with `--native`, `--locals`, `--subprocesses`, `--nonblocking` or from a core file."""

import re
from dataclasses import replace
from itertools import islice

from kb.evidence import Evidence, Page
from kb.evidence._stack import MAX_FRAMES, MAX_VALUE, call, is_cut, make_stack, number
from kb.model.snapshot import Call, Fact, Stack, Thread

_PROCESS = re.compile(r"Process (\d{1,12}): (.*)$")
_PARENT = re.compile(r"Parent Process (\d{1,12}):")
_THREAD = re.compile(r'Thread (?:(0x[0-9A-Fa-f]+|\d+))? ?(?:\((active\+gil|active|idle|gil)\))?(?:: "(.*)")?\s*$')
_FRAME = re.compile(r" {2,5}(\S.*) \((.*?)(?::(\d+))?\)\s*$")
_BARE_FRAME = re.compile(r"(\S.*) \(([^()\s]+\.(?:py|so[\d.]*|c|cc|cpp|h)|\?|<[^<>]+>)(?::(\d+))?\)\s*$")
"""A frame whose indentation a log prefix took with it."""
_VALUE = re.compile(r" {10,14}(\S[^:]*): (.*)$")
_TIMED_OUT = re.compile(r"\W*(?:capture )?timed? ?out|\W*(?:Terminated|Killed)\b", re.IGNORECASE)
_HEADING_GAP = 4
"""Lines between a process's heading and its first thread."""


def parse(page: Page) -> list[Fact]:
    """One process, or threads without a heading."""
    row, start = page.row, page.at
    assert row is not None
    about: dict[str, object] = {}
    if found := _PROCESS.match(row.text):
        page.take()
        about = {"pid": number(found[1]), "title": found[2].strip()[: MAX_VALUE * 4]}
        if not _heading(page, about):
            page.skip(start - page.at)
            return []
    threads = _threads(page, row.number)
    if not threads and "pid" not in about:
        page.skip(start + 1 - page.at)
        return []
    trusted = _trusted(threads, about.get("pid"))
    return [make_stack("py-spy", page.file, row.number, threads, trusted=trusted, **about)]


def _heading(page: Page, about: dict[str, object]) -> bool:
    """Read the lines below `Process n:`; False when they show that this was an ordinary line."""
    version = False
    for _ in range(_HEADING_GAP):
        row = page.row
        if row is None or row.text.startswith("Error:"):
            return True
        if row.text.startswith("Python v"):
            version = True
        elif parent := _PARENT.match(row.text):
            about["parent"] = number(parent[1])
        elif _TIMED_OUT.match(row.text):
            about["note"] = "timed out"
        elif _THREAD.match(row.text):
            return True
        elif row.text.strip():
            return version
        page.take()
    return version


def _threads(page: Page, first: int) -> list[tuple[int | None, Thread]]:
    found: list[tuple[int | None, Thread]] = []
    while (row := page.row) and (head := _THREAD.match(row.text)):
        page.take()
        frames = _frames(page)
        state, gil = head[2], None
        if state in ("active+gil", "gil"):
            state, gil = "active", "holds"
        found.append((number(head[1]), Thread(head[3], state, gil, frames, row.number - first, is_cut(frames))))  # type: ignore[arg-type]
    return found


def _frames(page: Page) -> tuple[Call, ...]:
    frames: list[Call] = []
    values: list[tuple[str, str]] = []
    while row := page.row:
        if found := _VALUE.match(row.text):
            values.append((found[1], found[2][:MAX_VALUE]))
        elif row.text.strip() in ("Arguments:", "Locals:"):
            pass
        elif not _THREAD.match(row.text) and (frame := _FRAME.match(row.text) or _BARE_FRAME.match(row.text)):
            _attach(frames, values)
            frames.append(call(frame[1], frame[2], frame[3]))
        else:
            break
        page.take()
    _attach(frames, values)
    return tuple(islice(frames, MAX_FRAMES))


def _attach(frames: list[Call], values: list[tuple[str, str]]) -> None:
    if frames and values:
        frames[-1] = replace(frames[-1], values=tuple(values[:40]))
        values.clear()


def _trusted(threads: list[tuple[int | None, Thread]], pid: object) -> bool:
    """False where every thread is called active and the ids are none of the kernel's: then py-spy could not see who runs."""
    if len(threads) < 2 or any(t.state != "active" or t.gil for _, t in threads):
        return True
    return pid is None or pid in [tid for tid, _ in threads]


def is_header_only(stack: Stack) -> bool:
    """Whether the tool named the process and then showed no thread."""
    return stack.pid is not None and not stack.threads


EVIDENCE = Evidence(
    name="py-spy",
    starts=r'Process \d+: \S|Thread (?:(?:0x[0-9A-Fa-f]+|\d+) )?\((?:active\+gil|active|idle|gil)\)(?:: "|\s*$)'
    r'|Thread (?:0x[0-9A-Fa-f]+|\d+)(?:: ".*")?\s*$',
    parse=parse,
    samples=(
        'Process 71: python train.py\nPython v3.11.7 (/usr/bin/python3.11)\n\nThread 71 (idle): "MainThread"\n'
        "    wait (threading.py:327)\n    <module> (train.py:9)\n",
        'Thread (idle): "MainThread"\n    pthread_cond_wait (libc.so.6)\n    0x7caaa50b1a9b (?)\n    step (train.py:4)\n',
        'Thread 0x7F958BDB2B80 (active): "w "q" (idle): x"\n    run (w.py:6)\n        Locals:\n            n: 3\n    <module> (w.py:9)\n',
    ),
    strangers=("Process 12: 34 items done\nnext line\n", "Thread 3 of 4 started\n"),
    order=20,
)
