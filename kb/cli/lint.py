"""`kb lint`: every fault of every record, with its place."""

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli._options import PathType

if TYPE_CHECKING:
    from kb.pipeline import Pipeline
    from kb.store.files import Fault, Stored


@click.command()
@click.argument("paths", nargs=-1, type=PathType, metavar="[PATH]...")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="Lines, one document, or annotations for GitHub Actions.",
)
@click.option("-q", "--quiet", is_flag=True, help="No summary.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[Path, ...], form: str, quiet: bool) -> None:
    """Tell every fault of the records in files and folders (default: the shipped and configured ones).

    The exit code is 0 where there is none, 1 where there are faults, 2 for trouble such as a missing path.
    """
    from kb.config import load_config
    from kb.store.cache import shipped_records
    from kb.store.files import record_files
    from kb.store.lint import in_order, lint_files

    usual = [shipped_records(), *load_config(Path.cwd()).records]
    files = _once(record_files(paths or usual))
    # only whole folders can say that a record does not exist
    known = _names(usual if paths else ()) if all(path.is_dir() for path in paths or usual) else None
    linted = lint_files(files, known)
    faults = in_order({*linted.faults, *check_examples(linted.stored)})
    for line in _DRAW[form](faults):
        click.echo(line)
    if not quiet:
        click.echo(
            f"{len(faults)} fault{'s' * (len(faults) != 1)} in {linted.count} record{'s' * (linted.count != 1)}",
            err=True,
        )
    ctx.exit(1 if faults else 0)


def check_examples(stored: Sequence["Stored"]) -> Iterator["Fault"]:
    """Curated records that the real matcher does not find in their examples, or finds in their counter-examples.

    Records of stack dumps are not asked: no log shows them.
    """
    from kb.pipeline import Pipeline
    from kb.store.build import build_index
    from kb.store.reader import Index

    curated = [item for item in stored if item.record.kb.trust == "curated" and not item.record.only_in_dumps]
    if not curated:
        return
    with tempfile.TemporaryDirectory(prefix="kb-lint-") as name:
        folder = Path(name)
        _copy(curated, folder / "curated")
        index = Index(build_index([folder / "curated"], folder / "kb.db").path)
        pipeline = Pipeline(index)
        for item in curated:
            yield from _example_faults(item, pipeline)
        index.close()


def _example_faults(item: "Stored", pipeline: "Pipeline") -> Iterator["Fault"]:
    from io import BytesIO

    from kb.errors import KbError
    from kb.store.drafts import place_of
    from kb.store.files import Fault

    known = item.record.kb
    wanted = [("examples", True, example.text) for example in known.examples]
    wanted += [("counter_examples", False, example.text) for example in known.counter_examples]
    for at, (field, expected, text) in enumerate(wanted):
        number = at if expected else at - len(known.examples)
        try:
            said = pipeline.read(BytesIO(text.encode()), "<example>")
            found = {fired.record for fired in said.fired} | {
                match.record for one in said.findings for match in one.matches
            }
            wrong = (item.record.id in found) != expected
            sentence = (
                "is not found by the record's signatures"
                if expected
                else "is found by the record's signatures and must not be"
            )
        except KbError as error:
            wrong, sentence = True, f"cannot be read as a log: {error.message}"
        if wrong:
            path = ("kb", field, number, "text")
            yield Fault(
                item.file, place_of(item, path), f"kb.{field}.{number}.text {sentence}: mend the signatures or the text"
            )


def _copy(curated: Sequence["Stored"], folder: Path) -> None:
    """The curated records alone below a folder, under their keys: what else lies beside them may be large."""
    from kb.store.files import write_jsonl

    for item in curated:
        if item.file.suffix == ".toml":
            file = folder / f"{item.key}.toml"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(item.file.read_bytes())
    write_jsonl(folder / "lines.jsonl", [item.record for item in curated if item.file.suffix != ".toml"])


def _once(files: Iterable[tuple[Path, Path]]) -> list[tuple[Path, Path]]:
    """The files without those that were named before, so that overlapping folders make no duplicates."""
    found: dict[Path, tuple[Path, Path]] = {}
    for folder, file in files:
        found.setdefault(file.resolve(), (folder, file))
    return list(found.values())


def _names(folders: Iterable[Path]) -> set[str]:
    """Ids and keys of the records that others may refer to."""
    from kb.store.files import Fault, read_records

    return {
        name for item in read_records(folders) if not isinstance(item, Fault) for name in (item.record.id, item.key)
    }


def _text(faults: Sequence["Fault"]) -> Iterator[str]:
    yield from (_one_line(str(fault)) for fault in faults)


def _json(faults: Sequence["Fault"]) -> Iterator[str]:
    rows = [{"file": str(fault.file), "line": fault.line, "sentence": fault.sentence} for fault in faults]
    yield json.dumps({"schema_version": 1, "faults": rows}, indent=2)


def _github(faults: Sequence["Fault"]) -> Iterator[str]:
    """Annotations; their properties and messages have escapes of their own."""
    for fault in faults:
        file = _escaped(str(fault.file)).replace(":", "%3A").replace(",", "%2C")
        yield f"::error file={file},line={fault.line or 1}::{_escaped(_one_line(fault.sentence))}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _one_line(text: str) -> str:
    from kb.text.ansi import printable

    return printable(" ".join(text.split()))


_DRAW = {"text": _text, "json": _json, "github": _github}
