"""Python's own crash reports: the fatal error, then the stacks of all threads, innermost call first.

Source of the format: Python/traceback.c, Python/pylifecycle.c and Modules/faulthandler.c of CPython, 3.3 to 3.14.
"""

import re
from dataclasses import dataclass, field, replace

from kb.model.event import Event, Frame, Kind, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._python import closed, event_at, frame

_FATAL = re.compile(r"^(?P<cls>Fatal Python error|Windows fatal exception): (?P<message>\S.*)$")
_TIMEOUT = re.compile(r"^Timeout \(\d+:\d\d:\d\d(?:\.\d+)?\)!\s*$|\b[Ww]atchdog timeout \([^)]*\)\s*$")
_THREAD = re.compile(
    r"^(?P<current>Current t"
    r"|T)hread (?:0x)?[0-9a-fA-F]+(?: \[[^\]]*\])?(?: \(.*\))? ?\((?P<order>most recent call first)\):\s*$"
)
_STACK = re.compile(r"^(?:Stack|Current thread's C stack trace) \(most recent call first\):\s*$")
_CALL = re.compile(r'^\s+File "(?P<file>(?:[^"])+)", line (?P<line>\d+|\?\?\?) in (?P<function>\S.*)$')
_PART = re.compile(
    r'^\s*(?:Extension modules: |Python runtime state: |Garbage-collecting|<no Python frame>|\.\.\.$|Binary file "'
    r"|<(?:truncated|tstate|cannot|freed|timed out)|Cannot show all threads|/\S+\(.*\) ?\[)"
)
_GAP = 2
"""Empty lines between the parts of a report."""


@dataclass(slots=True)
class _Stacks:
    """The stacks of a report, that of the thread which failed apart."""

    current: list[Frame] = field(default_factory=list)
    first: list[Frame] = field(default_factory=list)
    last: list[Frame] = field(default_factory=list)


def parse(cursor: Cursor) -> list[Event]:
    """The crash or the timeout that the report here tells; a dump of stacks without either says nothing of an error."""
    head = cursor.line
    if head is None:
        return []
    fatal, timeout = _FATAL.match(head.text.strip()), _TIMEOUT.search(head.text.strip())
    if not fatal and not timeout:
        return []
    cursor.claim()
    stacks = _Stacks()
    _read_stacks(cursor, head, stacks)
    frames = tuple(stacks.current or (stacks.first if fatal else stacks.last))
    kind: Kind = "crash" if fatal else "stall"
    event = event_at(head, fatal["message"] if fatal else head.text.strip(), fatal["cls"] if fatal else None, kind)
    return [closed(replace(event, frames=frames), cursor.numbers)]


def _read_stacks(cursor: Cursor, head: Line, stacks: _Stacks) -> None:
    """Read the stacks and notes of a report up to the first line that is none."""
    target: list[Frame] | None = None
    gap = 0
    while (line := cursor.line) is not None and gap <= _GAP:
        text = line.text
        if not text.strip():
            gap += 1
            cursor.skip()
            continue
        if line.formats != head.formats and not _CALL.match(text) and not _THREAD.match(text.strip()):
            return
        if found := _THREAD.match(text.strip()):
            target = stacks.current if found["current"].startswith("Current") else []
            stacks.first, stacks.last = stacks.first or target, target
        elif _STACK.match(text.strip()):
            target = stacks.current if not stacks.current else []
        elif (called := _CALL.match(text)) and target is not None:
            number = int(called["line"]) if called["line"].isdigit() else None
            target.append(frame(called["file"], number, called["function"].strip()))
        elif not _PART.match(text):
            return
        gap = 0
        cursor.claim()


TRACE = Trace(
    name="faulthandler",
    starts=rf"^\s*(?:Fatal Python error|Windows fatal exception): \S|{_TIMEOUT.pattern}",
    parse=parse,
    order=10,
    marks=("Fatal Python error: ", "Windows fatal exception: ", "Timeout (", "atchdog timeout ("),
    samples=(
        TraceSample(
            'Fatal Python error: Segmentation fault\n\nThread 0x00007f01 (most recent call first):\n'
            '  File "t.py", line 3 in wait\n\n'
            'Current thread 0x00007f02 (most recent call first):\n  File "k.py", line 9 in fill\n'
            '  File "m.py", line 1 in <module>\n\n'
            "Extension modules: numpy.core (total: 1)",
            (("crash", "Fatal Python error", "Segmentation fault", 1),),
        ),
        TraceSample('Timeout (0:00:10)!\nThread 0x00007f01 (most recent call first):\n  File "t.py", line 3 in wait',
                    (("stall", None, "Timeout (0:00:10)!", 1),)),
    ),
    strangers=("Timeout (10 s)", "stacks (most recent call first)", "Thread 0x00007f01 (most recent call first):"),
)  # fmt: skip
