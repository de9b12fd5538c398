"""Complaints of the capturing tools: why there is no dump."""

import re

from kb.evidence import Evidence, Page
from kb.evidence._stack import number
from kb.model.snapshot import Fact, Trouble

_KINDS = (
    ("stopped", r"unexpected waitpid result.*SIGSTOP"),
    ("permission", r"(?i:permission denied)|Operation not permitted|EPERM|ptrace_scope|CAP_SYS_PTRACE"),
    ("timed out", r"timed? ?out"),
    ("no process", r"Failed to get process executable name|No such process|Check that the process is running"),
    ("not python", r"Failed to find python version|Could not determine python version"),
    ("native", r"UNW_EBADREG|Failed to merge native|nonblocking.*native|native.*nonblocking"),
    ("suspend", r"Failed to suspend process|Failed to get stack traces"),
)
_PID = re.compile(r"PTRACE_SEIZE, (\d+)|thread (\d+):")
_MORE = re.compile(r"Caused by:|Stack backtrace:|\s+\d+:|WARNING\(|\W*Engine error")
_REST = 40
"""Lines that one complaint may have."""


def parse(page: Page) -> list[Fact]:
    """One complaint with its chain of causes."""
    first = page.take()
    lines = [first.text]
    gaps = 0
    while (row := page.row) and len(lines) < _REST and gaps < 2:
        if row.text.strip() and not _MORE.match(row.text):
            break
        gaps = 0 if row.text.strip() else gaps + 1
        lines.append(row.text)
        page.take()
    text = " ".join(" ".join(lines).split())
    kind = next((name for name, pattern in _KINDS if re.search(pattern, text)), "failed")
    pid = _PID.search(text)
    return [Trouble(kind, text[:300], page.file, first.number, number(pid[1] or pid[2]) if pid else None)]


EVIDENCE = Evidence(
    name="tool error",
    starts=r"Error: (?:Failed to|Can't get native|failed to|unexpected)|Permission Denied: Try running|failed to get os threadid"
    r"|strace: attach: "
    r"|\W*Engine error: |WARNING\(process_remote\)|ptrace: |\[capture timed out\]|Could not attach to process",
    parse=parse,
    samples=(
        "Error: Failed to get stack traces\n\nCaused by:\n    0: Failed to suspend process\n    1: EPERM: Operation not permitted\n",
        "strace: attach: ptrace(PTRACE_SEIZE, 24648): Operation not permitted\n",
        "[capture timed out]\n",
    ),
    strangers=("Error: connection refused\n",),
    order=40,
)
