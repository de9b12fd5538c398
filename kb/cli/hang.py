"""`kb hang`: why a job hangs, from evidence on disk."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli._options import PathType, knowledge_options, open_knowledge
from kb.cli._output import wants_color, width, write

if TYPE_CHECKING:
    from kb.evidence import Row
    from kb.model.snapshot import Fact, HangVerdict, Scene

MAX_FILES = 500_000
"""Files of one call: a hundred thousand ranks with five files each."""
_HEAD = 8 * 1024 * 1024
_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00")
_FORMATS = "text, json, svg or html"


@click.command()
@click.argument("paths", nargs=-1, metavar="[FILE|DIR|-]...")
@click.option("-f", "--format", "form", default="text", metavar="NAME", help=f"{_FORMATS} (default: text).")
@click.option("-o", "--output", type=PathType, metavar="FILE", help="Write the result there instead of to standard output.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colour in text output.")
@click.option("-v", "--verbose", is_flag=True, help="Show everything, also what is usually cut.")
@knowledge_options
def command(paths: tuple[str, ...], form: str, output: Path | None, color: str, verbose: bool, db: Path | None,
            records: tuple[Path, ...]) -> None:  # fmt: skip
    """Say why a job hangs, which rank to look at and what to do next.

    FILE and DIR hold what was captured of it: dumps of py-spy, pystack, faulthandler, gdb or jstack, strace, ss, ps, /proc, flight
    records, logs; kinds are recognised by content. Exit code 0: a cause was found; 1: the evidence does not suffice; 2: trouble.
    """
    from kb.registry import load
    from kb.report import Style

    if not paths and (sys.stdin is None or sys.stdin.isatty()):
        raise click.UsageError("name dumps, logs or a folder of them: `kb hang DIR`")
    try:
        renderer = load("kb.report", "HANG_RENDERER", f"hang_{form}")
    except (LookupError, AttributeError):
        raise click.UsageError(f"no format {form!r}; there are {_FORMATS}") from None
    skipped: list[str] = []
    verdict = _verdict(_facts(paths or ("-",), skipped), skipped, db, records)
    write(renderer.render(verdict, Style(wants_color(color, output), width(output, 100, 140), verbose)), output)
    sys.exit(int(verdict.name == "insufficient_evidence"))


def _verdict(facts: Iterable["Fact"], skipped: list[str], db: Path | None, records: tuple[Path, ...]) -> "HangVerdict":
    from dataclasses import replace

    from kb.hang.assemble import assemble
    from kb.hang.verdict import judge

    every = list(facts)
    scene = assemble(every)
    verdict = judge(scene)
    ids, known = _linked(scene, verdict, db, records)
    files = len({fact.file for fact in every})
    return replace(verdict, files=files, skipped=tuple(skipped), records=ids, known=known)


def _linked(scene: "Scene", verdict: "HangVerdict", db: Path | None,
            records: tuple[Path, ...]) -> tuple[tuple[str, ...], tuple[dict[str, object], ...]]:  # fmt: skip
    from kb.hang.case import make_case
    from kb.hang.known import link

    if not scene.snapshots and not scene.notes:
        return (), ()
    return link(make_case(scene), verdict.name, open_knowledge(db, records))


def _facts(paths: Sequence[str], skipped: list[str]) -> Iterator["Fact"]:
    """The facts of all files; what cannot be read is named in `skipped`."""
    from kb.evidence._read import Reader
    from kb.registry import discover

    reader = Reader(list(discover("kb.evidence", "EVIDENCE")), _peel)
    for name, shown in _files(paths):
        data = _bytes(name, skipped)
        if data and (b"\0" not in data[:4096] or data[:1] == b"\x80" or data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"/proc/" in data[:4096]):
            yield from reader.read(data, shown)
        elif data:
            skipped.append(f"{shown}: binary data")


def _files(paths: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(path, name to show) of all files, folders in order of their names. Raises KbError for what is not there."""
    from kb.errors import KbError

    count = 0
    for path in paths:
        if path != "-" and not os.path.exists(path):  # noqa: PTH110 - one call for each of many files
            raise KbError(f"no file {path}", "name a dump, a log, or a folder of them")
        for file in _walk(path) if os.path.isdir(path) else [path]:  # noqa: PTH112
            count += 1
            if count > MAX_FILES:
                raise KbError(f"more than {MAX_FILES} files", "name a folder with less")
            yield file, os.path.relpath(file, path) if file != path else ("<stdin>" if path == "-" else path)


def _walk(folder: str) -> Iterator[str]:
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if not name.startswith("."):
                yield os.path.join(root, name)  # noqa: PTH118


def _bytes(name: str, skipped: list[str]) -> bytes:
    """The bytes of a file: all, or of a very long one its head and tail. A pipe is no file and is passed over."""
    from kb.errors import KbError

    if name == "-":
        return sys.stdin.buffer.read(2 * _HEAD)
    try:
        with open(name, "rb", buffering=0, opener=_open_quickly) as stream:
            data = stream.read(2 * _HEAD + 1)
            if len(data) > 2 * _HEAD and not data.startswith((b"\x80", *_COMPRESSED)):
                stream.seek(-_HEAD, os.SEEK_END)
                data = data[:_HEAD] + b"\n" + stream.read(_HEAD)
                skipped.append(f"{name}: longer than {2 * _HEAD >> 20} MB, only its ends were read")
            elif len(data) > 2 * _HEAD:
                data += stream.read(48 * 1024 * 1024)
    except (OSError, ValueError) as error:
        skipped.append(f"{name}: cannot be read ({error})")
        return b""
    if data.startswith(_COMPRESSED):
        try:
            return _inflated(data, name)
        except KbError as error:
            skipped.append(str(error))
            return b""
    return data


def _open_quickly(path: str, flags: int) -> int:
    """Opening a pipe must not wait for a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _inflated(data: bytes, name: str) -> bytes:
    from io import BytesIO

    from kb.read.source import Tally, read_blocks

    parts: list[bytes] = []
    size = 0
    for block in read_blocks(BytesIO(data), name, Tally()):
        parts.append(b"\n".join(block.lines))
        size += len(parts[-1])
        if size > 2 * _HEAD:
            break
    return b"\n".join(parts)


def _peel(rows: Sequence["Row"]) -> Iterator["Row"]:
    """Rows without log prefixes, by the code that reads logs."""
    from kb.evidence import Row
    from kb.evidence._read import plain_rank
    from kb.pipeline import peeler
    from kb.read.scan import RawLine

    raw = (RawLine(row.number, row.text.encode("utf-8", "backslashreplace")) for row in rows)
    for line in peeler().peel(raw):
        yield Row(line.number, line.text, plain_rank(line.rank) if line.rank is not None else None)
