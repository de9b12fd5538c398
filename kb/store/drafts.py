"""Records as their files write them, valid or not: so that lint can look at what the model refuses."""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic.alias_generators import to_camel

from kb.model.record import complete, slugify
from kb.store.files import Stored, _json_line, _toml_line, curated_key

FieldPath = tuple[str | int, ...]
LineOf = Callable[[FieldPath], int | None]


@dataclass(frozen=True, slots=True)
class Draft:
    """One record of a file, whatever is wrong with it. `line_of` tells where a field stands."""

    file: Path
    data: Mapping[str, Any]  # in the naming of the file
    toml: bool
    line_of: LineOf
    id: str | None
    key: str | None

    def get(self, name: str) -> Any:
        """A field's value by its snake_case name."""
        return self.data.get(self.named(name))

    def named(self, name: str) -> str:
        """A field's name as the file writes it."""
        return name if self.toml else to_camel(name)

    @property
    def known(self) -> Mapping[str, Any]:
        """What stands under `kb`."""
        known = self.data.get("kb")
        return known if isinstance(known, dict) else {}

    @property
    def curated(self) -> bool:
        """Whether people wrote the record and answer for it."""
        return bool(self.known.get("trust", "curated" if self.toml else None) == "curated")

    @property
    def signatures(self) -> list[tuple[int, Mapping[str, Any]]]:
        """The signatures that are tables at all, with their numbers."""
        listed = self.known.get("signatures")
        return [(at, one) for at, one in enumerate(listed) if isinstance(one, dict)] if isinstance(listed, list) else []


def read_drafts(folder: Path, file: Path) -> Iterator[Draft]:
    """The records of a file as written, nothing of what cannot be parsed. `folder` is where curated keys begin."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return
    if file.suffix == ".toml":
        yield from _toml_draft(folder, file, text)
        return
    for line, data in _rows(text) if file.suffix == ".jsonl" else _items(text):
        wrapped = data.get("record") if isinstance(data, dict) else None
        record = wrapped if isinstance(wrapped, dict) else data
        if isinstance(record, dict):
            yield _json_draft(file, record, text, line)


def place_of(stored: Stored, path: FieldPath) -> int | None:
    """The line of a field of a valid record."""
    if stored.file.suffix != ".toml":
        return stored.line
    return _toml_line(stored.file.read_text(encoding="utf-8"), path)


def _toml_draft(folder: Path, file: Path, text: str) -> Iterator[Draft]:
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    yield Draft(file, data, True, lambda path: _toml_line(text, path), _id(data), curated_key(folder, file))


def _json_draft(file: Path, data: Mapping[str, Any], text: str, line: int | None) -> Draft:
    repo, slug, message = (data.get(name) for name in ("repo", "slug", "errorMessage"))
    slug = slug or slugify(message if isinstance(message, str) else "")
    # a line of 0 stands for a document with one record, whose fields have lines of their own
    return Draft(
        file,
        data,
        False,
        lambda path: line if line != 0 else _json_line(text, path),
        _id(data),
        f"{repo}/{slug}" if isinstance(repo, str) else None,
    )


def _rows(text: str) -> Iterator[tuple[int | None, Any]]:
    for number, row in enumerate(text.split("\n"), 1):
        try:
            yield number, json.loads(row)
        except (ValueError, RecursionError):
            continue


def _items(text: str) -> Iterator[tuple[int | None, Any]]:
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(whole, list):
        yield from ((None, item) for item in whole)
    else:
        yield 0, whole


def _id(data: Mapping[str, Any]) -> str | None:
    try:
        found = complete(dict(data)).get("id")
    except UnicodeEncodeError:  # half a surrogate pair has no id
        return None
    return found if isinstance(found, str) else None
