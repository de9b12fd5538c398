"""Rules on flight recorders: operation, size and type of the same number in the same group, by majority."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kb.hang.case import Case, Finding, majority
from kb.hang.frames import is_library, shown
from kb.hang.ranges import ordered, rank_words
from kb.model.snapshot import Call, Flight, Proof, Work

_DONE = "completed"


@dataclass(frozen=True, slots=True)
class _Odd:
    """A group that disagrees, and who is odd in it."""

    group: str
    number: int
    name: str
    ranks: tuple[str, ...]
    others: tuple[str, ...]
    what: str


def flights(case: Case) -> Finding | None:
    """Compare operation, sizes and types of the same number in the same group, by majority; the group whose odd rank is not itself
    waiting in another one is the initiator."""
    found = [odd for group in _groups(case.flights) if (odd := _odd_in(group, case.flights))]
    if not found:
        return None
    first = _initiator(found, case.flights)
    frame = next((frame for rank in first.ranks for frame in [_frame(case.flights.get(rank), first)] if frame), None)
    frame = frame or next((s.telling.frame for s in case.stands if s.rank in first.ranks and s.telling), None)
    cascades = [odd for odd in found if odd is not first]
    evidence = [
        Proof(f"rank {rank}: {_shown(case.flights[rank], first)}", case.flights[rank].file, case.flights[rank].line)
        for rank in (*first.ranks[:2], *first.others[:2])
        if rank in case.flights
    ]
    evidence += [
        Proof(f"group {odd.group} waits too ({odd.what}): a consequence", case.flights[odd.others[0]].file, 1)
        for odd in cascades[:1]
        if odd.others and odd.others[0] in case.flights
    ]
    return Finding(
        "high",
        f"{rank_words(first.ranks)} in group {first.group or 'default'}, operation #{first.number}: {first.what}",
        first.ranks,
        frame,
        tuple(evidence),
        name=first.name,
    )


def _groups(flights: Mapping[str, Flight]) -> list[tuple[str, tuple[str, ...]]]:
    """(group, its ranks): by the recorders' own word, else all that used it."""
    users: dict[str, set[str]] = defaultdict(set)
    for rank, flight in flights.items():
        for work in flight.works:
            users[work.group].add(rank)
    named = {group: ranks for flight in flights.values() for group, ranks in flight.groups if ranks}
    split = [(group, part) for group, ranks in sorted(users.items()) for part in _parts(group, ranks, flights)]
    return [(group, ranks if ranks else ordered(named.get(group, ()))) for group, ranks in split]


def _parts(group: str, ranks: set[str], flights: Mapping[str, Flight]) -> list[tuple[str, ...]]:
    """Groups of one name on different ranks (every rank numbers its own) are told apart by their members."""
    parts: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for rank in ranks:
        said = dict(flights[rank].groups)
        parts[ordered(said.get(group) or said.get("", ()))].add(rank)
    return [members or ordered(users) for members, users in sorted(parts.items())]


def _pending(flight: Flight, group: str) -> tuple[dict[int, Work], int]:
    """The collectives of a group by number, and the last number enqueued."""
    works = {work.number: work for work in flight.works if work.group == group and not work.p2p}
    return works, max(works, default=-1)


def _odd_in(group: tuple[str, tuple[str, ...]], flights: Mapping[str, Flight]) -> _Odd | None:
    name, members = group
    works = {rank: _pending(flights[rank], name) for rank in members if rank in flights}
    if len(works) < 2:
        return None
    lasts = {rank: last for rank, (_, last) in works.items()}
    for number in sorted({n for entries, _ in works.values() for n in entries}):
        there = {rank: entries[number] for rank, (entries, _) in works.items() if number in entries}
        if all(work.state == _DONE for work in there.values()):
            continue
        if odd := _disagreement(name, number, there):
            return odd
        behind = tuple(rank for rank, last in lasts.items() if last < number)
        if behind:
            others = tuple(rank for rank in there if rank not in behind)
            return _Odd(
                name,
                number,
                "rank_missing_from_collective",
                ordered(behind),
                ordered(others),
                f"it never joined ({next(iter(there.values())).op}, its last is #{min(lasts[r] for r in behind)})",
            )
    absent = tuple(rank for rank in members if rank not in flights)
    top = max(lasts.values())
    if absent and any(entries[top].state != _DONE for entries, _ in works.values() if top in entries):
        return _Odd(name, top, "rank_missing_from_collective", ordered(absent), ordered(works), "it left no record, the others wait")
    return None


def _disagreement(group: str, number: int, there: Mapping[str, Work]) -> _Odd | None:
    compared: tuple[tuple[str, str, Callable[[Work], str]], ...] = (
        ("collective_mismatch", "operation", lambda w: w.op),
        ("collective_size_mismatch", "size", _sizes),
        ("collective_mismatch", "type", lambda w: w.types),
    )
    for name, what, get in compared:
        values = {rank: get(work) for rank, work in there.items()}
        if len(set(values.values())) < 2:
            continue
        usual = majority(values.values())
        odd = ordered(rank for rank, value in values.items() if value != usual)
        said = ", ".join(f"{value[:60]}" for value in sorted(set(values.values())))
        return _Odd(group, number, name, odd, ordered(set(there) - set(odd)), f"another {what} ({said})")
    return None


def _sizes(work: Work) -> str:
    """Sizes count only where all ranks must give equal ones."""
    return work.sizes if work.op.lower() in ("all_reduce", "allreduce", "broadcast", "reduce", "all_gather", "allgather") else ""


def _initiator(found: list[_Odd], flights: Mapping[str, Flight]) -> _Odd:
    """The group that waits for a rank which does not wait in yet another group: the others are consequences."""
    waiting: dict[str, set[str]] = {odd.group + repr(odd.ranks): set(odd.others) for odd in found}
    for odd in found:
        elsewhere = {rank for name, ranks in waiting.items() if name != odd.group + repr(odd.ranks) for rank in ranks}
        if odd.name != "rank_missing_from_collective" or not set(odd.ranks) & elsewhere:
            return odd
    return found[0]


def _frame(flight: Flight | None, odd: _Odd) -> Call | None:
    if flight is None:
        return None
    work = next((w for w in flight.works if w.group == odd.group and w.number == odd.number and not w.p2p), None)
    return next((call for call in work.frames if not is_library(call.file)), None) if work else None


def _shown(flight: Flight, odd: _Odd) -> str:
    works, last = _pending(flight, odd.group)
    work = works.get(odd.number)
    if work is None:
        return f"last operation of the group is #{last}"
    frame = next((f" from {shown(call)}" for call in work.frames if not is_library(call.file)), "")
    return f"#{work.number} {work.op} {work.sizes} {work.state}{frame}"
