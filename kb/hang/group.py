"""Ranks that stand at one place, and the prefix tree over all of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kb.hang.case import Case, doing
from kb.hang.frames import Key, home, is_wrapper, key, shown
from kb.hang.ranges import order, ordered
from kb.hang.stand import Stand
from kb.hang.waits import View
from kb.model.snapshot import Branch, Call, Flight, Group

MAX_GROUPS = 200
"""Groups that are listed, the largest first; a job with more differs everywhere."""
MAX_FRAMES = 40
"""Frames listed of one group."""
MAX_DEPTH = 200
"""Calls of one path that enter the tree, the innermost ones."""


def groups(case: Case) -> tuple[Group, ...]:
    """Ranks with equal call paths in all threads that matter; largest groups first, equal ones by rank."""
    found: dict[object, list[Stand]] = {}
    names: dict[int, object] = {}
    for stand in case.stands:
        if stand.threads:
            name = names.setdefault(id(stand.threads), _signature(stand))
            found.setdefault(name, []).append(stand)
        elif stand.snapshot.flight:
            found.setdefault(_last(stand.snapshot.flight), []).append(stand)
    made = [_group(stands) for stands in found.values()]
    return tuple(sorted(made, key=lambda group: (-len(group.ranks), order(group.ranks[0])))[:MAX_GROUPS])


def _signature(stand: Stand) -> tuple[object, ...]:
    """What equal ranks have in common: path and wait of every thread that matters, however many times."""
    views = [view for view in stand.threads if view.weighs or view is stand.telling]
    return stand.state, tuple(sorted({(view.path, view.kind) for view in views}))


def _last(flight: Flight) -> tuple[str, ...]:
    """The operation that a flight recorder waits in."""
    work = next((w for w in flight.works if w.state != "completed" and w.number == _first_pending(flight, w.group)), None)
    return ("flight", work.group, work.op, str(work.number)) if work else ("flight", "", "nothing pending", "")


def _first_pending(flight: Flight, group: str) -> int:
    return min((w.number for w in flight.works if w.group == group and w.state != "completed"), default=-1)


def _group(stands: Sequence[Stand]) -> Group:
    first = stands[0]
    ranks = ordered(stand.rank for stand in stands)
    if first.telling is None:
        assert first.snapshot.flight is not None
        _, group, op, number = _last(first.snapshot.flight)
        return Group(ranks, (f"{op} #{number} (group {group})" if number else op,), "collective" if number else "nothing")
    frames = [shown(call) for call in first.telling.frames if not is_wrapper(call)][:MAX_FRAMES]
    others = sum(1 for view in first.threads if view.weighs and view is not first.telling)
    return Group(ranks, tuple(frames), waits_on(first, first.telling), others)


def waits_on(stand: Stand, view: View) -> str:
    """What a rank waits on, in one or two words."""
    return stand.state or view.kind or doing(view)


@dataclass(slots=True)
class _Node:
    call: Call
    ranks: list[str] = field(default_factory=list)
    below: dict[Key, "_Node"] = field(default_factory=dict)


def tree(case: Case) -> tuple[Branch, ...]:
    """The prefix tree over the telling threads of all ranks, outermost calls first."""
    roots: dict[Key, _Node] = {}
    paths: dict[int, list[Call]] = {}
    by_path: dict[int, list[str]] = {}
    for stand in case.stands:
        if stand.telling and stand.telling.frames:
            name = id(stand.telling.frames)
            paths.setdefault(name, [c for c in stand.telling.frames if not c.native and not is_wrapper(c)][:MAX_DEPTH][::-1])
            by_path.setdefault(name, []).append(stand.rank)
    for name, calls in paths.items():
        level = roots
        for call in calls:
            node = level.setdefault(key(call), _Node(call))
            node.ranks += by_path[name]
            level = node.below
    return _branches(roots.values())


def _branches(nodes: Iterable[_Node]) -> tuple[Branch, ...]:
    """Branches, the one with most ranks first; a chain of calls with the same ranks is one branch."""
    made = []
    for node in nodes:
        calls, at = [node.call], node
        while len(at.below) == 1 and len(next(iter(at.below.values())).ranks) == len(at.ranks):
            at = next(iter(at.below.values()))
            calls.append(at.call)
        made.append(Branch(" > ".join(_short(call) for call in calls), ordered(node.ranks), _branches(at.below.values())))
    return tuple(sorted(made, key=lambda branch: (-len(branch.ranks), order(branch.ranks[0]))))


def _short(call: Call) -> str:
    return f"{call.function} ({home(call.file).rsplit('/', 1)[-1]}:{call.line})" if call.line else call.function
