"""Records that speak of what a hung job shows: by frames of dumps, of kernel stacks, and by telling log lines."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from kb.hang.case import Case
from kb.hang.frames import bare, home
from kb.hang.table import RULES
from kb.model.match import FrameSite, Known
from kb.text.paths import suffix_agrees
from kb.text.template import parse_template, squeeze

MAX_RECORDS = 5
MAX_PLACES = 5000
"""Distinct frames that are looked up; more are as good as none."""
_CPP = re.compile(r"(\w+\.(?:cpp|cc|cu|py)):\d+")
_EXTRA = (
    "rank_blocked_in_lock",
    "collective_size_mismatch",
    "stale_file_lock",
    "gil_held_cpu_bound_native",
    "rank_missing_from_collective",
)

Place = tuple[str, str, str]
"""(file, function, text): a frame; a kernel function in the file `kernel`; a C function below Python in the file `native`; an operation
in the file `flight recorder`; a log line of the source file that it names, else of the file `log`."""


class Index(Protocol):
    """What linking asks of an index."""

    def by_file(self, basename: str) -> Sequence[int]:
        """Signatures whose frames lie in a file of this name."""
        ...

    def signatures(self, ids: Iterable[int]) -> Sequence[Known]:
        """The signatures with these ids."""
        ...

    def record(self, record_id: str) -> Mapping[str, Any]:
        """One record."""
        ...


def places(case: Case) -> list[Place]:
    """Everything that records can speak of, each once, in a fixed order."""
    found: dict[Place, None] = {}
    seen: set[int] = set()
    for stand in case.stands:
        if id(stand.threads) in seen or len(found) > MAX_PLACES:
            continue
        seen.add(id(stand.threads))
        for view in stand.threads:
            found |= dict.fromkeys((home(call.file), bare(call.function), "") for call in view.frames)
            found |= dict.fromkeys(("native", name.partition("@")[0].partition("(")[0], "") for name in view.natives)
        for task in stand.snapshot.tasks:
            found |= dict.fromkeys(("kernel", name, "") for name in (*task.kernel, *([task.wchan] if task.wchan else [])))
        for work in stand.snapshot.flight.works[-3:] if stand.snapshot.flight else ():
            found |= dict.fromkeys((home(call.file), bare(call.function), "") for call in work.frames)
            found["flight recorder", work.op, ""] = None
    for note in case.notes[:200]:
        source = _CPP.search(note.text)
        found[(source[1] if source else "log", note.kind, squeeze(note.text))] = None
    return list(found)[: MAX_PLACES * 2]


def link(case: Case, name: str, index: Index) -> tuple[tuple[str, ...], tuple[dict[str, object], ...]]:
    """(ids, records), the best first: signatures for dumps whose frames all stand here, then raise sites in a stack.

    A record that is tagged with classes of the decision table is linked only when the verdict is one of them.
    """
    found: list[tuple[int, str, str, dict[str, object]]] = []
    for record_id, score in spoken_of(case, index).items():
        record = dict(index.record(record_id))
        classes = set(record.get("tags") or ()) & _classes()
        if classes and name.replace("_", "-") not in classes:
            continue
        found.append((score + 100 * bool(classes), str(record.get("key", "")), record_id, record))
    found.sort(key=lambda item: (-item[0], item[1]))
    return tuple(item[2] for item in found[:MAX_RECORDS]), tuple(item[3] for item in found[:MAX_RECORDS])


def spoken_of(case: Case, index: Index) -> dict[str, int]:
    """Every record that speaks of what the case shows, whatever the verdict, with how well it agrees."""
    there = places(case)
    ids = {number for file in sorted({file.rsplit("/", 1)[-1] for file, _, _ in there}) for number in index.by_file(file)}
    best: dict[str, int] = {}
    for known in index.signatures(ids):
        if score := _score(known, there):
            best[known.record] = max(best.get(known.record, 0), score)
    return best


def _classes() -> set[str]:
    return {name.replace("_", "-") for name in (*(rule.name for rule in RULES), *_EXTRA)}


def _score(known: Known, there: list[Place]) -> int:
    """0 where a signature does not speak of this; more demanded frames and a message weigh more."""
    if not known.frames or not all(any(_agrees(frame, place) for place in there) for frame in known.frames):
        return 0
    if known.when != "dump":  # an error's raise site on a stack: the process is in the code that raises it
        exact = any(frame.function and "/" in frame.file for frame in known.frames)
        return 1 if exact and known.exit_status is None else 0
    if known.message is None:
        return 10 + len(known.frames)
    template = parse_template(known.message)
    return 20 + len(known.frames) if any(text and template.find(text) for _, _, text in there) else 0


def _agrees(frame: FrameSite, place: Place) -> bool:
    file, function, _ = place
    if frame.function is not None and bare(frame.function) != function:
        return False
    return bool(suffix_agrees(file, frame.file)) or file == frame.file
