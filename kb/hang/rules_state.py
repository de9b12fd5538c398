"""Rules on the states of processes, which outrank every stack, and on progress between samples."""

from kb.hang.case import Case, Confidence, Finding, proof, told
from kb.hang.ranges import ranges, rank_words
from kb.hang.stand import Stand
from kb.model.snapshot import Proof, Task

_AWAITS = ("process join", "child", "pipe read", "queue", "socket read", "process lock", "barrier", "future")
"""Kinds of waiting that a dead peer explains."""
_CRASHES = ("abort", "crash", "killed", "cascade")


def crashed(case: Case) -> Finding | None:
    """Logs end in exceptions or aborts and no process is left to look at: it is no hang."""
    if case.alive or case.flights:
        return None
    notes = [note for note in case.notes if note.kind in _CRASHES]
    if not notes or any(note.kind in ("timeout", "stuck", "dump", "desync") for note in case.notes):
        return None
    aborted = [n for n in notes if n.kind in ("abort", "killed")]
    reset = {n.rank for n in notes if n.kind == "cascade"}
    first = aborted or [n for n in notes if n.kind == "crash" and n.rank not in reset] or notes
    ranks = tuple(dict.fromkeys(n.rank for n in first if n.rank is not None))
    shown = [*first[:2], *(n for n in notes if n.kind == "cascade")][:4]
    return Finding(
        "high" if aborted else "medium",
        f"{rank_words(ranks)} ended with an error; the others only lost their peer",
        ranks,
        evidence=tuple(Proof(n.text[:160], n.file, n.line) for n in shown),
    )


def stopped(case: Case) -> Finding | None:
    """A process in state T while others wait for it, or alone."""
    found = [stand for stand in case.stands if stand.state == "stopped"]
    if not found:
        return None
    frame = next((s.telling.frame for s in found if s.telling), None)
    waiting = all(stand.telling and not stand.telling.running for stand in case.alive if stand.state != "stopped")
    seen = any(task.state == "T" for stand in found for task in stand.snapshot.tasks)
    return Finding(
        "high" if seen and waiting else "medium",
        f"{rank_words(s.rank for s in found)} is stopped (state T) and runs nothing until it is continued",
        tuple(s.rank for s in found),
        frame,
        (*_states(found, "T", "t"), *(told(s) for s in case.synced[:2])),
        values={"pids": _pids(found)},
    )


def uninterruptible(case: Case) -> Finding | None:
    """A process in state D, by /proc; or one on which the capturing tools themselves hung."""
    found = [stand for stand in case.stands if stand.state == "uninterruptible" or any(t.state == "D" for t in stand.snapshot.tasks)]
    if not found:
        return _tool_hung(case)
    kernels = [task for stand in found for task in stand.snapshot.tasks if task.kernel or task.wchan]
    where = next((task.wchan or task.kernel[0] for task in kernels if task.state == "D" or task.kernel), "")
    frame = next((s.telling.frame for s in found if s.telling), None)
    return Finding(
        "high" if kernels else "medium",
        f"{rank_words(s.rank for s in found)} sleeps uninterruptibly (state D) in the kernel" + (f", in {where}" if where else ""),
        tuple(s.rank for s in found),
        frame,
        tuple(_states(found, "D"))[:4],
        values={"pids": _pids(found)},
    )


def _tool_hung(case: Case) -> Finding | None:
    """py-spy named the process and then showed nothing until it was killed: it does so on processes in state D."""
    found = [stand for stand in case.stands if any(stack.note == "timed out" and not stack.threads for stack in stand.snapshot.stacks)]
    if not found or case.alive:
        return None
    stacks = [stack for stand in found for stack in stand.snapshot.stacks if stack.note]
    return Finding(
        "low",
        f"the tool itself hung on {rank_words(s.rank for s in found)}, as it does on processes in state D",
        tuple(s.rank for s in found),
        None,
        (Proof("the dump has a heading, no thread, and timed out", stacks[0].file, stacks[0].line),),
        values={"pids": _pids(found)},
    )


def dead(case: Case) -> Finding | None:
    """A rank is a zombie, was killed by the log's word, or has no process while the others wait."""
    zombies = [stand for stand in case.stands if stand.state == "dead"]
    if zombies:
        return Finding(
            "high",
            f"{rank_words(s.rank for s in zombies)} is dead (zombie) while others wait",
            tuple(s.rank for s in zombies),
            None,
            (*_states(zombies, "Z", "X"), *(told(s) for s in case.synced[:2])),
        )
    buried = _dead_children(case)
    if buried and (case.synced or any(stand.kind in _AWAITS for stand in case.alive)):
        ranks = case.scene.missing or tuple(stand.rank for stand in case.alive if stand.snapshot.pid in {task.parent for task in buried})
        return Finding(
            "high",
            "a child process is dead and was not reaped; somebody still waits for it",
            ranks,
            None,
            tuple(Proof(f"pid {t.pid} is a zombie, child of {t.parent}", t.file, t.line) for t in buried[:3]),
        )
    gone = [stand for stand in case.stands if not stand.threads and any(t.kind == "no process" for t in stand.snapshot.troubles)]
    if gone and (case.synced or any(stand.kind in _AWAITS for stand in case.alive)) and not _meeting(case):
        proofs = tuple(Proof(t.text[:120], t.file, t.line) for stand in gone[:2] for t in stand.snapshot.troubles if t.kind == "no process")
        return Finding(
            "medium",
            f"{rank_words(s.rank for s in gone)} had no process when the dumps were taken",
            tuple(s.rank for s in gone),
            None,
            (*proofs[:2], *(told(s) for s in case.synced[:2])),
        )
    killed = [note for note in case.notes if note.kind == "killed"]
    if case.synced and (killed or (case.scene.world and case.scene.missing)) and not _meeting(case):
        ranks = case.scene.missing or tuple(dict.fromkeys(n.rank for n in killed if n.rank))
        sure: Confidence = "high" if killed else "medium"
        proofs = tuple(Proof(n.text[:160], n.file, n.line) for n in killed[:2])
        return Finding(
            sure,
            f"{rank_words(ranks)} has no process left, the others wait for it",
            ranks,
            None,
            (*proofs, *(told(s) for s in case.synced[:2])),
        )
    return None


def _meeting(case: Case) -> bool:
    return any(stand.kind == "rendezvous" for stand in case.synced)


def _dead_children(case: Case) -> list[Task]:
    ours = {stand.snapshot.pid for stand in case.stands if stand.snapshot.pid}
    loose = [*case.scene.tasks, *(task for stand in case.stands for task in stand.snapshot.tasks)]
    return [task for task in loose if task.state in ("Z", "X") and task.parent in ours]


def slow(case: Case) -> Finding | None:
    """Two samples differ: processes that moved are not hung, as long as none of the others waits."""
    judged = [stand for stand in case.alive if stand.moved is not None]
    moved = [stand for stand in judged if stand.moved]
    still = [stand for stand in judged if not stand.moved and not (stand.telling and stand.telling.running)]
    if not moved or still or len(judged) < len(case.alive):
        return None
    return Finding(
        "high",
        f"{rank_words(s.rank for s in moved)} moved on between the samples: slow, not hung",
        (),
        None,
        tuple(
            proof(s.telling, s, f"rank {s.rank}: its path through the code differs between {s.samples} dumps")
            for s in moved[:3]
            if s.telling
        ),
    )


def all_active(case: Case) -> Finding | None:
    """One sample, and everybody runs: that alone is no hang."""
    running = [stand for stand in case.alive if stand.telling and stand.telling.running]
    if len(running) < 2 or len(running) < len(case.alive) or any(stand.moved is not None for stand in case.alive):
        return None
    return Finding("medium", "every rank computes; one sample cannot tell slow from hung", (), None, tuple(told(s) for s in running[:3]))


def frozen(case: Case) -> Finding | None:
    """Processes in a cgroup freezer."""
    found = [stand for stand in case.alive if stand.threads and all(view.system == "frozen" for view in stand.threads)]
    if not found:
        return None
    return Finding(
        "high",
        f"{ranges(s.rank for s in found)}: every thread sits in the kernel's freezer",
        tuple(s.rank for s in found),
        None,
        tuple(told(s) for s in found[:3]),
    )


def _states(stands: list[Stand], *letters: str) -> list[Proof]:
    found = []
    for stand in stands:
        tasks = sorted((t for t in stand.snapshot.tasks if t.state in letters), key=lambda t: (not t.kernel, t.file, t.line))
        for task in tasks[:2]:
            extra = f" in {task.wchan or task.kernel[0]}" if task.wchan or task.kernel else ""
            found.append(Proof(f"rank {stand.rank}: state {task.state}{extra}", task.file, task.line))
        for trouble in stand.snapshot.troubles[: 0 if tasks else 1]:
            found.append(Proof(f"rank {stand.rank}: {trouble.text[:120]}", trouble.file, trouble.line))
    return found


def _pids(stands: list[Stand]) -> str:
    return " ".join(str(s.snapshot.pid) for s in stands[:8] if s.snapshot.pid) or "PID"
