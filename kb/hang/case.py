"""The case: all stands of a scene, with what rules ask of them together."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from kb.hang.frames import Key, shown
from kb.hang.known_calls import SYNC_KINDS
from kb.hang.stand import Stand, Stands
from kb.hang.waits import View
from kb.model.snapshot import Call, Flight, Note, Proof, Scene

Confidence = Literal["high", "medium", "low"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found. `stands` are the ranks to look at."""

    confidence: Confidence
    summary: str
    ranks: tuple[str, ...] = ()
    frame: Call | None = None
    evidence: tuple[Proof, ...] = ()
    against: tuple[Proof, ...] = ()
    name: str = ""  # the class, where a rule knows several
    values: dict[str, str] = field(default_factory=dict)  # for the next commands


@dataclass(frozen=True, slots=True)
class Case:
    """A scene as the rules see it."""

    scene: Scene
    stands: tuple[Stand, ...]
    alive: tuple[Stand, ...]  # with at least one thread to look at
    synced: tuple[Stand, ...]  # waiting for other ranks
    apart: tuple[Stand, ...]  # alive and not waiting for other ranks, launchers left out

    @property
    def notes(self) -> tuple[Note, ...]:
        """Telling log lines of all ranks, in the order of files and lines."""
        found = [*self.scene.notes, *(note for stand in self.stands for note in stand.snapshot.notes)]
        return tuple(sorted(found, key=lambda note: (note.file, note.line)))

    @property
    def flights(self) -> dict[str, Flight]:
        """Flight recorders by rank."""
        return {stand.rank: stand.snapshot.flight for stand in self.stands if stand.snapshot.flight}


def make_case(scene: Scene) -> Case:
    """The case of a scene."""
    maker = Stands()
    stands = tuple(map(maker.make, scene.snapshots))
    alive = tuple(stand for stand in stands if stand.threads)
    apart = tuple(stand for stand in alive if not stand.in_sync and not is_launcher(stand, alive))
    return Case(scene, stands, alive, tuple(stand for stand in stands if stand.in_sync), apart)


def is_launcher(stand: Stand, others: Iterable[Stand]) -> bool:
    """Whether a process only waits for the others: it joins its children and bears no rank of its own."""
    return (
        stand.kind in ("process join", "child")
        and stand.snapshot.known_by == "order"
        and (
            any(other.snapshot.pid and any(stack.parent == stand.snapshot.pid for stack in other.snapshot.stacks) for other in others)
            or stand.rank.startswith("pid ")
        )
    )


def place(view: View, stand: Stand) -> tuple[str, int]:
    """File and line of a thread's heading. Views of equal dumps are shared, the file is always the process's own."""
    files = [stack.file for stack in stand.snapshot.stacks]
    return (view.file, view.line) if not files or view.file in files else (files[0], view.line)


def proof(view: View, stand: Stand, detail: str) -> Proof:
    """A line of evidence at a thread."""
    return Proof(detail, *place(view, stand))


def told(stand: Stand) -> Proof:
    """What a rank's telling thread shows, as evidence."""
    view = stand.telling
    assert view is not None
    where = shown(view.frame) if view.frame else "no frame"
    thread = f", thread {view.name}" if view.name and not view.main else ""
    return proof(view, stand, f"rank {stand.rank}: {doing(view)} in {where}{thread}")


def doing(view: View) -> str:
    """What a thread does, in words."""
    if view.kind in SYNC_KINDS:
        return f"waits in {view.op or view.kind}"
    words = {
        "running": "runs",
        "call": "waits in a call below Python",
        "gil": "waits for the interpreter lock",
        "lock": "waits for a lock",
        "sleep": "sleeps",
        "child": "waits for a child process",
        "event loop": "waits in the event loop",
        "unknown": "stands",
        "process join": "joins a process",
        "pipe read": "reads from a pipe",
        "pipe write": "writes to a pipe",
        "read": "reads",
        "write": "writes",
        "open": "opens a file",
        "socket read": "reads from a socket",
        "socket write": "writes to a socket",
        "file lock": "waits for a file lock",
    }
    return words.get(view.kind, f"waits ({view.kind})")


def classes(stands: Iterable[Stand], by: Callable[[Stand], object]) -> list[tuple[Stand, ...]]:
    """Stands that agree in something, the largest class first; equal sizes by their first ranks."""
    found: dict[object, list[Stand]] = {}
    for stand in stands:
        found.setdefault(by(stand), []).append(stand)
    return sorted((tuple(group) for group in found.values()), key=lambda group: -len(group))


def call_path(stand: Stand) -> tuple[Key, ...]:
    """The call path of the telling thread."""
    return stand.telling.path if stand.telling else ()


def common(paths: Iterable[tuple[Key, ...]]) -> int:
    """How many outer calls the paths share."""
    every = list(paths)
    shared = 0
    for level in zip(*every, strict=False):
        if len(set(level)) > 1:
            break
        shared += 1
    return shared


def majority(values: Iterable[str]) -> str | None:
    """The value that more than half agree on."""
    counted = Counter(values)
    if not counted:
        return None
    value, count = counted.most_common(1)[0]
    return value if 2 * count > sum(counted.values()) else None
