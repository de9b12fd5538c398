"""The Linux kernel's out-of-memory killer, as dmesg, syslog or journald show it.

Source of the format: mm/oom_kill.c of the Linux kernel.
"""

import re

from kb.model.event import Event
from kb.traces import PATIENCE, Cursor, Trace, TraceSample
from kb.traces._told import told

_KILLED = re.compile(
    r"(?:Out of memory|Memory cgroup out of memory|oom_kill_process)\b.*?Kill(?:ed)? process (?P<pid>\d+)"
    r" \((?P<name>[^)]*)\)"
)
_INVOKED = re.compile(r"\binvoked oom-killer:")
_PART = re.compile(
    r"^(?:CPU: \d|Hardware name:|Call Trace:|Tasks state|Mem-Info|Node \d|memory: usage|swap: usage|kmem: usage|Memory"
    r" cgroup stats"
    r"|\[ *(?:pid|\d+) *\]|oom-kill:|oom_reaper:|active_anon|anon \d|\d+ (?:pages|total)|[ \t]|\[<|RIP:|Code:"
    r"|R[A-Z0-9]{2}:)"
)
_REPORT_LINES = 400
"""Lines that one report may have: it lists every process of the machine."""


def parse(cursor: Cursor) -> list[Event]:
    """The kill that a report ends in; nothing when the report has none."""
    passed, read = 0, 0
    while (line := cursor.line) is not None and passed <= PATIENCE and read < _REPORT_LINES:
        read += 1
        if found := _KILLED.search(line.text):
            cursor.claim()
            text, pid = line.text.strip(), int(found["pid"])
            return [told(line, "exit", text, language="kernel", exit_status=-9, pid=pid, claimed=cursor.numbers)]
        if _INVOKED.search(line.text) or _PART.match(line.text):
            cursor.claim()
            passed = 0
        else:
            cursor.skip()
            passed += 1
    return []


TRACE = Trace(
    name="oom_killer",
    starts=r"\binvoked oom-killer:|(?:Out of memory|Memory cgroup out of memory).*?Kill(?:ed)? process \d+",
    parse=parse,
    order=10,
    marks=("oom-killer", "ut of memory", "oom-kill"),
    samples=(
        TraceSample(
            "Out of memory: Killed process 4711 (python) total-vm:88kB, anon-rss:80kB",
            (("exit", None, "Out of memory: Killed process 4711 (python) total-vm:88kB, anon-rss:80kB", 1),),
        ),
        TraceSample(
            "python invoked oom-killer: gfp_mask=0xcc0\nCPU: 3 PID: 12\nMemory cgroup out of memory: Killed process 12"
            " (python)",
            (("exit", None, "Memory cgroup out of memory: Killed process 12 (python)", 3),),
        ),
    ),
    strangers=("CUDA out of memory. Tried to allocate 2.00 GiB", "the oom-killer is enabled"),
)
