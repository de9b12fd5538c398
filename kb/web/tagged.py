"""The table of records: its filter by tags, and the line above it."""

from dataclasses import dataclass
from typing import Any

from datasette.utils import path_with_added_args, path_with_removed_args

_ALL_COLUMNS = "_all"
_CHOSEN = {"_col", "_nocol", _ALL_COLUMNS}
"""Arguments that say which columns to show; without one of them the style sheet leaves a short list."""


@dataclass(frozen=True, slots=True)
class ChosenTag:
    """A tag that the table is filtered by, and the address without it."""

    tag: str
    without: str


@dataclass(frozen=True, slots=True)
class TablePage:
    """What the table of records shows beside what Datasette shows. `all_columns` is None where columns were chosen."""

    chosen: tuple[ChosenTag, ...]
    all_tags: str
    all_columns: str | None


def tags_of(request: Any) -> list[str]:
    """The tags that a request asks for, each once."""
    return list(dict.fromkeys(tag for tag in request.args.getlist("_tag") if tag))


def tag_clauses(request: Any) -> tuple[list[str], dict[str, str], list[str]]:
    """Conditions that hold for the records with all tags of a request, their parameters, and the same in words."""
    tags = tags_of(request)
    clauses = [f"id in (select record_id from record_tags where tag = :kb_tag{at})" for at in range(len(tags))]
    return clauses, {f"kb_tag{at}": tag for at, tag in enumerate(tags)}, [f'tag = "{tag}"' for tag in tags]


def table_page(datasette: Any, database: str, request: Any) -> TablePage:
    """The line above the table."""
    chosen = tuple(ChosenTag(tag, _without(datasette, request, tag)) for tag in tags_of(request))
    every = datasette.urls.path(path_with_added_args(request, {_ALL_COLUMNS: "on"}))
    return TablePage(
        chosen, datasette.urls.table(database, "record_tags"), None if _CHOSEN & set(request.args) else every
    )


def _without(datasette: Any, request: Any, tag: str) -> str:
    """The address of the first page of the table without a tag."""
    path = path_with_removed_args(request, {"_next"}, path=path_with_removed_args(request, {"_tag": tag}))
    return str(datasette.urls.path(path))
