"""Snapshots of /proc: `status`, `wchan`, `stack`, `syscall`, `stat`, `environ` below `==> path <==` headings (as `head` and `tail`
print them), or one line a thread."""

import re
from dataclasses import dataclass, field
from typing import Any

from kb.evidence import Evidence, Page
from kb.evidence._stack import number
from kb.model.snapshot import Fact, Task

_HEADING = re.compile(r"==> /proc/(\d+)/(?:task/(\d+)/)?(\w+) <==")
_KERNEL = re.compile(r"\[<[0-9a-fx]*>\] ([\w.]+)\+")
_STAT = re.compile(r"\d+ \(.*\) ([A-Zt])( \d+)?")
_RANK = re.compile(r"(?:^|\0)(RANK|OMPI_COMM_WORLD_RANK|PMI_RANK|SLURM_PROCID|WORLD_SIZE|OMPI_COMM_WORLD_SIZE)=(\d{1,7})(?=\0|$)")
_LISTED = re.compile(r"tid (\d+) (?:state ([A-Zt]) )?wchan (\S+)")
_NAMED = re.compile(r"(?:Name: )?(\S+) pid (\d+)")
_STATUS = re.compile(r"(State|PPid|Pid|TracerPid|NSpid|Tgid):\s+(\S+)(?:\s.*?(\d+)$)?")
MAX_KERNEL = 40
"""Functions kept of a kernel stack."""


@dataclass(slots=True)
class _Draft:
    line: int
    values: dict[str, object] = field(default_factory=dict)
    kernel: list[str] = field(default_factory=list)


def parse(page: Page) -> list[Fact]:
    """All tasks that the headings name, or that are listed."""
    row = page.row
    assert row is not None
    return _headed(page) if row.text.startswith("==>") else _listed(page)


def _headed(page: Page) -> list[Fact]:
    drafts: dict[tuple[int | None, int | None], _Draft] = {}
    draft, part = _Draft(0), ""
    while row := page.row:
        if found := _HEADING.match(row.text):
            part = found[3]
            draft = drafts.setdefault((number(found[1]), number(found[2])), _Draft(row.number))
        elif row.text.startswith("==> ") or (part and not _read(draft, part, row.text) and _foreign(row.text)):
            break
        page.take()
    return [_task(page.file, key, draft) for key, draft in drafts.items()]


def _foreign(text: str) -> bool:
    """Whether a line belongs to something else: values of /proc are short words, numbers and `Name:` lines."""
    return bool(text.strip()) and not re.match(r"\w+:|[\w.]+$|[\d(]|\[<|running|-1 ", text)


def _read(draft: _Draft, part: str, text: str) -> bool:
    values = draft.values
    if part == "status" and (found := _STATUS.match(text)):
        names = {"State": "state", "PPid": "parent", "TracerPid": "tracer", "NSpid": "inner"}
        if name := names.get(found[1]):
            values[name] = found[2] if name == "state" else number(found[3] if name == "inner" and found[3] else found[2]) or None
    elif part == "wchan" and text.strip():
        values["wchan"] = text.strip()[:80]
    elif part == "comm" and text.strip():
        values["comm"] = text.strip()[:32]
    elif part == "syscall" and (words := text.split()):
        values |= {"syscall": words[0][:12], "args": tuple(w[:20] for w in words[1:7])}
    elif part == "stack" and (frame := _KERNEL.match(text)):
        draft.kernel.append(frame[1][:80])
    elif part == "stat" and (stat := _STAT.match(text)):
        values.setdefault("state", stat[1])
        if stat[2]:
            values.setdefault("parent", number(stat[2].strip()))
    elif part == "environ":
        for name, value in _RANK.findall(text):
            values["world" if name.endswith("SIZE") else "rank"] = int(value)
    elif part == "cmdline" and text.strip("\0 "):
        values["title"] = text.replace("\0", " ").strip()[:800]
    else:
        return False
    return True


def _listed(page: Page) -> list[Fact]:
    """`tid 7 state S wchan futex_do_wait` lines below `Name: python pid 7`."""
    first = page.take()
    named = _NAMED.match(first.text)
    pid = number(named[2]) if named else None
    found: list[Fact] = []
    while (row := page.row) and (listed := _LISTED.match(row.text)):
        found.append(Task(pid, number(listed[1]), page.file, row.number, listed[2], listed[3]))
        page.take()
    if not found:
        page.skip(-1)
    return found


def _task(file: str, key: tuple[int | None, int | None], draft: _Draft) -> Task:
    values: dict[str, Any] = dict(draft.values)
    rank = values.pop("rank", None)
    return Task(
        key[0],
        key[1],
        file,
        draft.line,
        kernel=tuple(draft.kernel[:MAX_KERNEL]),
        rank=None if rank is None else str(rank),
        known_by="" if rank is None else "environ",
        **values,
    )


EVIDENCE = Evidence(
    name="/proc",
    starts=r"==> /proc/\d+/\S+ <==|Name: \S+ pid \d+\s*$",
    parse=parse,
    samples=(
        "==> /proc/22542/task/22542/wchan <==\nkernel_clone\n==> /proc/22542/status <==\nName:\tpython\nState:\tD (disk sleep)\n"
        "PPid:\t19976\nTracerPid:\t0\n==> /proc/22542/environ <==\nRANK=3\0WORLD_SIZE=8\0\n",
        "Name: python pid 22080\ntid 22080 state S wchan hrtimer_nanosleep\n",
    ),
    strangers=("==> run.log <==\nhello\n",),
    order=10,
)
