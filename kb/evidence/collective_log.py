"""Telling lines in logs: NCCL's watchdog and heartbeat monitor, desync reports, gloo, torchelastic, Horovod; also the ends of
processes that were no hang at all."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kb.evidence import Evidence, Page, Row
from kb.evidence._stack import number
from kb.model.event import Line
from kb.model.snapshot import Fact, Note

MAX_TEXT = 400
"""Characters kept of a line."""
_RANK = re.compile(r"\[rank ?(\d{1,7})\]")
_INNER_RANK = re.compile(r"\[(?:PG [^\]]*?)?Rank (\d{1,7})\]")
_GROUP = re.compile(r"\[PG (?:ID )?(\S+)(?: PG GUID ([^\](\s]+)(?:\(([^)]*)\))?| \(([^)]*)\))?")
_WORK = re.compile(r"WorkNCCL\((?:SeqNum=(\d+), )?OpType=(\w+), (?:NumelIn=(\d+), NumelOut=(\d+)|TensorShape=\[([\d, ]*)\])")
_ENQUEUED = re.compile(r"last enqueued (?:NCCL )?work: (-?\d+)", re.IGNORECASE)
_COMPLETED = re.compile(r"last completed (?:NCCL )?work: (-?\d+)", re.IGNORECASE)
_AT = re.compile(r"(?:at work(?: sequence id)?|at NCCL work): (-?\d+)")
_DESYNC = re.compile(r"\[(\d+)\] finished collective #(\d+), but didn't join collective #(\d+)")
_MONITORED = re.compile(r"Rank\(s\) ([\d, ]+) failed to pass monitoredBarrier|Ranks ([\d, ]+) failed to pass monitoredBarrier")
_JOINED = re.compile(r"(\d+)/(\d+) (?:workers|clients) joined")
_MISMATCH = re.compile(r"Detected mismatch between collectives on ranks.*?Rank (\d+) is running (?:collective|\w+)")
_HOROVOD = re.compile(r"Missing ranks:? *\[?([\d, ]+)|ready ranks")
_HUGE = 2**40
"""A count above it is -1 in an unsigned disguise."""


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    mark: str  # a literal of each such line
    more: Callable[[str], dict[str, object]] = lambda text: {}


def _numbers(text: str) -> dict[str, object]:
    """What watchdog lines say: work, counts."""
    says: dict[str, object] = {}
    if found := _WORK.search(text):
        says |= {"op": found[2], "size": ",".join(filter(None, (found[3], found[4]))) or (found[5] or ""), "number": number(found[1])}
    elif at := _AT.search(text):
        says["number"] = _count(at[1])
    for name, pattern in (("enqueued", _ENQUEUED), ("completed", _COMPLETED)):
        if count := pattern.search(text):
            says[name] = _count(count[1])
    return says


def _count(text: str) -> int:
    value = int(text) if len(text) < 24 else _HUGE
    return -1 if value < 0 or value >= _HUGE else value


def _ranks(pattern: re.Pattern[str]) -> Callable[[str], dict[str, object]]:
    def more(text: str) -> dict[str, object]:
        found = pattern.search(text)
        ranks = next((group for group in found.groups() if group), "") if found else ""
        return {"missing": tuple(re.findall(r"\d{1,7}", ranks))}

    return more


def _desync(text: str) -> dict[str, object]:
    found = _DESYNC.search(text)
    return {"missing": (found[1],), "number": number(found[3])} if found else {}


def _joined(text: str) -> dict[str, object]:
    found = _JOINED.search(text)
    return {"number": number(found[1]), "world": number(found[2])} if found else {}


KINDS = (
    _Kind("desync", "but didn't join collective", _desync),
    _Kind("timeout", "Watchdog caught collective operation timeout", _numbers),
    _Kind("status", "detected by watchdog at work", _numbers),
    _Kind("status", "Timeout at NCCL work", _numbers),
    _Kind("dump", "Received a dump signal due to a collective timeout", _numbers),
    _Kind("dump", "Observed flight recorder dump signal", _numbers),
    _Kind("stuck", "watchdog got stuck for", _numbers),
    _Kind("stuck", "Heartbeat monitor timed out", _numbers),
    _Kind("no gil", "Could not acquire GIL within", _numbers),
    _Kind("barrier", "failed to pass monitoredBarrier", _ranks(_MONITORED)),
    _Kind("joined", "joined", _joined),
    _Kind("op mismatch", "Detected mismatch between collectives on ranks", lambda text: {}),
    _Kind("horovod", "Missing ranks", _ranks(_HOROVOD)),
    _Kind("horovod", "One or more tensors were submitted to be reduced"),
    _Kind("gloo timeout", "ms for recv operation to complete"),
    _Kind("gloo timeout", "ms for send operation to complete"),
    _Kind("abort", "Received data size doesn't match expected size"),
    _Kind("abort", "terminate called after throwing an instance"),
    _Kind("heartbeat", "No available shared memory broadcast block found"),
    _Kind("cascade", "Connection reset by peer"),
    _Kind("cascade", "Connection closed by remote peer"),
    _Kind("cascade", "Connection closed by peer"),
    _Kind("killed", "exitcode: -9"),
    _Kind("killed", "Out of memory: Killed process"),
    _Kind("killed", "exited on signal 9"),
    _Kind("wrong length", "negative length"),
    _Kind("crash", "Traceback (most recent call last)"),
    _Kind("p2p iommu", "P2P is disabled between"),
)


def parse(page: Page) -> list[Fact]:
    """One line."""
    row = page.take()
    kind = next((kind for kind in KINDS if kind.mark in row.text), None)
    return [_note(page.file, row, kind)] if kind and (kind.name != "joined" or _JOINED.search(row.text)) else []


def _note(file: str, row: Row, kind: _Kind) -> Note:
    text = row.text[: MAX_TEXT * 4]
    outer, inner, group = _RANK.search(text), _INNER_RANK.search(text), _GROUP.search(text)
    rank = outer[1] if outer else row.rank or (inner[1] if inner else None)
    name = (group[4] or group[3] or group[2] or group[1]) if group else ""
    says = kind.more(text)
    return Note(kind.name, text.strip()[:MAX_TEXT], file, row.number, name, rank=rank, known_by="log" if rank else "", **says)  # type: ignore[arg-type]


def notes_of(lines: Iterable[Line]) -> list[Note]:
    """The telling lines of a log that was already read and peeled; each keeps its file and number."""
    return [
        note
        for line in lines
        for kind in KINDS
        if kind.mark in line.text
        for note in [_note(line.file or "", Row(line.number, line.text, line.rank), kind)]
        if kind.name != "joined" or _JOINED.search(line.text)
    ]


EVIDENCE = Evidence(
    name="log",
    starts=r".*?(?:" + "|".join(re.escape(mark) for mark in dict.fromkeys(kind.mark for kind in KINDS)) + ")",
    parse=parse,
    samples=(
        "[rank5]:[E1129 03:04:15.6 ProcessGroupNCCL.cpp:683] [Rank 5] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=412, "
        "OpType=ALLREDUCE, NumelIn=1048576, NumelOut=1048576, Timeout(ms)=600000) ran for 600001 milliseconds before timing out.\n",
        "[Rank 0]: Rank(s) 3 failed to pass monitoredBarrier in 30000 ms\n",
    ),
    strangers=("all workers joined the party\n",),
    order=90,
)
