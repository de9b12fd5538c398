"""Every fault of every record: what the model says, and what it cannot see."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.model.record import FieldFault
from kb.store.drafts import Draft, read_drafts
from kb.store.files import Fault, Stored, read_file
from kb.store.lint_texts import short, text_faults


@dataclass(frozen=True, slots=True)
class Linted:
    """What lint found: all faults, sorted, the number of records looked at, and the valid ones."""

    faults: tuple[Fault, ...]
    count: int
    stored: tuple[Stored, ...]


def lint_files(files: Iterable[tuple[Path, Path]], known: Collection[str] | None = None) -> Linted:
    """Look at record files, given as (folder, file) as `record_files` does.

    `known` holds ids and keys of records elsewhere that may be referred to; None leaves references unchecked.
    """
    faults: set[Fault] = set()
    stored: list[Stored] = []
    drafts: list[Draft] = []
    for folder, file in files:
        for item in _read(folder, file):
            faults.add(item) if isinstance(item, Fault) else stored.append(item)
        drafts += read_drafts(folder, file)
    for draft in drafts:
        faults.update(_placed(draft, fault) for fault in (*text_faults(draft), *_missing(draft)))
    faults.update(_duplicates(drafts))
    if known is not None:
        names = {*known, *(draft.id for draft in drafts if draft.id), *(draft.key for draft in drafts if draft.key)}
        faults.update(_placed(draft, fault) for draft in drafts for fault in _dangling(draft, names))
    return Linted(in_order(faults), len(drafts), tuple(stored))


def in_order(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Faults by file, line and sentence."""
    return tuple(sorted(faults, key=lambda fault: (str(fault.file), fault.line or 0, fault.sentence)))


def _read(folder: Path, file: Path) -> list[Stored | Fault]:
    try:
        return list(read_file(folder, file))
    except (RecursionError, UnicodeEncodeError) as error:
        return [Fault(file, None, f"cannot be read ({type(error).__name__}): remove deep nesting and half surrogate pairs")]


def _placed(draft: Draft, fault: FieldFault) -> Fault:
    return Fault(draft.file, draft.line_of(fault.path), str(fault))


def _missing(draft: Draft) -> Iterator[FieldFault]:
    """What a curated record must have beyond the model."""
    if not draft.curated:
        return
    origin = draft.known.get("provenance")
    for path, value in (
        (("solutions",), draft.get("solutions")),
        (("tags",), draft.get("tags")),
        (("kb", "provenance", "solutions"), origin.get("solutions") if isinstance(origin, dict) else None),
    ):
        if not value:
            yield FieldFault(path, "is missing: a curated record has it")


def _duplicates(drafts: Sequence[Draft]) -> Iterator[Fault]:
    """Ids and keys that an earlier record has; of a record that has both the id is told."""
    ids: dict[str, str] = {}
    keys: dict[str, str] = {}
    for draft in drafts:
        place = str(Fault(draft.file, draft.line_of(("id",)), "")).removesuffix(": ")
        if draft.id and draft.id in ids:
            yield _placed(draft, FieldFault(("id",), f"{draft.id} is that of {ids[draft.id]} too: keep one of them"))
        elif draft.key and draft.key in keys:
            yield _placed(draft, FieldFault(("slug",), f"gives the key {draft.key}, which {keys[draft.key]} has too: rename one"))
        if draft.id:
            ids.setdefault(draft.id, place)
        if draft.key:
            keys.setdefault(draft.key, place)


def _dangling(draft: Draft, names: Collection[str]) -> Iterator[FieldFault]:
    for field in ("symptom_of", "supersedes"):
        given = draft.known.get(field)
        for at, name in enumerate(given if isinstance(given, list) else []):
            if isinstance(name, str) and name not in names:
                yield FieldFault(("kb", field, at), f"{short(name)} is the id or key of no record: write it, or leave the name out")
