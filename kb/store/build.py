"""Records -> index: one SQLite file, built beside its place and renamed over it."""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic.alias_generators import to_snake
from sqlite_utils import Database

from kb.model.record import Record, Signature
from kb.store.files import Fault, Stored, read_records
from kb.store.schema import RECORD_COLUMNS, SEARCHED, VERSION, migrations
from kb.text.template import parse_template, pattern_of_template, required_literal, template_of_pattern

_ORDER = {"curated": 0, "imported": 1, "mined": 2, "model": 3}


@dataclass(slots=True)
class Built:
    """What a build did. `dropped` are records that another one of the same id or key displaced, with the reason."""

    path: Path
    records: int = 0
    generation: str = ""
    faults: list[Fault] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


def build_index(folders: Iterable[Path], path: Path, progress: Callable[[Iterable[Stored]], Iterable[Stored]] = iter) -> Built:
    """Build the index of all records below `folders` at `path`.

    A faulty record is left out and reported. The file at `path` stays whole until the new one is complete. Raises OSError where the
    place cannot be written and KbError for a folder that is not there.
    """
    built = Built(path)
    stored = _settle(read_records(folders), built)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        database = Database(beside)
        database.execute("pragma synchronous = off")
        migrations.apply(database)
        with database.atomic():
            _fill(database, stored, built, progress)
        database.table("records").enable_fts(SEARCHED, tokenize="porter unicode61 tokenchars '_'")
        database.table("signatures").enable_fts(["message"], tokenize="unicode61 tokenchars '_'")
        database.execute("analyze")
        database.close()
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return built


def _settle(found: Iterable[Stored | Fault], built: Built) -> list[Stored]:
    """The records to keep, in order of their keys: of two with one id or key the more trusted, then the first."""
    records = []
    for item in found:
        if isinstance(item, Fault):
            built.faults.append(item)
        else:
            records.append(item)
    kept: dict[str, Stored] = {}
    keys: set[str] = set()
    for item in sorted(records, key=lambda s: (_ORDER[s.record.kb.trust], s.key, str(s.file), s.line)):
        if item.record.id in kept:
            built.dropped.append(f"{item.file}:{item.line}: {item.key} has the id of {kept[item.record.id].key}, which is used")
        elif item.key in keys:
            built.dropped.append(f"{item.file}:{item.line}: another record has the key {item.key} and is used")
        else:
            kept[item.record.id] = item
            keys.add(item.key)
    return sorted(kept.values(), key=lambda s: s.key)


def _fill(database: Database, stored: list[Stored], built: Built, progress: Callable[[Iterable[Stored]], Iterable[Stored]]) -> None:
    digest = hashlib.sha256(str(VERSION).encode())
    signatures: list[dict[str, Any]] = []
    sites: list[dict[str, Any]] = []
    tags: list[dict[str, Any]] = []

    def rows() -> Iterator[dict[str, Any]]:
        for item in progress(stored):
            row = record_row(item)
            digest.update(json.dumps(row, sort_keys=True).encode())
            for signature in signatures_of(item.record):
                number = len(signatures) + 1
                signatures.append(_signature_row(number, item.record, signature))
                sites.extend(_site_rows(number, item.record, signature))
            tags.extend({"record_id": item.record.id, "tag": tag} for tag in sorted(set(item.record.tags)))
            built.records += 1
            yield row

    database.table("records").insert_all(rows())
    database.table("record_tags").insert_all(tags)
    database.table("signatures").insert_all(signatures)
    database.table("sites").insert_all(sites)
    built.generation = digest.hexdigest()[:16]
    meta = {"schema_version": str(VERSION), "generation": built.generation, "records": str(built.records)}
    database.table("kb_meta").insert_all({"key": key, "value": value} for key, value in meta.items())
    database.execute(f"pragma user_version = {VERSION}")


def record_row(stored: Stored) -> dict[str, Any]:
    """A record as a row of `records`."""
    record = stored.record
    row = {to_snake(name): value for name, value in record.model_dump(by_alias=True, mode="json", exclude={"kb"}).items()}
    row |= {name: json.dumps(row[name], ensure_ascii=False) for name in ("solutions", "prevention_tips", "tags")}
    row["kb"] = json.dumps(record.kb.model_dump(by_alias=True, mode="json", exclude_defaults=True), ensure_ascii=False)
    row["message_pattern"] = record.message_pattern or _any_pattern(record)
    row |= {"key": stored.key, "title": record.title, "project": record.repo.rpartition("/")[2], "role": record.kb.role,
            "trust": record.kb.trust, "source": stored.file.name}  # fmt: skip
    return {name: row[name] for name in RECORD_COLUMNS}


def _any_pattern(record: Record) -> str:
    """One expression for all messages by which a record is recognised."""
    told = [record.error_message, *(signature.message for signature in record.kb.signatures if signature.message)]
    patterns = [pattern_of_template(message) for message in told]
    return "|".join(dict.fromkeys([*patterns, *(s.pattern for s in record.kb.signatures if s.pattern)]))


def signatures_of(record: Record) -> list[Signature]:
    """A record's own signatures, else the one that its message or message pattern gives."""
    if record.kb.signatures:
        return record.kb.signatures
    if record.message_pattern is None:
        return [Signature(message=_literal(record.error_message))]
    template = template_of_pattern(record.message_pattern)
    return [Signature(message=template) if template and parse_template(template).literal else Signature(pattern=record.message_pattern)]


def _literal(message: str) -> str:
    """A message of schema 2 as a template: its `{name}` are holes already; any other brace is literal."""
    return re.sub(r"\{(?![A-Za-z_]\w*\})|(?<!\w)\}", lambda brace: brace[0] * 2, message)


def _signature_row(number: int, record: Record, signature: Signature) -> dict[str, Any]:
    template = parse_template(signature.message) if signature.message else None
    anchor = template.anchor if template else required_literal(signature.pattern or "")
    return {
        "id": number, "record_id": record.id, "when": signature.when, "classes": json.dumps(signature.classes),
        "message": signature.message, "pattern": signature.pattern,
        "frames": json.dumps([frame.model_dump(exclude_none=True) for frame in signature.frames]),
        "exit_status": signature.exit_status, "anchor": anchor or None, "weak": int(template.weak) if template else 0,
    }  # fmt: skip


def _site_rows(number: int, record: Record, signature: Signature) -> Iterator[dict[str, Any]]:
    """Where the error is raised: the frames that the signature names, else the record's own site."""
    for frame in signature.frames:
        yield _site(frame.file, frame.function, None, record.id, number)
    if record.file_path and not signature.frames:
        yield _site(record.file_path, None, record.line_number, record.id, number)


def _site(file: str, function: str | None, line: int | None, record: str, signature: int) -> dict[str, Any]:
    return {"basename": file.rpartition("/")[2], "file": file, "function": function, "line": line, "record_id": record,
            "signature_id": signature}  # fmt: skip
