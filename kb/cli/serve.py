"""`kb serve`: the records in the browser, by Datasette."""

import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click

from kb.cli._options import knowledge_options, open_knowledge
from kb.errors import KbError

_NAME = "kb"
"""What the database is called in addresses, whatever the file of the index is called."""

_SETTINGS = {
    "default_page_size": "50",
    "facet_time_limit_ms": "1000",  # Datasette's 200 ms are too few for the facets of 150,000 records
    "sql_time_limit_ms": "3000",
    "suggest_facets": "off",  # the facets worth having are configured; trying the other columns costs a second a page
    "truncate_cells_html": "300",  # in tables; the page of a record shows everything
}
"""Settings of Datasette that fit a large index; `--setting` overrides them."""


@click.command()
@knowledge_options
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8001, show_default=True, help="0 takes a free one.")
@click.option("--open/--no-open", "browser", default=False, help="Open a browser.")
@click.option("--setting", "settings", nargs=2, multiple=True, metavar="NAME VALUE", help="A setting of Datasette.")
def command(
    db: Path | None,
    records: tuple[Path, ...],
    host: str,
    port: int,
    browser: bool,
    settings: tuple[tuple[str, str], ...],
) -> None:
    """Browse the records with Datasette, until Ctrl-C.

    The same pages come from `datasette kb.db` on an index of `kb build`: faultbook is a plugin of Datasette.
    """
    index = open_knowledge(db, records)
    index.close()
    port = _free_port(host, port)
    options = ["--host", host, "--port", str(port), *(["--open"] if browser else [])]
    for name, value in [*_SETTINGS.items(), *_known(settings)]:
        options += ["--setting", name, value]
    shown = f"[{host}]" if ":" in host else host
    with _named(index.path) as path:
        _serve(["-i", str(path), *options], f"http://{shown}:{port}/{_NAME}/records")


def _known(settings: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The settings, when Datasette has all of them. Raises KbError for another, which Datasette 1.0 would pass over."""
    from datasette.app import DEFAULT_SETTINGS

    for name, _ in settings:
        if name not in DEFAULT_SETTINGS:
            raise KbError(f"Datasette has no setting {name}", "`datasette serve --help-settings` lists them")
    return settings


def _free_port(host: str, port: int) -> int:
    """A port that can be listened on: `port`, or any for 0. Raises KbError where it is taken or may not be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.create_server((host, port), family=family) as server:
            number: int = server.getsockname()[1]
            return number
    except OSError as error:
        message = f"cannot listen on {host} port {port} ({error.strerror or error})"
        raise KbError(message, "choose another --port or --host") from None


@contextmanager
def _named(index: Path) -> Iterator[Path]:
    """The index under the name that its addresses show: Datasette takes it from the file's name.

    A hard link also keeps the file when `kb build` replaces it meanwhile. Raises KbError where even a copy fails.
    """
    with tempfile.TemporaryDirectory(prefix="kb-serve-", ignore_cleanup_errors=True) as folder:
        path = Path(folder, f"{_NAME}.db")
        for give in (os.link, os.symlink, shutil.copyfile):  # other file systems refuse the first, Windows the second
            try:
                give(index.resolve(), path)
                break
            except OSError as error:
                reason = error.strerror or str(error)
        else:
            raise KbError(f"cannot copy {index} to {folder} ({reason})", "name a folder with room in TMPDIR")
        yield path


def _serve(arguments: list[str], address: str) -> None:
    """Run Datasette's own command until a signal ends it. Raises KbError when it does not start."""
    from datasette.cli import cli

    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        # parsed before it is invoked, so that a wrong setting is told before the address is
        with cli.commands["serve"].make_context("datasette serve", arguments) as context:
            click.echo(f"known errors: {address} (Ctrl-C ends)", err=True)
            context.command.invoke(context)
    except KeyboardInterrupt:
        return
    except SystemExit as end:
        if end.code:
            raise KbError(f"Datasette stopped with status {end.code}", "see its own lines above") from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """End by a termination signal as by Ctrl-C, so that the temporary name goes away."""
    raise KeyboardInterrupt
