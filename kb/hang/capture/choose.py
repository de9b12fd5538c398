"""From selectors to processes."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.errors import KbError
from kb.hang.capture.processes import PROC, Process, alive, descendants, listed, named, read_process
from kb.hang.capture.ranks import with_ranks


@dataclass(frozen=True, slots=True)
class Chosen:
    """The processes that are meant, ordered by id, and what was left out with the reason."""

    processes: tuple[Process, ...]
    left_out: tuple[tuple[int, str], ...] = ()


def choose(pids: Sequence[int], pattern: str | None, children_of: int | None, me: int, proc: Path = PROC) -> Chosen:
    """The processes with these ids, with this regular expression in their command line, and below this one. `me` is never among them.

    Raises KbError where a selector fits nothing, or cannot work on this system.
    """
    if not proc.is_dir():
        return _without_proc(pids, pattern is not None or children_of is not None)
    rows = list(listed(proc))
    wanted, left_out = set(pids), [(pid, "kb itself") for pid in pids if pid == me]
    for found, spared, words in _selected(rows, pattern, children_of, me):
        if not found:
            raise KbError(f"no process {words}", "`ps -ef` shows which there are")
        wanted |= set(found)
        left_out += [(pid, "helper of multiprocessing or kb itself") for pid in spared if pid not in pids]
    processes = [process for pid in sorted(wanted - {me}) if (process := read_process(pid, proc))]
    gone = wanted - {me} - {process.pid for process in processes}
    left_out += [(pid, "no such process: it has finished") for pid in sorted(gone)]
    if not processes:
        numbers = " ".join(map(str, sorted(gone or wanted)))
        raise KbError(f"no process {numbers} to look at", "it has finished: `kb match` its log, or name another one (`ps -ef`)")
    ranked = with_ranks(processes, {pid: parent for pid, parent, _ in rows})
    aside = dict(_beside_the_job(ranked, set(pids)))
    return Chosen(tuple(process for process in ranked if process.pid not in aside), (*left_out, *aside.items()))


def _beside_the_job(processes: Sequence[Process], asked: set[int]) -> Iterator[tuple[int, str]]:
    """Of the processes that were searched for, those that would only blur the picture, with the reason.

    Beside processes with Python these are shells and wrappers, beside ranks launchers, data loaders and whatever else has no rank of
    its own: a queue that it waits at looks like a rank that fell behind. Who names such a process by its id gets it.
    """
    found = [process for process in processes if process.pid not in asked]
    some_python, some_rank = any(process.python for process in found), any(process.rank for process in processes)
    for process in found:
        if some_python and process.python is False:
            yield process.pid, f"no Python in it: {process.command[:60]}"
        elif some_rank and process.rank is None:
            why = process.rank_by.removeprefix("none: ") or "no rank: a launcher"
            yield process.pid, f"{why}; add its pid to look at it too"


def _selected(rows: Iterable[tuple[int, int, str]], pattern: str | None, children_of: int | None,
              me: int) -> list[tuple[list[int], list[int], str]]:  # fmt: skip
    """(ids, ids left out, words) of each selector that was given."""
    found: list[tuple[list[int], list[int], str]] = []
    if pattern is not None:
        try:
            expression = re.compile(pattern)
        except re.error as error:
            raise KbError(f"--name {pattern!r} is no regular expression ({error})", "write it as for pgrep -f") from None
        found.append((*named(expression, rows, me), f"has {pattern!r} in its command line"))
    if children_of is not None:
        found.append((*descendants(children_of, rows, me), f"is a child of {children_of}"))
    return found


def _without_proc(pids: Sequence[int], searching: bool) -> Chosen:
    if searching:
        raise KbError("there is no /proc to search on this system", "give process ids: `kb capture PID...`")
    gone = [pid for pid in pids if not alive(pid)]
    found = [pid for pid in sorted(set(pids)) if pid not in gone]
    if not found:
        raise KbError(f"no process {' '.join(map(str, gone))} to look at", "it has finished: `kb match` its log")
    return Chosen(tuple(map(Process, found)), tuple((pid, "no such process: it has finished") for pid in gone))
