"""`kb search`: records by the words in them."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kb.cli._options import knowledge_options, open_knowledge

if TYPE_CHECKING:
    from kb.store.reader import Index

_SHOWN = ("id", "key", "title", "role", "trust", "severity", "repo", "errorClass", "errorMessage")
"""Fields of a record in JSON output; `kb show` has all of them."""

_RANK_DAMPING = 60
"""How little the first places count more than the next when lists are joined (the usual constant of rank fusion)."""

_POOL = 200
"""Records for each word that take part when lists are joined."""


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="TEXT...")
@knowledge_options
@click.option(
    "-n", "limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="At most so many records."
)
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(
    ctx: click.Context, words: tuple[str, ...], db: Path | None, records: tuple[Path, ...], limit: int, form: str
) -> None:
    """Search the records' text for words, best first: records with all of them, else those with any.

    One line a record: key, title, role. The exit code is 1 where nothing is found.
    """
    text = " ".join(words)
    index = open_knowledge(db, records)
    every = index.search(text, limit)
    found = every or search_any(index, text, limit)
    if form == "json":
        rows = [{name: record.get(name) for name in _SHOWN} for record in found]
        click.echo(
            json.dumps(
                {"schema_version": 1, "query": text, "words": "all" if every else "any", "records": rows}, indent=2
            )
        )
    else:
        if found and not every:
            click.echo("no record has all of these words; these have some:", err=True)
        for line in lines_of(found, _width()):
            click.echo(line)
    ctx.exit(0 if found else 1)


def search_any(index: "Index", text: str, limit: int) -> list[dict[str, Any]]:
    """The records with any of the words. Those that stand high in the lists of several words come first."""
    scores: dict[str, float] = {}
    found: dict[str, dict[str, Any]] = {}
    for word in dict.fromkeys(text.split()):
        for rank, record in enumerate(index.search(word, max(limit, _POOL))):
            scores[record["key"]] = scores.get(record["key"], 0) + 1 / (_RANK_DAMPING + rank)
            found[record["key"]] = record
    return [found[key] for key in sorted(found, key=lambda key: (-scores[key], key))[:limit]]


def lines_of(found: Sequence[dict[str, Any]], width: int | None) -> Iterator[str]:
    """One line a record, no longer than `width` columns: the title gives way first."""
    from kb.report._columns import clip, columns
    from kb.report._visible import one_line, powerless

    for record in found:
        key, role = one_line(record["key"], len(record["key"])), f"  [{record['role']}]"
        title = one_line(record["title"], len(record["title"]))
        room = width and width - columns(key) - len(role) - 2
        line = f"{key}  {clip(title, room) if room and room > 3 else title}{role}"
        yield powerless(clip(line, width) if width else line)


def _width() -> int | None:
    """Columns of the terminal; None for a pipe, where other programs cut as they like."""
    import shutil

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
