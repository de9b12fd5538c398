"""Which rank each of the chosen processes is, by its environment; titles, names and order are left to `kb hang`."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kb.hang.capture.processes import RANK_NAMES, Process, ancestors


def with_ranks(processes: Sequence[Process], parents: dict[int, int]) -> tuple[Process, ...]:
    """The processes with the rank that one kind of variable gives them: the most exact kind that any of them has.

    Workers inherit the environment of their rank (data loaders, compilers): below a process of the same rank they are none themselves.
    `parents` maps ids of all processes to those of their parents.
    """
    name = next((name for name in RANK_NAMES if any(_value(process, name) for process in processes)), "")
    ranks = {process.pid: _value(process, name) for process in processes}
    return tuple(_ranked(process, name, ranks, ancestors(process.pid, parents)) for process in processes)


def shown_variables(process: Process) -> list[str]:
    """`NAME=value` of the rank-like variables as evidence: those that number the process only where they really do."""
    kept = [(name, value) for name, value in process.variables if name not in RANK_NAMES]
    mine = [(name, value) for name, value in process.variables if name == process.rank_by]
    return [f"{name}={value}" for name, value in (*kept, *mine)]


def _ranked(process: Process, name: str, ranks: dict[int, str], above: Iterable[int]) -> Process:
    rank = ranks[process.pid]
    if not rank:
        return process
    if owner := next((pid for pid in above if ranks.get(pid) == rank), None):
        return replace(process, rank=None, rank_by=f"none: inherited {name}={rank} from pid {owner}")
    return replace(process, rank=rank, rank_by=name)


def _value(process: Process, name: str) -> str:
    value = dict(process.variables).get(name, "")
    return value if value.isascii() and value.isdigit() and len(value) < 8 else ""
