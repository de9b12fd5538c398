"""Kubernetes: why containers ended (`kubectl describe`), warning events, rows of `kubectl get`.

Source of the format: kubelet's events (pkg/kubelet/events/event.go), kubectl's describe and printers. Warnings that
come and go while a pod starts (Unhealthy, FailedScheduling, FailedMount) are no events.
"""

import re

from kb.model.event import Event, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import told

_REASONS = (
    r"BackOff|Evicted|OOMKilling|SystemOOM|FailedCreatePodSandBox|FailedPreStopHook|Preempted|NodeNotReady"
    r"|DeadlineExceeded|BackoffLimitExceeded"
)
_EVENT = re.compile(rf"^\s*(?:\S+\s+)?Warning\s+(?P<reason>{_REASONS})\s+(?P<rest>\S.*)$")
_TEXT = re.compile(
    r"(?:^|\s)(?P<text>Back-off restarting failed container.*|Job has reached the specified backoff limit.*|The node"
    r" was low on resource: .*"
    r"|Memory cgroup out of memory: .*|System OOM encountered, .*|Pod was active on the node longer than the specified"
    r" deadline.*)$"
)
_ROW = re.compile(
    r"^(?:\S+\s+)?\S+\s+\d+/\d+\s+(?P<reason>OOMKilled|CrashLoopBackOff|Evicted|Init:OOMKilled|Init:CrashLoopBackOff"
    r"|ContainerStatusUnknown)\s"
)
_STATE = re.compile(r"^\s*(?:Last )?State:\s+Terminated\s*$")
_REASON = re.compile(r"^\s*Reason:\s+(?P<reason>\S+)\s*$")
_CODE = re.compile(r"^\s*Exit Code:\s+(?P<code>\d+)\s*$")
_DETAIL = re.compile(r"^\s+(?:Reason|Message|Exit Code|Signal|Started|Finished):")
_KILLED = ("OOMKill", "SystemOOM")


def parse(cursor: Cursor) -> list[Event]:
    """The event that the line here tells, or the end of a container that `kubectl describe` shows."""
    line = cursor.line
    if line is None:
        return []
    if _STATE.match(line.text):
        return _terminated(cursor)
    found = _EVENT.match(line.text) or _ROW.match(line.text)
    if found is None:
        return []
    cursor.claim()
    said = _TEXT.search(line.text)
    message = said["text"] if said else line.text.strip()
    killed = any(name in found["reason"] for name in _KILLED)
    return [told(line, "exit", message, exit_status=-9 if killed else 1, language="kernel" if killed else None)]


def _terminated(cursor: Cursor) -> list[Event]:
    """The end of a container: state, reason, exit code; nothing for one that completed."""
    cursor.claim()
    reason, code, carrier = None, 0, None
    for _ in range(8):
        line: Line | None = cursor.line
        if line is None or not _DETAIL.match(line.text):
            break
        if found := _REASON.match(line.text):
            reason, carrier = found["reason"], line
        elif found := _CODE.match(line.text):
            code = int(found["code"])
            carrier = carrier or line
        cursor.claim()
    if carrier is None or reason == "Completed" or (code == 0 and reason != "OOMKilled"):
        return []
    status = -9 if reason == "OOMKilled" else -(code - 128) if 128 < code < 193 else code
    words = f"Terminated: {reason or 'Error'}, exit code {code}"
    return [
        told(
            carrier,
            "exit",
            words,
            exit_status=status,
            language="kernel" if reason == "OOMKilled" else None,
            claimed=cursor.numbers,
        )
    ]


TRACE = Trace(
    name="kubernetes",
    starts=rf"{_EVENT.pattern}|{_ROW.pattern}|{_STATE.pattern}".replace("(?P<reason>", "(?:").replace(
        "(?P<rest>", "(?:"
    ),
    parse=parse,
    order=16,
    marks=("Warning", "OOMKilled", "CrashLoopBackOff", "Evicted", "ContainerStatusUnknown", "State: "),
    samples=(
        TraceSample(
            "    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n      Started:   "
            "   Sat",
            (("exit", None, "Terminated: OOMKilled, exit code 137", 2),),
        ),
        TraceSample(
            "  Warning  BackOff    3m (x5 over 5m)  kubelet  Back-off restarting failed container pier in pod pier-0",
            (("exit", None, "Back-off restarting failed container pier in pod pier-0", 1),),
        ),
        TraceSample(
            "pier-0   0/1   CrashLoopBackOff   5 (10s ago)   3m",
            (("exit", None, "pier-0   0/1   CrashLoopBackOff   5 (10s ago)   3m", 1),),
        ),
    ),
    strangers=(
        "  Warning  Unhealthy  3m  kubelet  Readiness probe failed",
        "    State:          Terminated\n      Reason:       Completed\n      Exit Code:    0",
        "pier-0   1/1   Running   0   3m",
    ),
)
