"""`kb export`: record files -> foreign formats, with a report of what these cannot hold."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from kb.cli._group import PluginGroup
from kb.cli._options import PathType
from kb.errors import KbError

if TYPE_CHECKING:
    from kb.export import Export, Layout, Loss
    from kb.store.files import Fault, Stored

_TRUST = ("curated", "imported", "mined", "model")
"""Of two records with one id or key the more trusted is exported, as it is the one that an index holds."""


def _command(export: "Export") -> click.Command:
    """The subcommand of one format."""

    def run(
        names: tuple[str, ...], records: tuple[Path, ...], layout: str, output: Path | None, strict: bool, quiet: bool
    ) -> None:
        chosen = next(one for one in export.layouts if one.name == layout)
        _export(export, chosen, names, records, None if str(output) == "-" else output, strict, quiet)

    text = f"{export.summary}\n\nWithout ID or KEY all records of the folders."
    return click.Command(export.name, callback=run, params=_params(export), help=text, short_help=export.summary)


def _params(export: "Export") -> list[click.Parameter]:
    layouts = "; ".join(f"{layout.name}: {layout.summary}" for layout in export.layouts)
    return [
        click.Argument(["names"], nargs=-1, metavar="[ID|KEY]..."),
        click.Option(
            ["--records"],
            type=PathType,
            multiple=True,
            metavar="DIR",
            help="Exactly these record folders; without it the shipped and configured ones.",
        ),
        click.Option(
            ["--layout"],
            type=click.Choice([layout.name for layout in export.layouts]),
            default=export.layouts[0].name,
            show_default=True,
            help=f"{layouts}.",
        ),
        click.Option(
            ["-o", "--output"], type=PathType, metavar="OUT", help="A file, or the folder of a layout that needs one."
        ),
        click.Option(["--strict"], is_flag=True, help="Any loss makes the exit code 2."),
        click.Option(["-q", "--quiet"], is_flag=True, help="Say nothing of losses."),
    ]


command = PluginGroup(
    "kb.export",
    "EXPORT",
    _command,
    subcommand_metavar="FORMAT [ID|KEY]... [OPTIONS]",
    help="Write records in another collection's format. What the format cannot hold is told on stderr.",
)


def _export(
    export: "Export",
    layout: "Layout",
    names: Sequence[str],
    records: Sequence[Path],
    output: Path | None,
    strict: bool,
    quiet: bool,
) -> None:
    from kb.config import load_config
    from kb.store.cache import shipped_records
    from kb.store.files import read_records

    if layout.folder and output is None:
        raise click.UsageError(f"the layout {layout.name} makes several files: name a folder with -o")
    stored, losses = _settled(read_records(records or [shipped_records(), *load_config(Path.cwd()).records]))
    if names:
        stored, losses = _named(stored, names), []
    try:
        losses += _written(export, layout, stored, output)
    except OSError as error:
        raise KbError(f"cannot write {output} ({error.strerror or error})", "choose another place with -o") from None
    lost = {loss.key for loss in losses if loss.whole}
    if not quiet:
        _report(losses)
        click.echo(f"{sum(item.key not in lost for item in stored)} exported, {len(lost)} not", err=True)
    if not any(item.key not in lost for item in stored):
        raise KbError("nothing could be exported", "the lines above say why" if losses else "there are no records")
    if losses and strict:
        raise KbError("the export lost something", "without -q it is named; leave out --strict to accept it")


def _settled(found: Iterable["Stored | Fault"]) -> tuple[list["Stored"], list["Loss"]]:
    """The records by key, one for each id and key, and what was left out."""
    from kb.export import Loss
    from kb.store.files import Fault

    items = list(found)
    losses = [
        Loss(f"{item.file}:{item.line or 1}", item.sentence, whole=True) for item in items if isinstance(item, Fault)
    ]
    stored = [item for item in items if not isinstance(item, Fault)]
    ids, kept = set(), {}
    for item in sorted(stored, key=lambda one: (_TRUST.index(one.record.kb.trust), one.key, str(one.file), one.line)):
        if item.record.id in ids or item.key in kept:
            losses.append(
                Loss(f"{item.file}:{item.line}", f"has the id or key of another record ({item.key})", whole=True)
            )
        else:
            ids.add(item.record.id)
            kept[item.key] = item
    return [kept[key] for key in sorted(kept)], losses


def _named(stored: Sequence["Stored"], names: Sequence[str]) -> list["Stored"]:
    """The records of these ids, keys or unique ends of keys, each once. Raises KbError where one is unclear."""
    chosen = {}
    for name in names:
        found = [item for item in stored if name in (item.record.id, item.key)]
        found = found or [item for item in stored if item.key.endswith(f"/{name}")]
        if not found:
            raise KbError(f"no record {name}", "`kb search` finds names, and `kb lint` tells which records are faulty")
        if len(found) > 1:
            raise KbError(f"{name} fits {', '.join(item.key for item in found[:5])}", "name one of them")
        chosen[found[0].key] = found[0]
    return [chosen[key] for key in sorted(chosen)]


def _written(export: "Export", layout: "Layout", stored: Sequence["Stored"], output: Path | None) -> list["Loss"]:
    """Write everything; the losses. A file stays what it was until the new one is complete."""
    from kb.export import Loss

    losses = []
    with _stream(None if layout.folder else output) as stream:
        for piece in export.write(stored, layout):
            if isinstance(piece, Loss):
                losses.append(piece)
            elif not piece.path:
                stream.write(piece.text.encode())
            elif output:
                file = output / piece.path
                file.parent.mkdir(parents=True, exist_ok=True)
                with _stream(file) as out:
                    out.write(piece.text.encode())
    return losses


@contextmanager
def _stream(output: Path | None) -> Iterator[BinaryIO]:
    """Standard output, or a file that takes its place when all is written."""
    if output is None:
        yield sys.stdout.buffer
        return
    beside = output.with_name(f".{output.name}.{os.getpid()}.tmp")
    try:
        with beside.open("wb") as stream:
            yield stream
        beside.replace(output)
    finally:
        beside.unlink(missing_ok=True)


def _report(losses: Iterable["Loss"]) -> None:
    """Records that are missing one a line, fields with the number of records that lose them."""
    from kb.text.ansi import printable

    fields: dict[str, list[str]] = {}
    for loss in losses:
        if loss.whole:
            click.echo(printable(" ".join(f"{loss.key}: not exported: {loss.what}".split())), err=True)
        else:
            fields.setdefault(loss.what, []).append(loss.key)
    for name, keys in sorted(fields.items()):
        click.echo(f"{name}: left out of {keys[0] if len(keys) == 1 else f'{len(keys)} records'}", err=True)
