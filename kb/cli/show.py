"""`kb show`: one record in full."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kb.cli._options import knowledge_options, open_knowledge
from kb.errors import KbError

if TYPE_CHECKING:
    from kb.report._blocks import Block
    from kb.store.reader import Index

_WIDTH = 80
_NEAR = 5
"""Keys that are offered in place of one that does not exist."""

_SIMILAR = 60
"""Similarity (0 to 100, rapidfuzz's WRatio) from which a key is worth offering."""

_CANDIDATES = 200
"""Records for each word of a name that is compared: enough for any project, few enough for an index of any size."""


@click.command()
@click.argument("name", metavar="ID|KEY")
@knowledge_options
@click.option(
    "-f", "--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True
)
@click.pass_context
def command(ctx: click.Context, name: str, db: Path | None, records: tuple[Path, ...], form: str) -> None:
    """Show the record with this id or key; the end of a key is enough where only one has it.

    The exit code is 1 where there is none, and 2 where the name fits several.
    """
    index = open_knowledge(db, records)
    found = find_record(index, name)
    if not found:
        near = near_keys(index, name)
        click.echo(
            f"no record {name}" + (f"; is it {' or '.join(near)}?" if near else ": `kb search` finds names"), err=True
        )
        ctx.exit(1)
    if len(found) > 1:
        for record in found:
            click.echo(record["key"], err=True)
        raise KbError(f"{name} fits {len(found)} records", "name one of them by its whole key")
    _print(found[0], form)


def find_record(index: "Index", name: str) -> list[dict[str, Any]]:
    """The one record of this id or key, else all whose keys end in it."""
    found = index.find(name)
    exact = [record for record in found if name in (record["id"], record["key"])]
    # the index compares letters without their case, and takes _ for any letter
    return exact[:1] or [record for record in found if record["key"].endswith(f"/{name}")]


def near_keys(index: "Index", name: str) -> list[str]:
    """Keys that are written much like `name`, the most similar first: of records that share a word with it."""
    from rapidfuzz import fuzz, process

    words = {word for part in name.split("/") for word in part.replace(".", "-").split("-") if word}
    keys = sorted({record["key"] for word in sorted(words) for record in index.search(word, _CANDIDATES)})
    return [key for key, _, _ in process.extract(name, keys, scorer=fuzz.WRatio, limit=_NEAR, score_cutoff=_SIMILAR)]


def _print(record: Mapping[str, Any], form: str) -> None:
    from kb.cli._record import record_blocks
    from kb.report._visible import powerless

    if form == "json":
        click.echo(json.dumps(record, indent=2))
    elif form == "markdown":
        click.echo(powerless("\n".join(markdown_lines(record_blocks(record)))))
    elif sys.stdout.isatty():
        from rich.console import Console
        from rich.text import Text

        console = Console(highlight=False, soft_wrap=True)
        for line, heading in text_lines(record_blocks(record)):
            console.print(Text(powerless(line), style="bold" if heading else ""))
    else:
        click.echo(powerless("\n".join(line for line, _ in text_lines(record_blocks(record)))))


def text_lines(blocks: Iterable["Block"]) -> Iterator[tuple[str, bool]]:
    """Lines of at most 80 columns where words allow it (code is never broken), each with whether it is a heading."""
    for block in blocks:
        if block.form == "headline":
            yield from ((line, True) for line in _folded("", block.label))
            yield block.items[0], False
        else:
            yield "", False
            yield block.label, True
            yield from ((line, False) for line in _body(block))


def _body(block: "Block") -> Iterator[str]:
    for number, item in enumerate(block.items, start=1):
        match block.form:
            case "steps":
                yield from _folded(f"  {number}. ", item)
            case "bullets":
                yield from _folded("  - ", item)
            case "code" | "quote":
                yield from (f"    {line}".rstrip() for line in item.split("\n"))
            case _:
                for line in filter(str.strip, item.split("\n")):
                    yield from _folded("  ", line)


def _folded(lead: str, text: str) -> Iterator[str]:
    """`text` behind a lead, its further lines below its first."""
    from kb.report._columns import fold

    first, *rest = fold(" ".join(text.split()), _WIDTH - len(lead), whole_words=True)
    yield f"{lead}{first}"
    yield from (" " * len(lead) + line for line in rest)


def markdown_lines(blocks: Iterable["Block"]) -> Iterator[str]:
    """The record as GitHub's Markdown, in which nothing of the record acts as markup."""
    from kb.report._escape import code, inline, pre

    for block in blocks:
        if block.form == "headline":
            yield from (f"# {inline(block.label)}", "", code(block.items[0]))
            continue
        yield from ("", f"## {inline(block.label)}", "")
        for number, item in enumerate(block.items, start=1):
            match block.form:
                case "code" | "quote":
                    yield pre(item.split("\n"))
                case "prose":
                    yield "\n\n".join(inline(part) for part in item.split("\n") if part.strip())
                case form:
                    yield f"{f'{number}.' if form == 'steps' else '-'} {inline(item)}"
