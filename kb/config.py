"""Settings of the user: environment, and `kb.toml` or `[tool.kb]` found upwards. Flags win over both, the environment over files."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.errors import KbError


@dataclass(frozen=True, slots=True)
class Config:
    """What is configured: an index to read, record folders beside the shipped ones."""

    db: Path | None = None
    records: tuple[Path, ...] = ()


def load_config(start: Path, environment: Mapping[str, str] = os.environ) -> Config:
    """The configuration for a working directory. Raises KbError for a file that is no TOML or says what cannot be."""
    file, table = _find_table(start)
    unknown = sorted(set(table) - {"db", "records"})
    if unknown:
        raise KbError(f"{file}: unknown setting {', '.join(unknown)} for kb", "there are `db` and `records`")
    db, records = table.get("db"), table.get("records", [])
    if not isinstance(db, str | None) or not isinstance(records, list) or not all(isinstance(r, str) for r in records):
        raise KbError(f"{file}: wrong type in the settings of kb", "`db` is a path, `records` a list of paths")
    home = file.parent if file else start
    folders = [home / folder for folder in records]
    folders += [Path(folder) for folder in environment.get("KB_RECORDS", "").split(os.pathsep) if folder]
    named = environment.get("KB_DB") or (db and str(home / db))
    return Config(Path(named) if named else None, tuple(folders))


def _find_table(start: Path) -> tuple[Path | None, Mapping[str, Any]]:
    """The nearest configuration file upwards and its settings."""
    for folder in (start, *start.parents):
        for name in ("kb.toml", "pyproject.toml"):
            file = folder / name
            if (table := _table_of(file)) is not None:
                return file, table
    return None, {}


def _table_of(file: Path) -> Mapping[str, Any] | None:
    """The settings in a file; None when it is not there or says nothing of kb."""
    try:
        raw = file.read_bytes()
    except OSError:
        return None
    if file.name == "pyproject.toml" and b"tool.kb" not in raw:
        return None
    import tomllib

    try:
        data = tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KbError(f"{file} is no TOML ({error})", "mend it") from None
    table = data if file.name == "kb.toml" else data.get("tool", {}).get("kb")
    return table if isinstance(table, Mapping) else None
