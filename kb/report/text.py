"""The report for people: short first, details below, readable without colour, eighty columns by default."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kb.model.report import Diagnosis
from kb.report import Style
from kb.report._blocks import Block
from kb.report._columns import clip, fold
from kb.report._story import story
from kb.report._visible import powerless

MIN_WIDTH = 40
"""Narrower than this nothing can be laid out; the terminal wraps then."""

LABEL_WIDTH = 9
"""Columns of a fact's label with the blank behind it."""

TAB = 4

_GUTTER = "  | "
_BOLD = "1"
_COLORS = {"ROOT CAUSE": "1;31", "SYMPTOM ONLY": "1;33", "HANG": "1;33", "CLEAN": "1;32"}
_TIGHT = ("fact", "note")


class _Text:
    name = "text"

    def render(self, diagnoses: Sequence[Diagnosis], style: Style) -> str:
        """One page for each run. Log text stands behind a gutter, and no line is a command to a CI runner."""
        return "\n".join(_page(diagnosis, style) for diagnosis in diagnoses)


RENDERER = _Text()


def _page(diagnosis: Diagnosis, style: Style) -> str:
    blocks = list(story(diagnosis, style.verbose))
    lines = list(_draw(blocks[0], style))
    for before, block in pairwise(blocks):
        if block.form != before.form or block.form not in _TIGHT:
            lines.append("")
        lines += _draw(block, style)
    return powerless("\n".join(line.expandtabs(TAB) for line in lines)) + "\n"


def _draw(block: Block, style: Style) -> Iterator[str]:
    width = max(style.width, MIN_WIDTH)
    match block.form:
        case "headline" | "look":
            yield from _sentence(block, width, style)
        case "quote":
            yield from _quote(block, width)
        case "fact":
            yield from _hanging(f"  {block.label.ljust(LABEL_WIDTH)}", block.items[0], width)
        case "known":
            yield from _heading(block.label, width, 2, style)
            yield from _indented(block.items, width, 2)
        case "rows":
            yield from _heading(block.label, width, 0, style)
            yield from (clip(f"  {item}", width) for item in block.items)
        case "note":
            yield from _indented(block.items, width, 0)
        case _:
            yield from _heading(block.label, width, 2, style)
            yield from _part(block, width)


def _heading(label: str, width: int, indent: int, style: Style) -> Iterator[str]:
    yield from (_paint(line, _BOLD, style) for line in _indented((label,), width, indent))


def _part(block: Block, width: int) -> Iterator[str]:
    """The body of a labelled part of a record."""
    match block.form:
        case "steps":
            for number, item in enumerate(block.items, start=1):
                yield from _hanging(f"    {number}. ", item, width)
        case "bullets":
            for item in block.items:
                yield from _hanging("    - ", item, width)
        case "code":
            yield from (f"    {line}".rstrip() for line in block.items)
        case _:
            yield from _indented(block.items, width, 4)


def _sentence(block: Block, width: int, style: Style) -> Iterator[str]:
    first, *rest = fold(f"{block.label}: {block.items[0]}", width - 2, whole_words=True)
    color = _COLORS.get(block.label, _BOLD)
    yield from (_paint(line, color, style) for line in (first, *(f"  {line}" for line in rest)))


def _quote(block: Block, width: int) -> Iterator[str]:
    for item in block.items:
        yield from (f"{_GUTTER}{line}".rstrip() for line in fold(item.expandtabs(TAB), width - len(_GUTTER)))
    if block.label:
        yield from _indented((f"[{block.label}]",), width, 2)


def _hanging(lead: str, text: str, width: int) -> Iterator[str]:
    """`text` behind a lead, its further lines below its first."""
    first, *rest = fold(" ".join(text.split()), width - len(lead), whole_words=True)
    yield f"{lead}{first}"
    yield from (" " * len(lead) + line for line in rest)


def _indented(items: Sequence[str], width: int, indent: int) -> Iterator[str]:
    for item in items:
        yield from (" " * indent + line for line in fold(" ".join(item.split()), width - indent, whole_words=True))


def _paint(text: str, color: str, style: Style) -> str:
    return f"\x1b[{color}m{powerless(text)}\x1b[0m" if style.color else text
