"""`pystack remote` and `pystack core`: outermost frame first, kernel thread names, and who has or awaits the interpreter lock."""

import re

from kb.evidence import Evidence, Page
from kb.evidence._stack import MAX_FRAMES, call, is_cut, make_stack, number
from kb.model.snapshot import Call, Fact, Gil, Thread

_THREAD = re.compile(r"Traceback for thread (\d+)(?: \(([^)]*)\))? \[([^\]]*)\] \(most recent call last\):")
_FRAME = re.compile(r' {2,5}\((Python|C)\) File "([^"]*)", line (\d+), in (.*?)\s*$')
_LIBRARY = re.compile(r"(?: \(inlined\))?(?: \(([^()]*)\))?$")
_GAP = 2


def parse(page: Page) -> list[Fact]:
    """All threads of one process, which stand one after the other."""
    first = page.row
    assert first is not None
    threads: list[tuple[int | None, Thread]] = []
    blanks = 0
    while (row := page.row) and blanks < _GAP:
        if head := _THREAD.match(row.text):
            page.take()
            blanks = 0
            frames = _frames(page)
            threads.append((number(head[1]), Thread(None, None, _gil(head[3], frames), frames, row.number - first.number, is_cut(frames))))
        elif row.text.startswith("The frame stack for thread") or not row.text.strip():
            blanks += 1
            page.take()
        else:
            break
    threads.reverse()
    pid = min((tid for tid, _ in threads if tid), default=None)
    return [make_stack("pystack", page.file, first.number, threads, pid=pid)]


def _gil(status: str, frames: tuple[Call, ...]) -> Gil | None:
    if "Has the GIL" in status:
        return "holds"
    return "waits" if "Waiting for the GIL" in status or any(f.native and f.function == "take_gil" for f in frames[:8]) else None


def _frames(page: Page) -> tuple[Call, ...]:
    """Innermost first."""
    frames: list[Call] = []
    while row := page.row:
        if found := _FRAME.match(row.text):
            name = _LIBRARY.sub("", found[4], count=1) if found[1] == "C" else found[4]
            library = _LIBRARY.search(found[4]) if found[1] == "C" else None
            file = found[2] if found[1] == "Python" else (library and library[1]) or found[2]
            frames.append(call(name, file, found[3] if found[1] == "Python" else None, found[1] == "C"))
        elif not row.text.startswith(("        ", "      ", "  In ")) and not row.text.startswith("* - "):
            break
        page.take()
    return tuple(reversed(frames[-MAX_FRAMES:]))


EVIDENCE = Evidence(
    name="pystack",
    starts=r"Traceback for thread \d+",
    parse=parse,
    samples=(
        "Traceback for thread 20430 (python) [Waiting for the GIL] (most recent call last):\n"
        '    (Python) File "/srv/prog.py", line 6, in beat\n        while True: time.sleep(.2)\n'
        '    (C) File "Python/ceval_gil.h", line 231, in take_gil (/usr/lib/libpython3.11.so.1.0)\n\n'
        "Traceback for thread 20429 (python) [Has the GIL] (most recent call last):\n"
        '    (Python) File "/srv/prog.py", line 8, in <module>\n        call()\n',
    ),
    strangers=('Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: x\n',),
    order=10,
)
