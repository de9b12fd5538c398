"""CPython's faulthandler: innermost frame first, pthread ids, no names and no state."""

import re

from kb.evidence import Evidence, Page
from kb.evidence._stack import MAX_FRAMES, call, make_stack
from kb.model.snapshot import Call, Fact, Thread

_THREAD = re.compile(r"(?:(Current) thread|Thread) 0x[0-9a-fA-F]+(?: \[(.*?)\])? \(most recent call first\):")
_FRAME = re.compile(r' {1,4}File "([^"]*)", line (\d+|\?\?\?) in (.*?)\s*$')
_DEPTH = 100
"""Frames after which faulthandler stops."""


def parse(page: Page) -> list[Fact]:
    """One dump: it ends with the current thread, or where a further line is none of its own."""
    first = page.row
    assert first is not None
    threads: list[tuple[int | None, Thread]] = []
    current = False
    while row := page.row:
        if head := _THREAD.match(row.text):
            if current:
                break
            page.take()
            frames = _frames(page)
            threads.append((None, Thread(head[2], None, None, frames, row.number - first.number, len(frames) >= _DEPTH)))
            current = bool(head[1])
        elif row.text.strip() in ("", "Timeout!") or row.text.startswith("Timeout ("):
            page.take()
        else:
            break
    if not threads:
        return []
    threads.reverse()  # the main thread comes last, and first in everybody else's dumps
    return [make_stack("faulthandler", page.file, first.number, threads)]


def _frames(page: Page) -> tuple[Call, ...]:
    frames: list[Call] = []
    while row := page.row:
        if found := _FRAME.match(row.text):
            frames.append(call(found[3], found[1], found[2], False))
        elif row.text.strip() not in ("<no Python frame>", "Garbage-collecting", "..."):
            break
        page.take()
    return tuple(frames[:MAX_FRAMES])


EVIDENCE = Evidence(
    name="faulthandler",
    starts=r"(?:Current thread|Thread) 0x[0-9a-fA-F]+(?: \[.*\])? \(most recent call first\):|Timeout \(\d+:\d\d:\d\d",
    parse=parse,
    samples=(
        "Timeout (0:00:01)!\n"
        'Thread 0x00007fb635f996c0 (most recent call first):\n  File "/usr/lib/python3.11/threading.py", line 982 in run\n'
        '\nThread 0x00007fb6375dfb80 (most recent call first):\n  File "job.py", line 5 in <module>\n',
    ),
    strangers=("Timeout (60) while connecting\n",),
    order=10,
)
