"""`kb ingest`: foreign knowledge -> record files."""

import shlex
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kb.cli._group import PluginGroup
from kb.cli._options import PathType
from kb.errors import KbError

if TYPE_CHECKING:
    from kb.ingest import Source
    from kb.model.record import Record


def make_command(source: "Source") -> click.Command:
    """The subcommand of one source, with the source's own options."""

    def run(path: Path, output: Path | None, quiet: bool, **options: Any) -> None:
        _ingest(source, path, output, quiet, options)

    params: list[click.Parameter] = [
        click.Argument(["path"], type=PathType),
        click.Option(
            ["-o", "--output"],
            type=PathType,
            metavar="DIR",
            help=f"Write under DIR/{source.name} (default: the user's record folder).",
        ),
        click.Option(["-q", "--quiet"], is_flag=True, help="Say nothing but what was refused."),
    ]
    params += [
        click.Option([f"--{one.name}"], help=one.summary, default=one.default, is_flag=isinstance(one.default, bool))
        for one in source.options
    ]
    return click.Command(
        source.name,
        callback=run,
        params=params,
        help=f"{source.summary}\n\nPATH - is standard input.",
        short_help=source.summary,
    )


command = PluginGroup(
    "kb.ingest",
    "SOURCE",
    make_command,
    subcommand_metavar="SOURCE PATH [OPTIONS]",
    help="Make records of other collections: SOURCE says of which kind PATH is.\n\n"
    "What cannot be taken is named with its place and every reason, and the rest is written; then the exit code is 2. "
    "Records that lie in the folder already stay, and one of the same id is replaced.",
)


def _ingest(source: "Source", path: Path, output: Path | None, quiet: bool, options: dict[str, Any]) -> None:
    from kb.ingest._merge import merge

    folder = output or _user_folder()
    taken, refused = _read(source, path, options, quiet)
    try:
        merged = merge(folder, source, taken)
    except OSError as error:
        raise KbError(
            f"cannot write below {folder} ({error.strerror or error})", "choose another place with -o"
        ) from None
    if not quiet and taken:
        counts = f"{merged.new} new, {merged.changed} changed, {merged.same} same, {merged.kept} kept"
        click.echo(f"{folder / source.name}: {counts}", err=True)
        _say_next(folder)
    if refused:
        raise KbError(f"{refused} refused of {path}, {len(taken)} taken", "the lines above say why")
    if not taken:
        raise KbError(f"{path} holds no record", f"see `kb ingest {source.name} --help`")


def _read(source: "Source", path: Path, options: dict[str, Any], quiet: bool) -> tuple[list["Record"], int]:
    """The records to write and the number of refusals, each of which is named. Of one id the last record counts."""
    from kb.ingest import Refusal

    taken: dict[str, Record] = {}
    refused = 0
    for item in _progress(source.read(path, options), quiet):
        if isinstance(item, Refusal):
            refused += 1
            _note(str(item))
        elif (earlier := taken.get(item.id)) and earlier.to_json() != item.to_json():
            _note(f"{path}: {item.id} ({item.title}) stands there twice: the last one is taken")
            taken[item.id] = item
        else:
            taken[item.id] = item
    return list(taken.values()), refused


def _user_folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("faultbook") / "records"


def _say_next(folder: Path) -> None:
    """How to use the records, unless the configuration names their folder already."""
    from kb.config import load_config

    if folder.resolve() not in (configured.resolve() for configured in load_config(Path.cwd()).records):
        name = shlex.quote(str(folder))
        _note(f"match with them: kb match --records {name} LOG (always: KB_RECORDS={name})")


def _note(text: str) -> None:
    from kb.text.ansi import printable

    click.echo(printable(" ".join(text.split())), err=True)


def _progress(items: Iterator[Any], quiet: bool) -> Iterable[Any]:
    """The items, with a count on a terminal."""
    if quiet or not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return track(items, description="records", console=Console(stderr=True), transient=True)
