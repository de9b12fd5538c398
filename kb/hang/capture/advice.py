"""Why a process could not be looked at, and the exact command that can."""

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kb.hang.capture.processes import PROC, Process

_DENIED = re.compile(r"permission denied|operation not permitted|EPERM|EACCES|CAP_SYS_PTRACE|ptrace_scope", re.IGNORECASE)
_SYS_PTRACE = 19
"""Number of CAP_SYS_PTRACE in capability masks (linux/capability.h)."""
_CONTAINED = re.compile(r"docker|kubepods|containerd|libpod|lxc|crio|enroot")


@dataclass(frozen=True, slots=True)
class Rights:
    """What this process may do. `scope` is yama's ptrace_scope, None where the kernel has none; `seccomp` the mode of our own filter."""

    uid: int | None
    capable: bool
    scope: int | None
    seccomp: int
    contained: bool


def my_rights(proc: Path = PROC, root: Path = Path("/")) -> Rights:
    """The rights of this process, as /proc tells them."""
    status = _text(proc / "self" / "status")
    mask = re.search(r"^CapEff:\s+([0-9a-f]+)", status, re.MULTILINE)
    seccomp = re.search(r"^Seccomp:\s+(\d)", status, re.MULTILINE)
    scope = _text(proc / "sys/kernel/yama/ptrace_scope").strip()
    marked = any((root / mark).exists() for mark in (".dockerenv", "run/.containerenv"))
    contained = marked or bool(_CONTAINED.search(_text(proc / "1" / "cgroup")))
    uid = os.getuid() if hasattr(os, "getuid") else None
    capable = bool(mask and int(mask[1], 16) >> _SYS_PTRACE & 1)
    return Rights(uid, capable, int(scope) if scope.isdigit() else None, int(seccomp[1]) if seccomp else 0, contained)


def denied(error: str) -> bool:
    """Whether a tool's complaint is about rights."""
    return bool(_DENIED.search(error))


def foreseen(process: Process, rights: Rights, proc: Path = PROC) -> str:
    """Why an attempt on this process will probably be refused, in a few words; empty where nothing speaks against it."""
    if rights.scope == 3:
        return "ptrace_scope is 3, nobody may attach until the next boot"
    if rights.capable or process.state in ("", "Z", "X"):
        return ""
    if process.uid is not None and rights.uid is not None and process.uid != rights.uid:
        return f"it belongs to {process.user} and we have no CAP_SYS_PTRACE"
    if rights.scope:
        return f"ptrace_scope is {rights.scope} and we have no CAP_SYS_PTRACE"
    return f"/proc/{process.pid}/exe is closed to us and we have no CAP_SYS_PTRACE" if _closed(proc / str(process.pid) / "exe") else ""


def explain(process: Process, error: str, rights: Rights) -> list[str]:
    """Sentences on a tool's failure, each with what to do instead; none where the error says enough itself."""
    if not denied(error):
        return list(_others(process, error))
    rest = (f"pid {process.pid} has rights that we lack (capabilities, set-user-id, PR_SET_DUMPABLE): as root of its machine: "
            f"sudo {_again(process)}")  # fmt: skip
    return list(_denied(process, rights)) or [rest]


def _denied(process: Process, rights: Rights) -> Iterator[str]:
    pid, me = process.pid, _again(process)
    if process.tracer:
        yield f"pid {pid} is traced by pid {process.tracer} already and a process has one tracer: end that one, or use --nonblocking"
    if process.uid is not None and process.uid != rights.uid and not rights.capable:
        yield f"pid {pid} belongs to {process.user}, not to you: sudo -u {process.user} {me}   (or as root: sudo {me})"
    if rights.scope == 3:
        yield "ptrace_scope is 3, attaching is off until the next boot: what is left is faulthandler (`kb capture --how nopyspy`)"
    elif rights.scope and not rights.capable:
        allowed = "only the parent of a process" if rights.scope == 1 else "only CAP_SYS_PTRACE"
        yield f"ptrace_scope is {rights.scope}, {allowed} may attach: sudo {me}   (or for all: sudo sysctl kernel.yama.ptrace_scope=0)"
    if not rights.capable and (rights.contained or rights.seccomp == 2):
        filtered = " and a seccomp filter is on" if rights.seccomp == 2 else ""
        yield (f"this container has no CAP_SYS_PTRACE{filtered}: start it with `docker run --cap-add SYS_PTRACE` (in Kubernetes "
               "securityContext.capabilities.add: [SYS_PTRACE]), or look from beside it: `kb capture --how docker`")  # fmt: skip
    if rights.capable and process.uid is not None and rights.scope != 3 and not process.tracer:
        yield f"root in a user namespace has no rights over pid {pid} outside of it: run on the host: sudo {me}"
    if process.inner:
        yield inside(process)


def _again(process: Process) -> str:
    return f"{sys.executable} -m kb capture {process.pid}"


def inside(process: Process) -> str:
    """What to know of a process in a PID namespace below ours, and the command that looks from inside."""
    return (f"pid {process.pid} is pid {process.inner} in a PID namespace of its own (a container): states of threads are unreliable from "
            f"here; from inside: sudo nsenter -t {process.pid} -m -p py-spy dump --json --pid {process.inner}")  # fmt: skip


def _others(process: Process, error: str) -> Iterator[str]:
    pid = process.pid
    if re.search(r"Failed to find python version|Could not determine python version", error):
        yield f"no Python was found in pid {pid}: gdb -p {pid} -batch -ex 'thread apply all bt'   (kb capture --native does it)"
    if "timed out" in error and process.care:
        yield f"pid {pid} is {process.care}: only /proc/{pid}/stack and dmesg tell more"
    if re.search(r"No such process|Check that the process is running", error):
        yield f"pid {pid} is gone: kb match its log"


def _closed(link: Path) -> bool:
    try:
        link.readlink()
    except PermissionError:
        return True
    except OSError:
        return False
    return False


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
