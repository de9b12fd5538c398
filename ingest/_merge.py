"""New records into a folder that may hold older ones."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kb.errors import KbError
from kb.ingest import Source
from kb.model.record import Record
from kb.store.files import Fault, read_file, write_imported


@dataclass(slots=True)
class Merged:
    """What became of the records: counts, and how many lay there already and stayed."""

    new: int = 0
    changed: int = 0
    same: int = 0
    kept: int = 0


def merge(folder: Path, source: Source, records: Iterable[Record]) -> Merged:
    """Write records below `folder`: of one id the new one wins, other records stay, equal files are not touched.

    Raises OSError, and KbError before anything is written where a file holds what cannot be read and would be lost.
    """
    by_repo: dict[str, dict[str, Record]] = {}
    for record in records:
        by_repo.setdefault(record.repo, {})[record.id] = record
    merged, written = Merged(), []
    for repo, incoming in by_repo.items():
        present = _present(folder, source, repo)
        kept = [record for record in present.values() if record.id not in incoming]
        changed = [record for record in incoming.values() if _differs(record, present.get(record.id))]
        merged.new += len(incoming.keys() - present.keys())
        merged.changed += sum(record.id in present for record in changed)
        merged.same += len(incoming) - len(changed)
        merged.kept += len(kept)
        written += [*kept, *incoming.values()] if changed else []
    write_imported(folder, source.name, written)
    return merged


def _present(folder: Path, source: Source, repo: str) -> dict[str, Record]:
    """The records that `write_imported` would write over."""
    file = folder / source.name / f"{repo.replace('/', '__')}.jsonl"
    if not file.exists():
        return {}
    found = {}
    for item in read_file(folder, file):
        if isinstance(item, Fault):
            raise KbError(f"{item}", "mend or remove the line: writing the file anew would lose it")
        found[item.record.id] = item.record
    return found


def _differs(record: Record, present: Record | None) -> bool:
    return present is None or record.to_json() != present.to_json()
