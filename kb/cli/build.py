"""`kb build`: records -> index."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli._options import PathType

if TYPE_CHECKING:
    from kb.store.files import Stored


@click.command()
@click.option("--records", type=PathType, multiple=True, metavar="DIR",
              help="Exactly these record folders; without it the shipped and configured ones.")  # fmt: skip
@click.option("--db", type=PathType, default=None, metavar="PATH", help="Where the index goes (default: KB_DB, then kb.db).")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but faults.")
def command(records: tuple[Path, ...], db: Path | None, quiet: bool) -> None:
    """Build an index of records: one SQLite file that `kb match --db` and Datasette read.

    A faulty record is left out and reported; then the exit code is 2, and the index holds the others.
    """
    from kb.config import load_config
    from kb.errors import KbError
    from kb.store.build import build_index
    from kb.store.cache import shipped_records

    config = load_config(Path.cwd())
    target = db or config.db or Path("kb.db")
    folders = list(records) or [shipped_records(), *config.records]
    try:
        built = build_index(folders, target, progress=iter if quiet else _progress)
    except OSError as error:
        raise KbError(f"cannot write the index {target} ({error.strerror or error})", "choose another place with --db") from None
    for text in [*map(str, built.faults), *built.dropped]:
        click.echo(text, err=True)
    if not quiet:
        click.echo(f"{built.records} records in {target} (generation {built.generation})", err=True)
    if built.faults:
        raise KbError(f"{len(built.faults)} faults in the records", "mend them: `kb lint` names them too")


def _progress(items: Iterable["Stored"]) -> Iterable["Stored"]:
    """The items, with a bar on a terminal."""
    if not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return track(list(items), description="records", console=Console(stderr=True), transient=True)
