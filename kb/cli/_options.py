"""Options that several commands share, and how they become an open index."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from kb.store.reader import Index

PathType = click.Path(path_type=Path)


def knowledge_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--db` and `--records`: which knowledge to ask."""
    records = click.option("--records", type=PathType, multiple=True, metavar="DIR",
                           help="More record folders, beside the shipped and configured ones.")  # fmt: skip
    db = click.option("--db", type=PathType, metavar="PATH", help="Read this index as it is (also: KB_DB).")
    return db(records(function))


def open_knowledge(db: Path | None, records: tuple[Path, ...]) -> "Index":
    """The index that the options, the environment and the configuration name; made first where it is missing or stale.

    Raises KbError where it cannot be had.
    """
    from kb.config import load_config
    from kb.store.cache import open_index

    if db and records:
        raise click.UsageError("--db reads an index as it is, so --records would be ignored: give one of them")
    config = load_config(Path.cwd())
    if db or (config.db and not records):
        from kb.store.reader import Index

        return Index(db or config.db or Path())
    return open_index([*config.records, *records])
