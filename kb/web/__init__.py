"""The Datasette plugin: an index that Datasette serves gets facets, a tag filter and a readable page for each record.

One source for Datasette 0.65 and 1.0: pluggy passes over hooks that a version does not know. Datasette loads its
plugins whatever it serves, so each hook does nothing for a database that is no index. Which ones are is settled once,
at start-up.
"""

from collections.abc import Awaitable, Callable
from copy import deepcopy
from typing import Any

from datasette.filters import FilterArguments
from markupsafe import Markup
from pluggy import HookimplMarker

from kb.web.indexes import TABLES, configure, find_indexes, indexes_of, remember
from kb.web.markup import record_link, tag_link, tag_links
from kb.web.tagged import table_page, tag_clauses

hookimpl = HookimplMarker("datasette")  # what `datasette.hookimpl` is, with types
_DISTRIBUTION = "faultbook"
"""Datasette serves static files of a plugin under the name of its distribution."""


@hookimpl
def startup(datasette: Any) -> Callable[[], Awaitable[None]]:
    """Find the indexes among the databases, and configure their tables where Datasette is 1.0."""

    async def find_and_configure() -> None:
        remember(datasette, await find_indexes(datasette))
        await configure(datasette)

    return find_and_configure


@hookimpl
def get_metadata(datasette: Any) -> dict[str, Any]:
    """Facets, order and labels for Datasette 0.65; a user's own metadata wins over them."""
    # a copy each time: Datasette merges the user's metadata into what it is given
    return {"databases": {name: {"tables": deepcopy(TABLES)} for name in indexes_of(datasette)}}


@hookimpl
def menu_links(datasette: Any) -> list[dict[str, str]]:
    """The way to the records from every page."""
    names = sorted(indexes_of(datasette))
    labels = ["Known errors"] if len(names) == 1 else [f"Known errors in {name}" for name in names]
    addresses = [datasette.urls.table(name, "records") for name in names]
    return [{"href": address, "label": label} for address, label in zip(addresses, labels, strict=True)]


@hookimpl
def filters_from_request(request: Any, database: str, table: str, datasette: Any) -> FilterArguments | None:
    """`?_tag=nccl&_tag=cuda`: the records that have all these tags."""
    if database not in indexes_of(datasette) or table != "records":
        return None
    return FilterArguments(*tag_clauses(request))


@hookimpl
def render_cell(row: Any, value: Any, column: str, table: str | None, database: str, datasette: Any) -> Markup | None:
    """Titles lead to their record, tags to the records that have them."""
    if database not in indexes_of(datasette) or not isinstance(value, str):
        return None
    match table, column:
        case "records", "title":
            return record_link(datasette, database, row["id"], value)
        case "records", "tags":
            return tag_links(datasette, database, value)
        case "record_tags", "tag":
            return tag_link(datasette, database, value)
        case _:
            return None


@hookimpl
def extra_template_vars(
    datasette: Any, database: str | None, table: str | None, view_name: str, request: Any
) -> dict[str, Any] | Callable[[], Awaitable[dict[str, Any]]]:
    """`kb_record` for the page of a record, `kb_table` for the table of all records."""
    if database not in indexes_of(datasette) or table != "records":
        return {}
    if view_name == "table":
        # 1.0a41 forgets to hand the searched words to its own form, which then loses them
        return {"kb_table": table_page(datasette, database, request), "search": request.args.get("_search") or ""}
    if view_name != "row":
        return {}

    async def record() -> dict[str, Any]:
        from kb.web.page import record_page

        return {"kb_record": await record_page(datasette, database, request)}

    return record


@hookimpl
def extra_css_urls(datasette: Any, database: str | None, table: str | None) -> list[str]:
    """The style of the tables of an index and of their rows."""
    if database not in indexes_of(datasette) or table is None:
        return []
    return [datasette.urls.static_plugins(_DISTRIBUTION, "record.css")]
