"""Rules inside one process that are no locks: fork, queues, children, pools, event loops."""

from kb.hang.case import Case, Confidence, Finding, proof, told
from kb.hang.frames import bare
from kb.hang.ranges import ordered, rank_words
from kb.hang.rules_threads import finding
from kb.hang.waits import View
from kb.model.snapshot import Proof, Task


def fork_lock(case: Case) -> Finding | None:
    """A forked child with one thread waits for a lock that only a thread of its parent could have held."""
    found = []
    for stand in case.alive:
        view = stand.threads[0]
        forked = any(
            "popen_fork" in call.file or bare(call.function) in ("fork", "fork_exec", "spawn_worker", "_launch") for call in view.frames
        )
        if len(stand.threads) == 1 and forked and not view.running and view.kind == "lock" and not view.shared and not view.timed:
            found.append((stand, view))
    if not found:
        return None
    stand, view = found[0]
    known = any(v.system or v.natives for _, v in found)
    return Finding(
        "high" if known else "medium",
        f"{rank_words(s.rank for s, _ in found)}: a forked child waits for a lock that was held when it was forked",
        ordered(s.rank for s, _ in found),
        view.frame,
        tuple(proof(v, s, f"rank {s.rank}: its only thread, begun by fork, waits for a lock of its own process") for s, v in found[:3]),
        values={"pids": str(stand.snapshot.pid or "PID")},
    )


def queue_join(case: Case) -> Finding | None:
    """A process at its end waits for its feeder thread, which writes into a pipe that nobody reads."""
    found = []
    for stand in case.alive:
        ending = next(
            (v for v in stand.threads if v.kind == "queue join" or any(bare(c.function) == "_finalize_join" for c in v.frames)), None
        )
        feeder = next((v for v in stand.threads if any(bare(c.function) == "_feed" for c in v.frames) and _writes(v)), None)
        if ending or (feeder and not stand.in_sync and any(s.kind == "process join" for s in case.alive if s is not stand)):
            found.append((stand, ending or feeder, feeder))
    if not found:
        return None
    joining = [s for s in case.alive if s.kind == "process join"]
    proofs = [
        proof(view, stand, f"rank {stand.rank}: the process ends only when its queue is drained") for stand, view, _ in found[:2] if view
    ]
    proofs += [
        proof(feeder, stand, f"rank {stand.rank}: the feeder thread writes into a full pipe") for stand, _, feeder in found[:1] if feeder
    ]
    proofs += [told(s) for s in joining[:1]]
    parent = next((s.telling.frame for s in joining if s.telling), None)
    child = next((view.frame for _, view, _ in found if view), None)
    return Finding(
        "high" if joining or any(feeder for *_, feeder in found) else "medium",
        "a child cannot end before somebody reads its queue, and its parent joins it first",
        ordered(s.rank for s, *_ in found),
        child or parent,
        tuple(proofs),
    )


def _writes(view: View) -> bool:
    return view.kind in ("pipe write", "write") or any(bare(c.function) in ("_send", "_send_bytes") for c in view.frames[:4])


def pipe_full(case: Case) -> Finding | None:
    """A parent waits for the end of a child that writes into a pipe which only the parent could read."""
    for stand in case.apart:
        view = stand.telling
        if view is None or view.kind != "child" or not any("subprocess.py" in c.file for c in view.frames):
            continue
        children = [task for task in _tasks(case) if task.parent == stand.snapshot.pid or task.pid in stand.children]
        blocked = [
            task
            for task in children
            if "pipe_write" in (task.wchan or "") or task.syscall == "1" or any("pipe_write" in k for k in task.kernel)
        ]
        writer = next(
            (s for s in case.alive if s is not stand and (s.snapshot.pid in stand.children) and s.kind in ("pipe write", "write")), None
        )
        other = [task for task in children if task not in blocked and task.wchan]
        if other and not blocked and not writer:
            continue  # the child is seen doing something else
        proofs = [told(stand), *(Proof(f"pid {t.pid}: blocked in {t.wchan or 'write'}", t.file, t.line) for t in blocked[:1])]
        sure: Confidence = "high" if blocked or writer else "low"
        return Finding(
            sure,
            f"rank {stand.rank} waits for a child"
            + (" that is blocked writing to a pipe" if sure == "high" else "; a full pipe would explain it"),
            (stand.rank,),
            view.frame,
            tuple(proofs),
            values={"pids": str(stand.snapshot.pid or "PID")},
        )
    return None


def _tasks(case: Case) -> list[Task]:
    return [*case.scene.tasks, *(task for stand in case.stands for task in stand.snapshot.tasks)]


def starved_pool(case: Case) -> Finding | None:
    """All workers of a pool wait for results of tasks that only they could run."""
    for stand in case.apart:
        workers = [
            v
            for v in stand.threads
            if any(
                bare(c.function) in ("_worker", "worker") and ("concurrent/futures/thread.py" in c.file or "pool.py" in c.file)
                for c in v.frames
            )
        ]
        waiting = [v for v in workers if v.kind == "future"]
        if waiting and len(waiting) == len(workers):
            return finding(
                stand,
                "high",
                f"all {len(workers)} workers of the pool wait for results of tasks in the same pool",
                waiting[0],
                *((v, f"{v.name or v.tid} is a worker and waits for a future") for v in waiting[:3]),
            )
    return None


def loop_blocked(case: Case) -> Finding | None:
    """A blocking call below an event loop's handle."""
    for stand in case.apart:
        for view in stand.threads:
            names = [(bare(c.function), c.file) for c in view.frames]
            at = next((n for n, (name, file) in enumerate(names) if name in ("_run", "_run_once") and "asyncio/" in file), None)
            if at is None or names[at][0] == "_run_once" or not at or view.kind in ("event loop", "select", "idle"):
                continue
            sure: Confidence = "high" if view.sure and not view.running else "medium"
            return finding(
                stand,
                sure,
                "a blocking call holds the event loop",
                view,
                (view, f"{view.name or 'the loop thread'}: blocked below a callback ({view.kind})"),
            )
    return None
