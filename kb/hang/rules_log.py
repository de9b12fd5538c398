"""Rules on what the watchers of NCCL, gloo, torch and Horovod wrote into logs."""

import re
from collections.abc import Callable, Iterable, Mapping

from kb.hang.case import Case, Confidence, Finding, majority
from kb.hang.ranges import order, ordered, rank_words
from kb.model.snapshot import Call, Note, Proof


def desync(case: Case) -> Finding | None:
    """torch's own desync report, monitored barriers and Horovod name the missing rank."""
    notes = [note for note in case.notes if note.kind in ("desync", "barrier", "horovod") and note.missing]
    if not notes:
        return None
    ranks = ordered(rank for note in notes for rank in note.missing)
    return Finding(
        "high",
        f"{rank_words(ranks)} did not join, by the framework's own report",
        ranks,
        _frame_of(case, ranks),
        tuple(Proof(n.text[:200], n.file, n.line) for n in notes[:3]),
    )


def logged_works(case: Case) -> Finding | None:
    """Watchdog lines of all ranks: the same number with different operations or sizes, a rank that is behind, or all alike."""
    works = [note for note in case.notes if note.kind == "timeout" and note.rank is not None and note.op]
    if not works:
        return None
    status = {note.rank: note for note in case.notes if note.kind in ("status", "dump") and note.enqueued is not None}
    lowest = min((n.number for n in works if n.number is not None), default=None)
    first = [n for n in works if n.number == lowest]
    compared: tuple[tuple[str, str, Callable[[Note], str | None]], ...] = (
        ("collective_mismatch", "operation", lambda n: n.op),
        ("collective_size_mismatch", "size", lambda n: n.size if _equal(n.op) else None),
    )
    for name, what, get in compared:
        values = {n.rank: str(get(n)) for n in first if n.rank is not None}
        if len(set(values.values())) > 1:
            usual = majority(values.values())
            odd = ordered(rank for rank, value in values.items() if value != usual)
            return Finding(
                "high",
                f"{rank_words(odd)}: another {what} at the same number {lowest}",
                odd,
                _frame_of(case, odd),
                _proofs(first, odd),
                name=name,
            )
    return _behind(case, works, status) or _alike(case, works, status)


def _equal(op: str | None) -> bool:
    return (op or "").upper() in ("ALLREDUCE", "BROADCAST", "REDUCE", "ALLGATHER", "BARRIER")


def _behind(case: Case, works: list[Note], status: Mapping[str | None, Note]) -> Finding | None:
    numbers = [n.number for n in works if n.number is not None]
    if not numbers:
        return None
    top = max(numbers)
    late = ordered(
        rank for rank, note in status.items() if rank is not None and note.enqueued is not None and 0 <= note.enqueued < min(numbers)
    )
    behind = late or ordered(n.rank for n in works if n.rank is not None and n.number is not None and n.number < top)
    if not behind or len(behind) * 2 > len({n.rank for n in works} | set(status)):
        return None
    proofs = [*(Proof(status[r].text[:200], status[r].file, status[r].line) for r in behind[:2] if r in status), *_proofs(works, behind)]
    return Finding(
        "high",
        f"{rank_words(behind)} is behind: it never enqueued operation {top if not late else min(numbers)}",
        behind,
        _frame_of(case, behind),
        tuple(proofs[:4]),
        name="rank_missing_from_collective",
    )


def _alike(case: Case, works: list[Note], status: Mapping[str | None, Note]) -> Finding | None:
    ranks = ordered(n.rank for n in works if n.rank is not None)
    if len(ranks) < 2:
        return None
    missing = case.scene.missing
    sure: Confidence = "medium" if not missing and len(status) >= len(ranks) else "low"
    where = works[0]
    return Finding(
        sure,
        f"{rank_words(ranks)} wait in the same {where.op} #{where.number}; nothing tells them apart",
        (),
        None,
        _proofs(works, ranks),
        name="symmetric_collective_stall",
    )


def _proofs(notes: list[Note], odd: Iterable[str]) -> tuple[Proof, ...]:
    """Lines of the odd ranks, then one of the others."""
    names = list(odd)
    mine = [n for n in notes if n.rank in names]
    theirs = [n for n in notes if n.rank not in names]
    return tuple(Proof(n.text[:200], n.file, n.line) for n in (*mine[:2], *theirs[:2]))


def watchers(case: Case) -> Finding | None:
    """The heartbeat monitor: a stuck watchdog, a lock of the interpreter that cannot be had, nothing ever enqueued."""
    no_gil = [note for note in case.notes if note.kind == "no gil"]
    stuck = [note for note in case.notes if note.kind == "stuck"]
    if no_gil:
        ranks = ordered(n.rank for n in no_gil if n.rank is not None)
        sure: Confidence = "high" if stuck else "medium"
        return Finding(
            sure,
            f"{rank_words(ranks)}: the interpreter lock could not be had, so a native call holds it",
            ranks,
            _frame_of(case, ranks),
            tuple(Proof(n.text[:200], n.file, n.line) for n in (*no_gil[:2], *stuck[:2])),
            name="gil_held_by_native_call",
        )
    counted = [note for note in case.notes if note.enqueued is not None]
    ranks = ordered(n.rank for n in counted if n.rank is not None)
    if len(ranks) > 1 and all(n.enqueued == -1 for n in counted):
        return Finding(
            "medium",
            f"{rank_words(ranks)}: no operation was ever enqueued, the processes themselves stood still",
            (),
            None,
            tuple(Proof(n.text[:200], n.file, n.line) for n in counted[:3]),
            name="process_frozen",
        )
    everybody = ordered(n.rank for n in stuck if n.rank is not None)
    if len(everybody) > 1 and set(everybody) >= {s.rank for s in case.stands if order(s.rank)[0] == 0}:
        return Finding(
            "medium",
            "the watchdogs of all ranks are stuck: the processes stood still",
            (),
            None,
            tuple(Proof(n.text[:200], n.file, n.line) for n in stuck[:3]),
            name="process_frozen",
        )
    return None


_RECVFROM = "45"
"""recvfrom in /proc/PID/syscall on x86-64."""
_ABSURD = 2**32
"""Bytes of one answer of a store; keys and values have thousands."""


def _absurd(args: tuple[str, ...]) -> bool:
    """Whether a length, hexadecimal as the kernel shows it, is none of a store's."""
    return any(re.fullmatch(r"0x[0-9a-f]{1,16}", arg) is not None and int(arg, 16) > _ABSURD for arg in args)


def wrong_peer(case: Case) -> Finding | None:
    """A TCPStore client that got, or waits for, an answer of absurd length talks to another service."""
    meeting = [stand for stand in case.alive if stand.kind in ("rendezvous", "store")]
    notes = [note for note in case.notes if note.kind == "wrong length"]
    reading = [(stand, task) for stand in meeting for task in stand.snapshot.tasks if task.syscall == _RECVFROM and _absurd(task.args[2:3])]
    if reading:
        return Finding(
            "high",
            f"{rank_words(stand.rank for stand, _ in reading)} reads an answer of absurd length: the port is another service's",
            ordered(stand.rank for stand, _ in reading),
            next((stand.telling.frame for stand, _ in reading if stand.telling), None),
            tuple(Proof(f"rank {stand.rank}: recvfrom of {task.args[2]} bytes", task.file, task.line) for stand, task in reading[:3]),
        )
    if not notes or not meeting:
        return None
    ranks = ordered(n.rank for n in notes if n.rank is not None)
    return Finding(
        "high",
        "the answer on the master's port is none of a TCPStore",
        ranks,
        None,
        tuple(Proof(n.text, n.file, n.line) for n in notes[:2]),
    )


def _frame_of(case: Case, ranks: Iterable[str]) -> Call | None:
    names = set(ranks)
    return next((s.telling.frame for s in case.stands if s.rank in names and s.telling and s.telling.frame), None)
