"""Rules across ranks: who waits for whom."""

from kb.hang.case import Case, Confidence, Finding, call_path, classes, common, told
from kb.hang.known_calls import IO_KINDS
from kb.hang.ranges import ordered, rank_words
from kb.hang.stand import Stand
from kb.hang.waits import View
from kb.model.snapshot import Call, Proof

BACKOFF = 3
"""Doublings of the retransmission timer from which a connection counts as broken: some seconds without an answer."""
SILENT_MS = 10_000
"""Milliseconds without anything received from which a connection with unsent data counts as broken."""


def rendezvous(case: Case) -> Finding | None:
    """Everybody is in start-up: the culprit is who is not there. Majority is no innocence."""
    meeting = [stand for stand in case.alive if stand.kind in ("rendezvous", "store")]
    if not meeting or len(meeting) < len(case.apart) + len(case.synced) or not any(s.kind == "rendezvous" for s in meeting):
        return None
    joined = max((t.joined for s in meeting for t in s.snapshot.traced if t.joined), default=None)
    peers = _peers(case)
    fewer = (peers is not None and case.scene.world is not None and peers < case.scene.world) or (
        joined is not None and joined <= len(meeting)
    )
    proofs = [told(s) for s in meeting[:2]]
    proofs += [Proof(f"the store counts {t.joined} workers", t.file, t.line) for s in meeting for t in s.snapshot.traced if t.joined][:1]
    counted = next((n for n in case.notes if n.kind == "joined" and n.number is not None and n.world and n.number < n.world), None)
    proofs += [Proof(counted.text[:160], counted.file, counted.line)] if counted else []
    who = f"; {rank_words(case.scene.missing)} is not there" if case.scene.missing else ""
    known = len(meeting) + len(case.scene.missing)
    world = f" of {case.scene.world}" if case.scene.world else ""
    if case.scene.world and known >= case.scene.world and not case.scene.missing and not fewer:
        return None
    sure: Confidence = "high" if (fewer or counted) and case.scene.missing else "medium"
    return Finding(sure, f"{len(meeting)}{world} ranks wait for each other in start-up{who}", case.scene.missing, None, tuple(proofs))


def _peers(case: Case) -> int | None:
    """Distinct processes connected to the port that most of them are connected to."""
    by_port: dict[str, set[int]] = {}
    for socket in case.scene.sockets:
        if socket.state == "ESTAB" and socket.pids:
            by_port.setdefault(socket.peer, set()).update(socket.pids)
    return max(map(len, by_port.values()), default=None)


def store_wait(case: Case) -> Finding | None:
    """Some ranks wait for a key in the store and another one is elsewhere."""
    waiting = [stand for stand in case.alive if stand.kind == "store"]
    others = [stand for stand in case.apart if stand.kind != "store"]
    if not waiting or not others or len(waiting) < len(case.synced):
        return None
    frame = next((s.telling.frame for s in others if s.telling), None)
    return Finding(
        "high",
        f"{rank_words(s.rank for s in waiting)} wait for a key that {rank_words(s.rank for s in others)} should set",
        ordered(s.rank for s in others),
        frame,
        (*(told(s) for s in others[:2]), told(waiting[0])),
    )


def mismatch(case: Case) -> Finding | None:
    """Everybody waits in a collective, but in different ones, or on different paths."""
    synced = [stand for stand in case.synced if stand.kind in ("collective", "barrier", "p2p", "store")]
    if len(synced) < 2 or len(synced) < len(case.synced) or any(stand.kind == "collective" for stand in synced) is False:
        return None
    groups = classes(synced, lambda stand: (stand.telling.op if stand.telling else "", call_path(stand)))
    if len(groups) < 2 or _blocked_or_busy(case):
        return None
    ops = {stand.telling.op for stand in synced if stand.telling}
    tie = len(groups[0]) == len(groups[1])
    odd = ordered(stand.rank for group in groups[0 if tie else 1 :] for stand in group)
    lead = groups[1][0]
    above = common(call_path(group[0]) for group in groups)
    split = call_path(lead)[above - 1][0] if above else ""
    summary = f"{rank_words(s.rank for s in groups[0])} in {_op(groups[0][0])}, {rank_words(s.rank for s in groups[1])} in {_op(lead)}"
    if len(ops) == 1:
        summary += " from another place of the code"
    summary += f"; the paths part below {split}" if split else ""
    frame = lead.telling.frame if lead.telling else None
    return Finding("high" if len(ops) > 1 else "medium", summary, odd, frame, tuple(told(group[0]) for group in (*groups[1:4], groups[0])))


def _op(stand: Stand) -> str:
    return stand.telling.op or stand.kind if stand.telling else stand.kind


def _blocked_or_busy(case: Case) -> list[Stand]:
    return [stand for stand in case.apart if stand.kind not in ("unknown", "idle", "")]


def p2p(case: Case) -> Finding | None:
    """All ranks receive, or all send: nobody answers."""
    pairs = [stand for stand in case.synced if stand.kind == "p2p"]
    if len(pairs) < 2 or len(pairs) < len(case.alive):
        return None
    ops = {(_op(stand)).replace("_object_list", "").removeprefix("i") for stand in pairs}
    if len(ops) != 1 or "batch" in next(iter(ops)):
        return None
    op = next(iter(ops))
    other = "send" if op == "recv" else "recv"
    frame = pairs[0].telling.frame if pairs[0].telling else None
    proofs: tuple[Proof, ...] = tuple(told(s) for s in pairs[:3])
    return Finding("high", f"every rank is in {op}, none in {other}", (), frame, proofs)


def native_spin(case: Case) -> Finding | None:
    """NCCL spins while it queues an operation."""
    found = [stand for stand in case.alive if any(view.kind == "native spin" for view in stand.threads)]
    if not found:
        return None
    return Finding(
        "high",
        f"{rank_words(s.rank for s in found)} spins in ncclLocalOpAppend",
        ordered(s.rank for s in found),
        frame_of(found[0]),
        tuple(told(s) for s in found[:3]),
    )


def busy(case: Case) -> Finding | None:
    """One rank computes, the others wait for it."""
    if not case.synced:
        return None
    found = [stand for stand in case.apart if stand.telling and stand.telling.running]
    if not found or len(found) > len(case.synced) or len(found) < len(_blocked_or_busy(case)):
        return None
    importing = any("importlib" in call.file for stand in found if stand.telling for call in stand.telling.frames[:12])
    sure: Confidence = "high" if all(s.samples > 1 for s in found) else "low" if importing else "medium"
    return Finding(
        sure,
        f"{rank_words(s.rank for s in found)} computes and never reaches the {_op(case.synced[0])} in which the others wait",
        ordered(s.rank for s in found),
        frame_of(found[0]),
        (*(told(s) for s in found[:2]), told(case.synced[0])),
        values={"pids": " ".join(str(s.snapshot.pid) for s in found[:4] if s.snapshot.pid) or "PID"},
    )


def blocked(case: Case) -> Finding | None:
    """One rank is blocked in a call, a sleep or a lock, the others wait for it."""
    found = [stand for stand in _blocked_or_busy(case) if stand.telling and not stand.telling.running]
    if not case.synced or not found or len(found) > len(case.synced):
        return None
    first = found[0].telling
    assert first is not None
    locked = first.kind in ("lock", "process lock", "gil")
    if (
        not locked
        and first.kind not in IO_KINDS
        and first.kind not in ("file lock", "stale lock", "cuda sync", "future", "queue", "event", "join")
    ):
        return None
    skipped = first.kind == "call" and not first.sure and _in_common(found[0], case.synced[0])
    sure: Confidence = "high" if first.sure and first.kind != "call" else "medium"
    name = "rank_missing_from_collective" if skipped else "rank_blocked_in_lock" if locked else "rank_blocked_in_io"
    return Finding(
        sure,
        f"{rank_words(s.rank for s in found)} {words(first)}; the others wait in {_op(case.synced[0])}",
        ordered(s.rank for s in found),
        frame_of(found[0]),
        (*(told(s) for s in found[:2]), told(case.synced[0])),
        name=name,
        values={"pids": " ".join(str(s.snapshot.pid) for s in found[:4] if s.snapshot.pid) or "PID"},
    )


def _in_common(one: Stand, other: Stand) -> bool:
    """Whether a rank stands in the very function from which the others went on into their wait."""
    mine = call_path(one)
    return bool(mine) and common((mine, call_path(other))) == len(mine) > 1


def words(view: View) -> str:
    """What a blocked thread does, in words."""
    said = {
        "sleep": "sleeps",
        "call": "is blocked in a call below Python",
        "lock": "waits for a lock",
        "file lock": "waits for a file lock",
        "open": "is blocked opening a file",
        "child": "waits for a child process",
        "read": "is blocked reading",
        "cuda sync": "waits for the device",
    }
    return said.get(view.kind, f"is blocked ({view.kind})")


def frame_of(stand: Stand) -> Call | None:
    """The user frame of the telling thread."""
    return stand.telling.frame if stand.telling else None


def network(case: Case) -> Finding | None:
    """All ranks wait at the same place, and their connections prove that nothing arrives."""
    if not _symmetric(case):
        return None
    pids = {stand.snapshot.pid for stand in case.synced if stand.snapshot.pid}
    ours = [s for s in case.scene.sockets if s.detailed and set(s.pids) & pids]
    broken = [s for s in ours if (s.backoff >= BACKOFF and s.unacked) or (s.unsent and (s.last_received or 0) >= SILENT_MS and s.unacked)]
    if not broken:
        return None
    proofs = [
        Proof(
            f"{s.local} -> {s.peer}: {s.unsent} bytes unsent, timer doubled {s.backoff} times, "
            f"nothing received for {(s.last_received or 0) // 1000} s",
            s.file,
            s.line,
        )
        for s in broken[:3]
    ]
    return Finding(
        "high",
        f"all ranks wait in the same {_op(case.synced[0])} and what they send is not acknowledged",
        (),
        frame_of(case.synced[0]),
        (*proofs, told(case.synced[0])),
    )


def symmetric(case: Case) -> Finding | None:
    """All ranks wait at the same place and nothing tells them apart."""
    if not _symmetric(case):
        return None
    proofs = [told(s) for s in case.synced[:3]]
    quiet = [s for s in case.scene.sockets if s.detailed and not s.unsent]
    note = "; what was seen of their connections is quiet" if quiet else ""
    missing = case.scene.missing
    lacks = f"; there is no dump of {rank_words(missing)}" if missing else ""
    return Finding(
        "low" if missing or not quiet else "medium",
        f"all ranks wait in the same {_op(case.synced[0])}{note}{lacks}",
        (),
        frame_of(case.synced[0]),
        tuple(proofs),
    )


def _symmetric(case: Case) -> bool:
    """Whether every rank waits in a collective, all on one call path."""
    synced = [stand for stand in case.synced if stand.kind in ("collective", "barrier")]
    paths = {call_path(stand) for stand in synced}
    return len(synced) >= 2 and len(synced) == len(case.synced) and not case.apart and len(paths) == 1
