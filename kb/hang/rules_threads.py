"""Rules inside one process on the interpreter lock and on locks between threads."""

import re
from collections.abc import Iterable, Iterator

from kb.hang.case import Case, Confidence, Finding, proof
from kb.hang.frames import bare, is_library, key, python
from kb.hang.stand import Stand
from kb.hang.waits import View
from kb.model.snapshot import Call

CONTENDERS = 3
"""Threads in one function from which competition for the interpreter lock is the explanation."""
_ADDRESS = re.compile(r"(?:lock|Lock|RLock|Condition|Semaphore)\S* (?:object )?at (0x[0-9a-f]+)")
_MUTEX = re.compile(r"lll_lock_wait|pthread_mutex_lock|pthread_rwlock|mutex::lock|Mutex")
_HOLDS_ELSEWHERE = re.compile(r"std::|::|mutex|PyGILState_Ensure|gil_scoped_acquire|_callback|^on_")
_INTERPRETER_C = re.compile(
    r"^(?:gc_|dict|list|unicode|tuple|long_|set_|pymalloc|_?Py|object|free_|iter|enum|range|\?\?\?|gen_|func_|frame_|cell_|type_)"
)


def _suspects(case: Case) -> Iterator[Stand]:
    """Processes that could be the cause: those that do not wait for other ranks."""
    yield from case.apart


def finding(
    stand: Stand, confidence: Confidence, summary: str, view: View, *others: tuple[View, str], frame: Call | None = None
) -> Finding:
    """What a rule found in one process, with the threads that show it."""
    proofs = tuple(proof(v, stand, text) for v, text in others)
    return Finding(
        confidence,
        f"rank {stand.rank}: {summary}",
        (stand.rank,),
        frame or view.frame,
        proofs,
        values={"pids": str(stand.snapshot.pid or "PID"), "tid": str(view.tid or "TID")},
    )


def gil_lock_cycle(case: Case) -> Finding | None:
    """The holder of the interpreter lock waits for a native lock whose owner waits for the interpreter lock."""
    for stand in _suspects(case):
        holder = next((v for v in stand.threads if v.gil == "holds"), None)
        waiters = [v for v in stand.threads if v.gil == "waits"]
        inside = next((v for v in waiters if any(_HOLDS_ELSEWHERE.search(name) for name in v.natives)), None)
        alone = len(waiters) == len(stand.threads) - 1  # nobody else is left who could own the native lock
        waiter = inside or (waiters[0] if waiters and alone else None)
        if holder and waiter and not holder.running and any(_MUTEX.search(name) for name in holder.natives):
            return finding(
                stand,
                "high" if inside else "medium",
                "two threads hold what the other wants: the interpreter lock and a native lock",
                holder,
                (holder, f"holds the interpreter lock and waits in {holder.natives[0]}"),
                (waiter, f"waits for the interpreter lock {f'inside {waiter.natives[-1]}' if waiter.natives else ''}"),
            )
    return None


def gil_held(case: Case) -> Finding | None:
    """A thread owns the interpreter lock and does not run, or runs in C code, while others wait for it."""
    for stand in _suspects(case):
        holder = next((v for v in stand.threads if v.gil == "holds"), None)
        waiters = [v for v in stand.threads if v.gil == "waits"]
        if holder is None or (holder.running and not waiters):
            continue
        shown = [(v, f"{v.name or v.tid} waits for the interpreter lock") for v in waiters[:2]]
        if not holder.running and (waiters or holder.kind not in ("unknown", "event", "idle", "gil")):
            sure: Confidence = "high" if waiters else "medium"
            return finding(
                stand,
                sure,
                f"a native call holds the interpreter lock and {'sleeps' if holder.kind == 'sleep' else 'waits'}",
                holder,
                (holder, f"{holder.name or 'the thread'} owns the interpreter lock and does not run ({holder.kind})"),
                *shown,
            )
        native = next((name for name in holder.natives if not _INTERPRETER_C.match(name)), None)
        if native and waiters and len(waiters) < CONTENDERS:
            found = finding(
                stand,
                "high" if stand.samples > 1 else "medium",
                f"{native} computes and holds the interpreter lock",
                holder,
                (holder, f"owns the interpreter lock inside {native}"),
                *shown,
            )
            return Finding(
                found.confidence,
                found.summary,
                found.ranks,
                found.frame,
                found.evidence,
                name="gil_held_cpu_bound_native",
                values=found.values,
            )
    return None


def gil_contention(case: Case) -> Finding | None:
    """Many threads of pure Python compete: most wait 5 ms at a time, one runs."""
    for stand in _suspects(case):
        waiters = [v for v in stand.threads if v.gil == "waits"]
        rivals: dict[tuple[str, str] | None, list[View]] = {}
        for view in stand.threads:
            if view.leaf and not is_library(view.leaf.file) and view.kind in ("call", "running", "gil"):
                rivals.setdefault(key(view.leaf), []).append(view)
        most = max(rivals.values(), key=len, default=[])
        alive = [v for v in most if v.running or v.gil]
        if len(waiters) >= CONTENDERS or (len(most) >= CONTENDERS and alive):
            who = next(iter(alive or waiters))
            sure: Confidence = "high" if len(waiters) >= CONTENDERS else "medium"
            return finding(
                stand,
                sure,
                f"{max(len(most), len(waiters))} threads compete for the interpreter lock",
                who,
                (who, f"one of {len(most)} threads in {bare(who.leaf.function) if who.leaf else '?'}"),
                *((v, f"{v.name or v.tid} waits for the interpreter lock") for v in waiters[:2]),
            )
    return None


def lock_cycle(case: Case) -> Finding | None:
    """Threads wait for locks in a circle: by addresses; by exclusion, when every thread that counts waits for a lock."""
    for stand in _suspects(case):
        if pair := _circle(stand.threads):
            return finding(
                stand,
                "high",
                "threads hold each other's lock",
                pair[0],
                *((v, f"{v.name or v.tid} waits for a lock that the next one holds") for v in pair),
            )
        waiting = [v for v in stand.threads if v.kind in ("lock", "call") and v.weighs and not _pool_thread(v)]
        busy = [v for v in stand.threads if v.weighs and v not in waiting and v.frames]
        if len(waiting) < 2 or busy or any(v.running for v in stand.threads):
            continue
        if swapped := _swapped(waiting):
            return finding(
                stand,
                "high",
                "two threads took the same two locks in opposite order",
                swapped[0],
                *((v, f"{v.name or v.tid}: locks {', '.join(_addresses(v))}") for v in swapped),
            )
        known = all(v.kind == "lock" for v in waiting)
        same = len({(key(v.leaf), v.leaf.line) for v in waiting if v.leaf}) == 1 and len(waiting) == 2
        if known or same:
            return finding(
                stand,
                "medium" if known else "low",
                "every thread that counts waits for a lock, so nobody can release one",
                waiting[0],
                *((v, f"{v.name or v.tid} waits for a lock") for v in waiting[:3]),
            )
    return None


def _circle(threads: Iterable[View]) -> list[View] | None:
    """A circle in the graph of who waits for what who holds."""
    views = list(threads)
    owner = {address: v for v in views for kind, address in v.locks if kind == "holds" and ("waits", address) not in v.locks}
    for start in views:
        seen: list[View] = []
        at: View | None = start
        while at is not None and at not in seen:
            seen.append(at)
            at = next((owner[a] for kind, a in at.locks if kind == "waits" and a in owner), None)
        if at is start and len(seen) > 1:
            return seen
    return None


def _addresses(view: View) -> list[str]:
    """Locks in the arguments and locals of the innermost user frame, in their order."""
    values = next((call.values for call in python(view.frames) if call.values and not is_library(call.file)), ())
    return [found[1] for _, text in values if (found := _ADDRESS.search(text))]


def _swapped(views: list[View]) -> tuple[View, View] | None:
    for number, one in enumerate(views):
        for other in views[number + 1 :]:
            mine, theirs = _addresses(one), _addresses(other)
            if len(set(mine) & set(theirs)) > 1 and mine != theirs:
                return one, other
    return None


def lock_held(case: Case) -> Finding | None:
    """Threads wait at one lock and one other thread of the process, which does not wait for it, is blocked."""
    for stand in _suspects(case):
        threads = [v for v in stand.threads if v.weighs and v.frames and not _pool_thread(v)]
        waiting = [v for v in threads if v.kind == "lock" and v.leaf]
        if not waiting:
            waiting = _at_one_line([v for v in threads if v.kind == "call" and v.leaf])
        holders = [v for v in threads if v not in waiting and v.kind != "lock" and not v.main] or [
            v for v in threads if v not in waiting and v.kind != "lock"
        ]
        if not waiting or not holders or (len(waiting) < 2 and not all(v.kind == "lock" for v in waiting)):
            continue
        files = {key(v.leaf)[1] for v in waiting if v.leaf}
        best = sorted(holders, key=lambda v: (not (v.frame and key(v.frame)[1] in files), v.running, v.line))[0]
        sure: Confidence = "medium" if len(holders) == 1 or waiting[0].kind == "lock" else "low"
        sure = "high" if len(holders) == 1 and waiting[0].kind == "lock" and best.kind not in ("call", "running") else sure
        return finding(
            stand,
            sure,
            f"{_many(waiting)} for a lock while {best.name or best.tid} {_stuck(best)}",
            best,
            (best, f"{best.name or best.tid} is not among those that wait, and {_stuck(best)}"),
            *((v, f"{v.name or v.tid} waits") for v in waiting[:2]),
        )
    return None


def _many(views: list[View]) -> str:
    return "1 thread waits" if len(views) == 1 else f"{len(views)} threads wait"


def _stuck(view: View) -> str:
    return "runs" if view.running else "sleeps" if view.kind == "sleep" else "is blocked"


def _at_one_line(views: list[View]) -> list[View]:
    """The largest set of threads that stand at one line."""
    places: dict[object, list[View]] = {}
    for view in views:
        assert view.leaf is not None
        places.setdefault((key(view.leaf), view.leaf.line), []).append(view)
    return max(places.values(), key=len, default=[])


def _pool_thread(view: View) -> bool:
    return view.kind == "idle"
