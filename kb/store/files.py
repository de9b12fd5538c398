"""Records on disk: finding, reading and writing their files."""

import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.errors import KbError
from kb.model.record import Record, complete, parse_record, slugify

SUFFIXES = (".toml", ".jsonl", ".json")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a record file. `line` is None where the format does not allow to tell it."""

    file: Path
    line: int | None
    sentence: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.sentence}" if self.line else f"{self.file}: {self.sentence}"


@dataclass(frozen=True, slots=True)
class Stored:
    """A record with its name and its place on disk."""

    record: Record
    key: str
    file: Path
    line: int


def record_files(folders: Iterable[Path]) -> list[tuple[Path, Path]]:
    """Every record file under the folders (or the files themselves) as (folder, file), in a fixed order.

    Raises KbError for a folder that is not there.
    """
    found = []
    for folder in folders:
        if folder.is_file():
            found.append((folder.parent, folder))
        elif folder.is_dir():
            files = (file for file in folder.rglob("*") if file.suffix in SUFFIXES and file.is_file())
            found += [(folder, file) for file in sorted(files) if file.name != "schema.json" and not _hidden(folder, file)]
        else:
            raise KbError(f"no record folder {folder}", "name a folder of .toml or .jsonl files")
    return found


def read_records(folders: Iterable[Path]) -> Iterator[Stored | Fault]:
    """Every record of the folders, and every fault in its place."""
    for folder, file in record_files(folders):
        yield from read_file(folder, file)


def read_file(folder: Path, file: Path) -> Iterator[Stored | Fault]:
    """The records of one file, and its faults. `folder` is where keys of curated records begin."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        yield Fault(file, None, f"cannot be read ({error}): save it as UTF-8 text")
        return
    match file.suffix:
        case ".toml":
            yield from _read_toml(folder, file, text)
        case ".jsonl":
            yield from _read_jsonl(file, text)
        case _:
            yield from _read_json(file, text)


def curated_key(folder: Path, file: Path) -> str:
    """The key of a curated record: its path below `curated/` (or below the folder) without the suffix, with forward slashes."""
    parts = file.relative_to(folder).with_suffix("").parts
    return "/".join(parts[parts.index("curated") + 1 :] if "curated" in parts[:-1] else parts)


def imported_key(record: Record) -> str:
    """The key of an imported or mined record."""
    return f"{record.repo}/{record.slug}"


def write_jsonl(file: Path, records: Iterable[Record]) -> int:
    """Write records one a line, sorted, replacing the file in one step; returns their number."""
    rows = sorted((record.slug, record.id, json.dumps(record.to_json(), ensure_ascii=False)) for record in records)
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        beside.write_text("".join(f"{row}\n" for _, _, row in rows), encoding="utf-8", newline="\n")
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
    return len(rows)


def write_imported(folder: Path, source: str, records: Iterable[Record]) -> dict[Path, int]:
    """Write records below `folder`, one file per upstream repository; returns the number in each file."""
    by_repo: dict[str, list[Record]] = {}
    for record in records:
        by_repo.setdefault(record.repo, []).append(record)
    return {file: write_jsonl(file, group)
            for repo, group in sorted(by_repo.items())
            for file in [folder / source / f"{repo.replace('/', '__')}.jsonl"]}  # fmt: skip


def _hidden(folder: Path, file: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(folder).parts)


def _read_toml(folder: Path, file: Path, text: str) -> Iterator[Stored | Fault]:
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        place = re.search(r"at line (\d+)", str(error))
        yield Fault(file, int(place[1]) if place else None, f"is no TOML: {error}")
        return
    known = data.get("kb")
    if isinstance(known, dict):
        known.setdefault("trust", "curated")
    elif known is None:
        data["kb"] = {"trust": "curated"}
    whole = complete(data, slug=slugify(file.stem))
    outcome = parse_record(whole, snake_case=True)
    if isinstance(outcome, Record):
        yield Stored(outcome, curated_key(folder, file), file, 1)
    else:
        yield from (Fault(file, _toml_line(text, fault.path), str(fault)) for fault in outcome)


def _read_jsonl(file: Path, text: str) -> Iterator[Stored | Fault]:
    for number, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        try:
            data = json.loads(row)
        except (ValueError, RecursionError) as error:
            yield Fault(file, number, f"is no JSON: {error}")
            continue
        yield from _from_json(file, number, data)


def _read_json(file: Path, text: str) -> Iterator[Stored | Fault]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield Fault(file, getattr(error, "lineno", None), f"is no JSON: {error}")
        return
    if isinstance(data, list):
        for item in data:
            yield from _from_json(file, None, item)
    else:
        yield from _from_json(file, None, data, text)


def _from_json(file: Path, number: int | None, data: Any, text: str = "") -> Iterator[Stored | Fault]:
    if isinstance(data, dict) and isinstance(data.get("record"), dict):
        data = data["record"]
    if not isinstance(data, dict):
        yield Fault(file, number, "is no record: an object with the fields of a record is expected")
        return
    message = data.get("errorMessage")
    whole = complete(data, slug=slugify(message if isinstance(message, str) else ""))
    outcome = parse_record(whole)
    if isinstance(outcome, Record):
        yield Stored(outcome, imported_key(outcome), file, number or 1)
    else:
        yield from (Fault(file, number or _json_line(text, fault.path), str(fault)) for fault in outcome)


def _json_line(text: str, path: tuple[str | int, ...]) -> int | None:
    """The line of a JSON text where the innermost named field stands first, as good as a search can tell."""
    for name in (part for part in reversed(path) if isinstance(part, str)):
        if found := re.search(rf'"{re.escape(name)}"\s*:', text):
            return text.count("\n", 0, found.start()) + 1
    return None


def _toml_line(text: str, path: tuple[str | int, ...]) -> int | None:
    """The line of a TOML text that holds a field, else its table's, else the first one."""
    table, index, wanted = _toml_place(path)
    current, seen, table_line = "", {"": 0}, 1
    in_string = ""
    for number, line in enumerate(text.splitlines(), 1):
        if in_string:
            in_string = "" if in_string in line else in_string
            continue
        if header := re.match(r"\s*\[\[?\s*([\w.\s-]+?)\s*\]\]?\s*(?:#|$)", line):
            current = header[1]
            seen[current] = seen.get(current, -1) + 1
            if current == table and seen[current] == index:
                table_line = number
        elif current == table and seen[current] == index and re.match(rf'\s*"?{re.escape(wanted)}"?\s*[.=]', line):
            return number
        for quote in ("'''", '"""'):
            if line.count(quote) % 2:
                in_string = quote
    return table_line


def _toml_place(path: tuple[str | int, ...]) -> tuple[str, int, str]:
    """The table, its number among equal ones, and the key that a field's path means."""
    names = [part for part in path if isinstance(part, str)]
    numbers = [part for part in path if isinstance(part, int)]
    if not names or names[0] != "kb":
        return "", 0, names[0] if names else ""
    if len(names) > 1 and names[1] in ("signatures", "examples", "counter_examples", "applies") and numbers:
        return f"kb.{names[1]}", numbers[0], names[2] if len(names) > 2 else ""
    if len(names) > 2 and names[1] == "provenance":
        return "kb.provenance", 0, names[2]
    return "kb", 0, names[1] if len(names) > 1 else ""


def record_mapping(stored: Stored) -> Mapping[str, Any]:
    """A record in JSON's names with its key."""
    return {**stored.record.to_json(), "key": stored.key}
