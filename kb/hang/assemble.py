"""Facts of all files -> one `Snapshot` per process, with its rank and how it is known."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from kb.hang.ranges import order, ordered
from kb.model.snapshot import Fact, Flight, Known, Note, Scene, Snapshot, Socket, Stack, Task, Traced, Trouble

_TRUST: tuple[Known, ...] = ("environ", "arguments", "title", "record", "heading", "log", "file name")
_WORLD = re.compile(r"(?:world_size|group_size)$")
MAX_WORLD = 1_000_000
MANY = 4
"""Ranks that must speak in a log before the silence of another one says anything; and of how many one may be silent."""


@dataclass(slots=True)
class _Draft:
    rank: str | None
    known_by: Known
    pid: int | None
    stacks: list[Stack] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    traced: list[Traced] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    flight: Flight | None = None

    def add(self, fact: Fact) -> None:
        """Take a fact in."""
        match fact:
            case Stack():
                self.stacks.append(fact)
            case Task():
                self.tasks.append(fact)
            case Traced():
                self.traced.append(fact)
            case Note():
                self.notes.append(fact)
            case Trouble():
                self.troubles.append(fact)
            case Flight():
                self.flight = fact if self.flight is None or len(fact.works) > len(self.flight.works) else self.flight
            case Socket():
                pass


def assemble(facts: Iterable[Fact]) -> Scene:
    """The scene of all facts, whatever their order."""
    every = sorted(facts, key=lambda fact: (fact.file, fact.line))
    ranks = _ranks_of_pids(every)
    drafts: dict[tuple[str, str], _Draft] = {}
    loose: list[Fact] = []
    for fact in every:
        if isinstance(fact, Socket):
            loose.append(fact)
            continue
        pid = _process(fact)
        rank, by = (ranks.get(pid) if pid is not None else None) or (fact.rank, fact.known_by)
        if pid is not None and pid in ranks.aliens and rank is not None and fact.rank == rank:
            rank, by = f"{rank}/{pid}", "order"
        name = ("rank", rank) if rank is not None else ("pid", str(pid)) if pid is not None else ("file", fact.file)
        if rank is None and name not in drafts and not _stands_alone(fact):
            loose.append(fact)
            continue
        drafts.setdefault(name, _Draft(rank, by, pid)).add(fact)
        if drafts[name].pid is None:
            drafts[name].pid = pid
    _number(drafts)
    return _scene(drafts, loose)


def _stands_alone(fact: Fact) -> bool:
    """Whether a fact without a rank makes a process of its own; a line of ps only tells of one."""
    return isinstance(fact, Stack | Traced | Flight) or (isinstance(fact, Task) and fact.tid is not None)


class _Ranks(dict[int, tuple[str, Known]]):
    """pid -> rank; `aliens` are further processes whose file bears a rank that is another's."""

    aliens: frozenset[int] = frozenset()


def _process(fact: Fact) -> int | None:
    return None if isinstance(fact, Socket | Flight | Note) else fact.pid


def _ranks_of_pids(facts: list[Fact]) -> _Ranks:
    """The rank of each process that some fact names together with a rank; the best source counts."""
    found: dict[int, tuple[int, str, Known]] = {}
    parents: dict[int, int] = {}
    for fact in facts:
        pid = _process(fact)
        if isinstance(fact, Stack) and fact.pid and fact.parent:
            parents[fact.pid] = fact.parent
        if pid is not None and fact.rank is not None:
            trust = _TRUST.index(fact.known_by) if fact.known_by in _TRUST else len(_TRUST)
            found[pid] = min(found.get(pid, (99, "", "")), (trust, fact.rank, fact.known_by))
    owners: dict[str, list[int]] = defaultdict(list)
    for pid, (_, rank, _) in found.items():
        owners[rank].append(pid)
    aliens: set[int] = set()
    for pids in owners.values():
        if len(pids) > 1:
            head = min(pids, key=lambda pid: (parents.get(pid) in pids, pid))
            aliens |= set(pids) - {head}
    ranks = _Ranks({pid: (rank, by) for pid, (_, rank, by) in found.items() if pid not in aliens})
    ranks.aliens = frozenset(aliens)
    return ranks


def _number(drafts: dict[tuple[str, str], _Draft]) -> None:
    """Give ranks where nobody names any: by process id, launchers left out. Beside named ranks the others keep their process id."""
    named = any(draft.rank is not None for draft in drafts.values())
    nameless = [draft for draft in drafts.values() if draft.rank is None]
    children = Counter(parent for _, parent in {(draft.pid, fact.parent) for draft in nameless for fact in _related(draft)})
    launchers = {draft.pid for draft in nameless if draft.pid is not None and children[draft.pid] > 1}
    number = 0
    for draft in sorted(nameless, key=lambda draft: (draft.pid is None, draft.pid or 0, *_where(draft))):
        if named or draft.pid in launchers:
            draft.rank = f"pid {draft.pid}" if draft.pid is not None else _where(draft)[0].rsplit("/", 1)[-1]
        else:
            draft.rank, number = str(number), number + 1
        draft.known_by = "order"


def _related(draft: _Draft) -> list[Stack | Task]:
    """Facts that may name a parent."""
    return [*draft.stacks, *draft.tasks]


def _where(draft: _Draft) -> tuple[str, int]:
    facts: list[Stack | Traced | Trouble] = [*draft.stacks, *draft.traced, *draft.troubles]
    first = next(iter(facts), None)
    return (first.file, first.line) if first else ("", 0)


def _scene(drafts: dict[tuple[str, str], _Draft], loose: list[Fact]) -> Scene:
    drafted = sorted(drafts.values(), key=lambda draft: order(draft.rank or ""))
    snapshots = tuple(
        Snapshot(
            d.rank or "", d.known_by, d.pid, tuple(d.stacks), tuple(d.tasks), tuple(d.traced), tuple(d.notes), tuple(d.troubles), d.flight
        )
        for d in drafted
    )
    world = _world(snapshots, loose)
    return Scene(
        snapshots,
        tuple(f for f in loose if isinstance(f, Socket)),
        tuple(f for f in loose if isinstance(f, Note)),
        tuple(f for f in loose if isinstance(f, Trouble)),
        world,
        _missing(snapshots, world),
        tuple(f for f in loose if isinstance(f, Task)),
    )


def _world(snapshots: tuple[Snapshot, ...], loose: list[Fact]) -> int | None:
    """How many ranks there should be, as environment, records, logs or arguments say."""
    said: list[int] = []
    for snap in snapshots:
        said += [task.world for task in snap.tasks if task.world]
        said += [note.world for note in snap.notes if note.world]
        if snap.flight:
            said += [int(rank) + 1 for _, ranks in snap.flight.groups for rank in ranks]
        said += _said_in_arguments(snap.stacks)
    said += [fact.world for fact in loose if isinstance(fact, Note | Task) and fact.world]
    return max((number for number in said if 1 < number <= MAX_WORLD), default=None)


def _said_in_arguments(stacks: tuple[Stack, ...]) -> list[int]:
    return [
        int(value)
        for stack in stacks
        for thread in stack.threads
        for call in thread.frames
        for name, value in call.values
        if _WORLD.match(name) and value.isascii() and value.isdigit() and len(value) < 8
    ]


def _missing(snapshots: tuple[Snapshot, ...], world: int | None) -> tuple[str, ...]:
    """Ranks without a trace: of the known number, else gaps in the numbers of those that were captured."""
    captured = {
        int(snap.rank)
        for snap in snapshots
        if order(snap.rank)[0] == 0 and (snap.stacks or snap.flight or snap.troubles or snap.tasks or snap.traced)
    }
    spoken = {int(snap.rank) for snap in snapshots if order(snap.rank)[0] == 0}
    if any(snap.known_by == "order" for snap in snapshots) or not spoken:
        return ()
    there = captured or (spoken if len(spoken) >= MANY else set())
    if not there:
        return ()
    last = world if world and world > max(there) else max(there) + 1
    gaps = set(range(last)) - there - (spoken if len(captured) == 1 else set())
    few = max(1, len(there) if captured else len(there) // MANY)
    return ordered(map(str, gaps)) if len(gaps) <= few else ()
