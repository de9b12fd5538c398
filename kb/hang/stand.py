"""Where one process stands: its threads from all dumps merged, the one that tells most, and whether it moved between samples."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kb.hang.frames import Key, user_path
from kb.hang.known_calls import SYNC_KINDS
from kb.hang.waits import View, view
from kb.model.snapshot import Call, Gil, Snapshot, Stack, Task, Thread, Traced

_TOOLS = ("py-spy --json", "py-spy", "pystack", "faulthandler", "gdb", "jstack")
_STATE = {"D": "uninterruptible", "T": "stopped", "t": "traced", "Z": "dead", "X": "dead"}


@dataclass(frozen=True, slots=True, eq=False)
class Stand:
    """A process as the rules see it. `state` is empty for an ordinary one; `moved` is None where there is only one sample."""

    snapshot: Snapshot
    threads: tuple[View, ...]
    telling: View | None
    state: str
    moved: bool | None
    samples: int
    children: tuple[int, ...] = ()

    @property
    def rank(self) -> str:
        """Its rank."""
        return self.snapshot.rank

    @property
    def kind(self) -> str:
        """What it waits for."""
        return self.telling.kind if self.telling else ""

    @property
    def in_sync(self) -> bool:
        """Whether it waits for other ranks."""
        return self.kind in SYNC_KINDS


class Stands:
    """Makes stands; equal dumps are looked at once."""

    def __init__(self) -> None:
        self._views: dict[tuple[int, bool], tuple[View, ...]] = {}

    def make(self, snapshot: Snapshot) -> Stand:
        """The stand of one process."""
        base = _base(snapshot.stacks)
        threads: tuple[View, ...] = ()
        if base is not None:
            plain = len(snapshot.stacks) == 1 and not snapshot.tasks and not snapshot.traced
            threads = self._plain(base) if plain else _merged(snapshot, base)
        elif snapshot.tasks or snapshot.traced:
            threads = _without_stack(snapshot)
        # stacks that bear neither process id nor rank may be of several processes: they are no samples of one
        named = snapshot.pid is not None or snapshot.known_by != "order"
        moved, samples = _progress(snapshot.stacks) if len(snapshot.stacks) > 1 and named else (None, min(len(snapshot.stacks), 1))
        return Stand(snapshot, threads, telling(threads), _state(snapshot), moved, samples, _children(snapshot.traced))

    def _plain(self, base: Stack) -> tuple[View, ...]:
        """Views of a process of which there is one dump: shared by all equal dumps, so places are those of the first."""
        name = (id(base.threads), base.trusted)
        if name not in self._views:
            self._views[name] = tuple(
                view(thread, tid, base.file, base.line, _is_main(thread, tid, number, base), trusted=base.trusted)
                for number, (thread, tid) in enumerate(zip(base.threads, base.tids, strict=True))
            )
        return self._views[name]


def telling(threads: Sequence[View]) -> View | None:
    """The thread that says most: one that waits for other ranks, else the main one if it does not stand aside, else the next."""
    for wanted in (lambda v: v.kind in SYNC_KINDS, lambda v: v.main and v.weighs, lambda v: v.weighs and v.frames, lambda v: v.main):
        if found := next((v for v in threads if wanted(v)), None):
            return found
    return threads[0] if threads else None


def _order(stack: Stack) -> tuple[bool, bool, str, int, bool, str, int]:
    tool = _TOOLS.index(stack.tool) if stack.tool in _TOOLS else len(_TOOLS)
    frames = [call for thread in stack.threads for call in thread.frames]
    natives = any(call.native for call in frames)
    return (not any(not call.native for call in frames), not stack.trusted, stack.sample, tool, natives, stack.file, stack.line)


def _base(stacks: Sequence[Stack]) -> Stack | None:
    """The dump whose Python frames count: the first sample, by the tool that says most."""
    return min((stack for stack in stacks if stack.threads), key=_order, default=None)


def _merged(snapshot: Snapshot, base: Stack) -> tuple[View, ...]:
    """The threads of the base with what the other sources say of the same thread, matched by id, else by place."""
    natives: dict[int, tuple[Call, ...]] = {}
    gil: dict[int, Gil] = {}
    locks: dict[int, list[tuple[str, str]]] = {}
    values: dict[int, Thread] = {}
    for stack in sorted(snapshot.stacks, key=_order):
        for number, (thread, tid) in enumerate(zip(stack.threads, stack.tids, strict=True)):
            tid = tid if tid is not None else _tid_at(base, number, stack)
            if tid is None:
                continue
            if any(call.native for call in thread.frames[:3]) and (tid not in natives or stack.tool == "pystack"):
                natives[tid] = thread.frames
            if thread.gil and (stack.tool != "py-spy" or tid not in gil):
                gil.setdefault(tid, thread.gil)
            locks.setdefault(tid, []).extend(thread.locks)
            if any(call.values for call in thread.frames):
                values.setdefault(tid, thread)
    holders = [tid for tid, state in gil.items() if state == "holds"]
    if len(holders) > 1:  # several samples, several holders: nobody holds it for long
        gil = {tid: state for tid, state in gil.items() if state != "holds"}
    tasks, traced = _by_tid(snapshot.tasks), {t.tid: t for t in snapshot.traced}
    found = []
    for number, (thread, tid) in enumerate(zip(base.threads, base.tids, strict=True)):
        rich = values.get(tid or -1)
        shown = Thread(
            thread.name,
            thread.state,
            thread.gil if len(holders) < 2 else None,
            _with_values(thread, rich),
            thread.at,
            thread.cut,
            thread.locks,
        )
        found.append(
            view(
                shown,
                tid,
                base.file,
                base.line,
                _is_main(thread, tid, number, base),
                natives.get(tid or -1, ()),
                gil.get(tid or -1),
                tasks.get(tid),
                traced.get(tid),
                base.trusted,
                locks.get(tid or -1, ()),
            )
        )
    return tuple(found)


def _with_values(thread: Thread, rich: Thread | None) -> tuple[Call, ...]:
    """Frames with arguments and locals, where another dump of the same path has them."""
    if rich is None or [c.function for c in rich.frames] != [c.function for c in thread.frames]:
        return thread.frames
    return tuple(Call(c.function, c.file, c.line, c.native, c.values or r.values) for c, r in zip(thread.frames, rich.frames, strict=True))


def _tid_at(base: Stack, number: int, stack: Stack) -> int | None:
    """The id of a nameless thread of another dump: by its place, where both dumps have as many threads."""
    return base.tids[number] if len(base.tids) == len(stack.tids) else None


def _is_main(thread: Thread, tid: int | None, number: int, base: Stack) -> bool:
    if tid is not None and base.pid is not None and base.pid in base.tids:
        return tid == base.pid
    if any(t.name in ("MainThread", "main") for t in base.threads):
        return thread.name in ("MainThread", "main")
    return number == 0


def _by_tid(tasks: Iterable[Task]) -> dict[int | None, Task]:
    """The richest word on each thread."""
    found: dict[int | None, Task] = {}
    for task in tasks:
        tid = task.tid if task.tid is not None else task.pid
        old = found.get(tid)
        if old is None or (len(task.kernel), task.wchan is not None, task.tid is not None) > (
            len(old.kernel),
            old.wchan is not None,
            old.tid is not None,
        ):
            found[tid] = task
    return found


def _without_stack(snapshot: Snapshot) -> tuple[View, ...]:
    """What kernel and strace say where nobody dumped the stack."""
    tasks, traced = _by_tid(snapshot.tasks), {t.tid: t for t in snapshot.traced}
    found = []
    for tid in sorted({tid for tid in (*tasks, *traced) if tid is not None}):
        source = tasks.get(tid) or traced[tid]
        thread = Thread(None, None, None, (), 0)
        found.append(view(thread, tid, source.file, source.line, tid == snapshot.pid, task=tasks.get(tid), traced=traced.get(tid)))
    return tuple(found)


def _state(snapshot: Snapshot) -> str:
    """A state of the whole process that outranks every stack."""
    words = [_STATE[task.state] for task in snapshot.tasks if task.state in _STATE and task.tid in (None, task.pid)]
    if "stopped" in words or any(trouble.kind == "stopped" for trouble in snapshot.troubles):
        return "stopped"
    return next((word for word in ("dead", "uninterruptible", "traced") if word in words), "")


def _progress(stacks: Sequence[Stack]) -> tuple[bool | None, int]:
    """Whether the main thread's path through the user's code changed, and how many different captures there are."""
    seen: set[tuple[Key, ...]] = set()
    captures: set[tuple[str, str, int]] = set()
    for stack in stacks:
        main = next(
            (
                thread
                for number, (thread, tid) in enumerate(zip(stack.threads, stack.tids, strict=True))
                if _is_main(thread, tid, number, stack)
            ),
            None,
        )
        if main is None or main.cut or not (found := user_path(main.frames)):
            continue
        seen.add(found)
        captures.add((stack.tool, stack.sample, id(stack.threads)))
    return (len(seen) > 1 if len(captures) > 1 else None), len(captures)


def _children(traced: Sequence[Traced]) -> tuple[int, ...]:
    """Processes that a thread waits for, by strace."""
    words = [t.args.split(",")[0].strip() for t in traced if t.call in ("wait4", "waitid") and t.pending]
    return tuple(int(word) for word in words if word.isdigit() and len(word) < 10)
