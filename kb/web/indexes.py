"""Which databases are indexes, and what Datasette should know of their tables."""

from copy import deepcopy
from typing import Any

from datasette.database import QueryInterrupted
from datasette.utils.sqlite import sqlite3

from kb.store.reader import INDEX_VERSION

TABLES: dict[str, dict[str, Any]] = {
    "records": {
        "title": "Known errors",
        "facets": ["project", "error_class", "severity", "role", "trust"],
        "facet_size": 8,
        "sort": "key",
        "label_column": "title",
    },
    "record_tags": {"title": "Tags of known errors", "facets": ["tag"], "facet_size": 60, "sort": "tag"},
}
"""Per table: what the documentation of Datasette lists for `metadata.yaml` (0.65) and `datasette.yaml` (1.0)."""

_SHOWN = ("title",)
"""Of these keys, those that 1.0 keeps as metadata; the others are configuration."""

_ATTRIBUTE = "_faultbook_indexes"
_NEEDED = ("kb_meta", "records", "record_tags", "signatures")
_COUNT = f"select count(*) from sqlite_master where type = 'table' and name in ({', '.join('?' * len(_NEEDED))})"
_VERSION = "select value from kb_meta where key = 'schema_version'"


async def find_indexes(datasette: Any) -> frozenset[str]:
    """The names of the databases that are indexes of the version that this code reads. File names do not count."""
    return frozenset([name for name, database in datasette.databases.items() if await _is_index(database)])


async def _is_index(database: Any) -> bool:
    try:
        if (await database.execute(_COUNT, _NEEDED, log_sql_errors=False)).single_value() != len(_NEEDED):
            return False
        version = (await database.execute(_VERSION, log_sql_errors=False)).first()
    except (sqlite3.Error, QueryInterrupted):  # broken or foreign: Datasette itself says what is wrong with a file
        return False
    return version is not None and version[0] == str(INDEX_VERSION)


def remember(datasette: Any, names: frozenset[str]) -> None:
    """Keep the answer of `find_indexes` with the instance: most hooks are synchronous and cannot ask again."""
    setattr(datasette, _ATTRIBUTE, names)


def indexes_of(datasette: Any) -> frozenset[str]:
    """The names of the databases of an instance that are indexes; none before its start-up."""
    names: frozenset[str] = getattr(datasette, _ATTRIBUTE, frozenset())
    return names


async def configure(datasette: Any) -> None:
    """Configure the tables of the indexes for Datasette 1.0, where the user did not; 0.65 asks `get_metadata`."""
    # `config` is no documented attribute. Where it is missing the tables lose their facets and work all the same.
    config = getattr(datasette, "config", None)
    if not isinstance(config, dict) or not hasattr(datasette, "set_resource_metadata"):
        return
    for name in indexes_of(datasette):
        tables = config.setdefault("databases", {}).setdefault(name, {}).setdefault("tables", {})
        for table, keys in deepcopy(TABLES).items():
            given = tables.setdefault(table, {})
            for key, value in keys.items():
                if key not in _SHOWN:
                    given.setdefault(key, value)
            await _show(datasette, name, table, {key: keys[key] for key in _SHOWN})


async def _show(datasette: Any, database: str, table: str, metadata: dict[str, str]) -> None:
    given = await datasette.get_resource_metadata(database, table)
    for key, value in metadata.items():
        if key not in given:
            await datasette.set_resource_metadata(database, table, key, value)
