"""Rules on processes that wait for the outside world rather than for a collective: files, sockets, devices, conditions, work."""

from kb.hang.case import Case, Finding, classes, common, told
from kb.hang.frames import python, user_path
from kb.hang.known_calls import IO_KINDS
from kb.hang.ranges import ordered, rank_words
from kb.hang.rules_ranks import frame_of, words
from kb.hang.stand import Stand
from kb.hang.waits import View, says_wait
from kb.model.snapshot import Proof, Socket


def odd_one(case: Case) -> Finding | None:
    """No collective, yet the main threads of most ranks wait at one line, and a few stand elsewhere in the same function.

    Who is behind that line holds the others up; who is past it may hold a lock between processes that they wait for.
    """
    if len(case.apart) < 3 or case.synced:
        return None
    groups = classes(case.apart, _main_place)
    many, few = groups[0], [stand for group in groups[1:] for stand in group]
    if not few or len(many) <= len(case.apart) // 2 or any(stand.telling is None or stand.telling.running for stand in (many[0], *few)):
        return None
    steps = [_step(stand, many[0]) for stand in few]
    proofs = (*(told(stand) for stand in few[:2]), told(many[0]))
    if all(step > 0 for step in steps) and all(stand.kind == "call" for stand in (many[0], *few)):
        return Finding(
            "low",
            f"{rank_words(s.rank for s in few)} is past the line at which the others wait, as the holder of a lock of all would be",
            ordered(s.rank for s in few),
            frame_of(few[0]),
            proofs,
            name="file_lock_wait",
        )
    if all(step < 0 for step in steps) and all(stand.kind in IO_KINDS for stand in few) and few[0].telling:
        return Finding(
            "medium",
            f"{rank_words(s.rank for s in few)} {words(few[0].telling)}; the others wait for it some lines further on",
            ordered(s.rank for s in few),
            frame_of(few[0]),
            proofs,
            name="rank_blocked_in_io",
        )
    return None


def _main(stand: Stand) -> View | None:
    return next((view for view in stand.threads if view.main and view.frames), stand.telling)


def _main_place(stand: Stand) -> object:
    """Where the main thread stands in the user's code."""
    view = _main(stand)
    return (user_path(view.frames), view.frame.line if view.frame else None) if view else None


def _step(one: Stand, other: Stand) -> int:
    """How many lines a main thread is past another one in the innermost function that both are in; 0 where that cannot be said."""
    mine, theirs = _main(one), _main(other)
    if mine is None or theirs is None or not (shared := common((mine.path, theirs.path))):
        return 0
    left, right = python(mine.frames)[::-1][shared - 1], python(theirs.frames)[::-1][shared - 1]
    return left.line - right.line if left.line and right.line else 0


def file_lock(case: Case) -> Finding | None:
    """Processes wait for a lock on a file; who does not wait may hold it."""
    waiting = [stand for stand in case.alive if stand.kind in ("file lock", "stale lock")]
    if not waiting:
        return None
    others = [stand for stand in case.apart if stand not in waiting and not stand.in_sync]
    stale = all(stand.kind == "stale lock" for stand in waiting) and not others
    who = others or waiting
    path = next((t.args for s in waiting for t in s.snapshot.traced if t.call == "flock"), "")
    summary = f"{rank_words(s.rank for s in waiting)} wait for a file lock" + (
        f", {rank_words(s.rank for s in others)} does not" if others else ""
    )
    proofs = (*(told(s) for s in (*others[:1], *waiting[:2])), *_flocks(waiting))
    ranks = ordered(s.rank for s in who) if others or len(case.alive) == 1 else ()
    return Finding(
        "high",
        summary + (f" ({path[:80]})" if path else ""),
        ranks,
        frame_of(who[0]),
        proofs[:4],
        name="stale_file_lock" if stale else "file_lock_wait",
    )


def _flocks(stands: list[Stand]) -> list[Proof]:
    return [Proof(f"rank {s.rank}: flock({t.args[:100]}", t.file, t.line) for s in stands for t in s.snapshot.traced if t.call == "flock"][
        :1
    ]


def socket_cycle(case: Case) -> Finding | None:
    """Both ends of one connection read, and nothing is under way."""
    reading = [stand for stand in case.apart if stand.kind == "socket read"]
    if len(reading) < 2 or len(reading) < len(case.apart):
        return None
    pids = {stand.snapshot.pid: stand for stand in reading if stand.snapshot.pid}
    pair = _pair(case, set(pids))
    quiet = pair is not None and not any(s.received or s.unsent for s in pair)
    if not quiet and len(case.alive) > 2:
        return None
    proofs = [told(s) for s in reading[:2]] + (
        [Proof("both queues of their connection are empty", pair[0].file, pair[0].line)] if pair and quiet else []
    )
    return Finding(
        "high" if quiet else "low",
        f"{rank_words(s.rank for s in reading)} read from each other and nobody writes",
        ordered(s.rank for s in reading) if len(reading) != len(case.alive) else (),
        frame_of(reading[0]),
        tuple(proofs),
    )


def _pair(case: Case, pids: set[int]) -> tuple[Socket, Socket] | None:
    """Two ends of one connection in two of the processes."""
    ends = {(s.local, s.peer): s for s in case.scene.sockets if s.state == "ESTAB" and set(s.pids) & pids}
    for (local, peer), socket in sorted(ends.items()):
        other = ends.get((peer, local))
        if other is not None and set(other.pids) != set(socket.pids):
            return socket, other
    return None


def device(case: Case) -> Finding | None:
    """A thread waits for the accelerator."""
    found = [stand for stand in case.apart if stand.kind == "cuda sync"]
    if not found:
        return None
    return Finding(
        "medium",
        f"{rank_words(s.rank for s in found)} waits for a kernel on the device",
        ordered(s.rank for s in found),
        frame_of(found[0]),
        tuple(told(s) for s in found[:3]),
    )


def parked(case: Case) -> Finding | None:
    """Workers wait for work and the engine has none."""
    found = [stand for stand in case.apart if stand.kind in ("parked", "event loop", "serve", "queue", "idle")]
    if not found or len(found) < len(case.apart) or not any(stand.kind == "parked" for stand in found) or case.synced:
        return None
    return Finding("medium", "every process waits for work to be given to it", (), frame_of(found[0]), tuple(told(s) for s in found[:3]))


def polling(case: Case) -> Finding | None:
    """A loop of sleeps around a condition that does not become true."""
    asking = [
        stand
        for stand in case.apart
        if stand.telling
        and not stand.telling.running
        and (
            (stand.kind == "sleep" and (stand.telling.polled or says_wait(stand.telling.leaf)))
            or (stand.kind == "call" and says_wait(stand.telling.leaf))
        )
    ]
    if not asking or len(asking) < len(case.apart) or case.synced:
        return None
    first = asking[0].telling
    assert first is not None
    path = f" for {first.polled}" if first.polled else ""
    everybody = len(asking) == len(case.alive) > 1
    proofs = [told(s) for s in asking[:2]]
    proofs += [Proof(f"rank {s.rank}: asks for {t.polled} in vain", t.file, t.line) for s in asking for t in s.snapshot.traced if t.polled][
        :2
    ]
    return Finding(
        "medium" if first.polled else "low",
        f"{rank_words(s.rank for s in asking)} sleeps and looks again{path}",
        () if everybody else ordered(s.rank for s in asking),
        first.frame,
        tuple(proofs),
    )


def idle_loop(case: Case) -> Finding | None:
    """An event loop without anything to do; the stack cannot name what it awaits."""
    found = [stand for stand in case.apart if stand.kind == "event loop" and not any(view.weighs for view in stand.threads)]
    if not found or len(found) < len(case.apart):
        return None
    everybody = len(found) == len(case.alive) > 1
    return Finding(
        "low",
        f"{rank_words(s.rank for s in found)}: the event loop waits in select and no callback runs",
        () if everybody else ordered(s.rank for s in found),
        None,
        tuple(told(s) for s in found[:2]),
    )
