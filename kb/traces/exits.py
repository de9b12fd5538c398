"""How processes end: lines of shells, launchers, supervisors and CI that tell an exit status or a signal."""

import re
import signal

from kb.model.event import Event, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import told

_NAMES = {
    "Killed": 9,
    "Terminated": 15,
    "Segmentation fault": 11,
    "Aborted": 6,
    "Abort": 6,
    "Bus error": 7,
    "Illegal instruction": 4,
    "Floating point exception": 8,
    "Trace/breakpoint trap": 5,
    "Hangup": 1,
    "已杀死": 9,
    "段错误": 11,
}
_WORDS = "|".join(map(re.escape, sorted(_NAMES, key=len, reverse=True)))
_SHELL = re.compile(
    rf"^(?:\S+: )?(?:line |第 ?)?(?P<at>\d+)(?: 行)?:\s+(?P<pid>\d+)\s+(?P<word>{_WORDS})(?:\s+\(core"
    rf" dumped\))?(?:\s+\S.*)?$"
    rf"|^(?:\S+: line \d+: )?(?P<lone>{_WORDS})(?: ?: ?\d+)?(?:\s+\((?:core dumped|吐核)\))?(?:\s{{2,}}\S.*)?$"
)
_STATUS = re.compile(
    r"\b(?:failed|exited|exit(?:s|ed)?|terminated|died|finished|returned?|completed|ended)\b[^\n]{0,60}?"
    r"\b(?:exit ?code|exit status|return code|returncode|code|status|signal)\b['\"]? {0,3}[:=]?"
    r" {0,3}(?P<status>-?\d+)\b",
    re.IGNORECASE,
)
_EXITCODE = re.compile(r"\(?\bexit ?code {0,3}[:=] {0,3}(?P<status>-?\d+)\b", re.IGNORECASE)
_SIGNAL = re.compile(
    r"\b(?:killed|terminated|stopped|exited|died|signaled|shutdown|crashed)\b[^\n]{0,40}?\b(?:by |with |on"
    r" )?['\"]?signal[: ]+"
    r"(?P<number>\d+)?\(?(?P<name>(?:SIG[A-Z0-9]+|killed|terminated))?",
    re.IGNORECASE,
)
_GOT = re.compile(r"^(?:Got|With) exit ?code (?P<status>-?\d+)\b")
_GO_SIGNAL = re.compile(r"\bsignal: (?P<name>killed|terminated|segmentation fault|aborted|bus error)\b")
_RECEIVED = re.compile(r"\bfailed\W{0,3}[Rr]eceived signal:? (?P<number>\d+)?(?P<name>SIG[A-Z]+)?")
_SENT = re.compile(r"\bwas sent (?P<name>SIG[A-Z]+)\b")
_RANK = re.compile(r"\b(?:local_rank|rank) {0,3}[:=] {0,3}(?P<rank>\d+)", re.IGNORECASE)
_PID = re.compile(r"\bpid\b {0,3}[:=]? {0,3}(?P<pid>\d+)", re.IGNORECASE)
_OTHERWISE = re.compile(
    r"^(?:[A-Za-z_]\w*\.)*_?[A-Z]\w*(?:Error|Exception)(?:\([\w.]+\))?: |\b[A-Z]\w*(?:Error|Exception)\(['\"]|\]"
    r" WARNING: .*: file "
    r"|\breturning (?:non-?zero )?exit (?:status|code)"
)
"""An exception that speaks of an exit is an exception; a parent that only warns of a child's end goes on without it;
and what a program announces of its own status is told again by whoever waits for it."""
_STOPPED = (-15, -2, -1)
_CALM = ("INFO", "DEBUG", "TRACE")
_CALM_WORD = re.compile(r"\b(?:INFO|DEBUG)\b")
"""Levels at which a program says that it stopped a child on purpose (by SIGTERM, SIGINT or SIGHUP): no failure."""
_SHELL_LIMIT = 128
"""A shell reports a signal as 128 plus its number."""


def parse(cursor: Cursor) -> list[Event]:
    """The end of a process that the line here tells, or nothing."""
    line = cursor.line
    if line is None or (found := exit_of(line.text)) is None or _OTHERWISE.search(line.text):
        return []
    status, rank, pid = found
    if status in _STOPPED and (line.level in _CALM or _CALM_WORD.search(line.text)):
        return []
    cursor.claim()
    return [told(line, "exit", line.text.strip(), exit_status=status, rank=rank, pid=pid or None)]


def exit_of(text: str) -> tuple[int, str | None, int | None] | None:
    """(status, rank, pid) that a line tells of a process that ended badly; a signal is negative. None for any other
    line."""
    stripped = text.strip()
    if shell := _SHELL.match(stripped):
        return -_NAMES[shell["word"] or shell["lone"]], None, int(shell["pid"]) if shell["pid"] else None
    status = _status(stripped)
    if not status:
        return None
    rank, pid = _RANK.search(stripped), _PID.search(stripped)
    return status, rank and rank["rank"], pid and int(pid["pid"])


def _status(text: str) -> int | None:
    """The exit status or negative signal number in a line; None where there is none."""
    for expression in (_SIGNAL, _SENT, _GO_SIGNAL, _RECEIVED):
        if (found := expression.search(text)) and (number := _number_of(found)):
            return -number
    found = _EXITCODE.search(text) or _STATUS.search(text) or _GOT.match(text)
    if found is None:
        return None
    status = int(found["status"])
    return -(status - _SHELL_LIMIT) if _SHELL_LIMIT < status < _SHELL_LIMIT + 65 else status


def _number_of(found: re.Match[str]) -> int:
    groups = found.groupdict()
    if groups.get("number"):
        return int(groups["number"])
    return signal_number(groups.get("name") or "")


def signal_number(name: str) -> int:
    """The number of a signal by name (SIGKILL) or by what shells say of it (killed); 0 for an unknown one."""
    words = {"KILLED": 9, "TERMINATED": 15, "SEGMENTATION FAULT": 11, "ABORTED": 6, "BUS ERROR": 7}
    return words.get(name.upper()) or int(getattr(signal, name.upper(), 0) or _NUMBERS.get(name.upper(), 0))


_NUMBERS = {
    "SIGKILL": 9,
    "SIGTERM": 15,
    "SIGSEGV": 11,
    "SIGABRT": 6,
    "SIGBUS": 7,
    "SIGILL": 4,
    "SIGINT": 2,
    "SIGFPE": 8,
    "SIGHUP": 1,
}
"""Signals by name, for systems whose `signal` module lacks some."""


def describe(status: int) -> str:
    """An exit status in words: `signal 9 (SIGKILL)`, `exit code 127 (command not found)`."""
    if status < 0:
        name = next((name for name, number in _NUMBERS.items() if number == -status), "")
        return f"signal {-status}" + (f" ({name})" if name else "")
    return f"exit code {status}" + {126: " (not executable)", 127: " (command not found)"}.get(status, "")


def looks_like(line: Line) -> bool:
    """Whether the line tells how a process ended."""
    return exit_of(line.text) is not None


TRACE = Trace(
    name="exits",
    starts=rf"(?i:\bexit ?(?:code|status)\b|\breturn ?code\b|\bsignal\b|\bexited with\b)|\bwas sent SIG"
    rf"|^\s*(?:\S+: )?(?:line )?(?:\d+:\s+\d+\s+)?(?:{_WORDS})(?:\s|$|:)|第 ?\d+ 行",
    parse=parse,
    order=40,
    marks=(
        "exit code",
        "exitcode",
        "exit status",
        "return code",
        "returncode",
        "signal",
        "Exit code",
        "Exit status",
        "exitCode",
        "ExitCode",
        "Exit Code",
        "returned",
        "was sent SIG",
        "exited with",
        "eceived signal",
        *_NAMES,
    ),
    samples=(
        TraceSample(
            "launch.sh: line 2: 21478 Killed                  python launch.py",
            (("exit", None, "launch.sh: line 2: 21478 Killed                  python launch.py", 1),),
        ),
        TraceSample("Killed", (("exit", None, "Killed", 1),)),
        TraceSample("nets/test_mesh 1/2 failed! Received signal: SIGBUS",
                    (("exit", None, "nets/test_mesh 1/2 failed! Received signal: SIGBUS", 1),)),
        TraceSample("Got exit code 4", (("exit", None, "Got exit code 4", 1),)),
        TraceSample(
            "failed (exitcode: -9) local_rank: 2 (pid: 27536) of binary: /usr/bin/python",
            (("exit", None, "failed (exitcode: -9) local_rank: 2 (pid: 27536) of binary: /usr/bin/python", 1),),
        ),
        TraceSample(
            "Process completed with exit code 137.", (("exit", None, "Process completed with exit code 137.", 1),)
        ),
        TraceSample(
            "Process 'ForkPoolWorker-1' pid:7 exited with 'signal 9 (SIGKILL)'",
            (("exit", None, "Process 'ForkPoolWorker-1' pid:7 exited with 'signal 9 (SIGKILL)'", 1),),
        ),
    ),
    strangers=(
        "finished with exit code 0",
        "+ exit 1",
        "Received signal strength -70 dBm",
        "Killed by the frost, the plants were gone",
        "the signal was weak at 3 sites",
        "Terminated the lease of 4 nodes",
        "10:00:00 INFO - helper exited with return code -15",
        "[Parent 7] WARNING: process 8 exited on signal 9: file pier.cc:3",
    ),
)
