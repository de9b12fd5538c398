"""The report as Markdown: a step summary of GitHub, an issue comment, an annotation of Buildkite."""

import re
from collections.abc import Iterator, Sequence
from itertools import count, groupby

from kb.model.report import Diagnosis
from kb.report import Style
from kb.report._blocks import Block
from kb.report._escape import inline, pre
from kb.report._story import story
from kb.settings import SUMMARY_BYTES

_CLOSING_BYTES = 60
"""Room for the closing tags of what is cut in the middle, and for numbers in the sentence on it."""

_CELL = re.compile(r"\s{2,}")
_CUT = "**Cut here:** {} of {} lines are shown, GitHub drops a larger summary. `kb match -f json` gives all."


class _Markdown:
    name = "markdown"

    def render(self, diagnoses: Sequence[Diagnosis], style: Style) -> str:
        """One section for each run, `SUMMARY_BYTES` bytes at most. Nothing of a log or a record acts as markup."""
        parts = [part for diagnosis in diagnoses for part in _section(diagnosis, style)]
        return cut("\n\n".join(parts) + "\n", SUMMARY_BYTES) if parts else ""


RENDERER = _Markdown()


def cut(text: str, limit: int) -> str:
    """`text`, or its first lines with a sentence on what is missing: at most `limit` bytes, no element left open.

    `limit` must leave room for the sentence.
    """
    if len(text.encode()) <= limit:
        return text
    lines = text.split("\n")
    room, kept, closing = limit - len(_CUT.encode()) - _CLOSING_BYTES, 0, ""
    for number, (line, still_open) in enumerate(zip(lines, _open_elements(lines), strict=True), start=1):
        room -= len(line.encode()) + 1
        if room < 0:
            break
        kept, closing = number, "".join(f"\n{tag}\n" for tag in still_open)
    return "\n".join([*lines[:kept], closing, _CUT.format(kept, len(lines)), ""])


def _open_elements(lines: list[str]) -> Iterator[tuple[str, ...]]:
    """For each line the closing tags of what is open behind it, innermost first. Only our own tags begin a line."""
    still_open: tuple[str, ...] = ()
    for line in lines:
        if line.startswith("<details>"):
            still_open = ("</details>", *still_open)
        elif line.startswith("<pre"):
            still_open = ("</pre>", *still_open)
        if still_open and line.endswith(still_open[0]):
            still_open = still_open[1:]
        yield still_open


def _section(diagnosis: Diagnosis, style: Style) -> Iterator[str]:
    """The parts of one report, which blank lines separate."""
    for kind, group in groupby(
        story(diagnosis, style.verbose), key=lambda block: "detail" if block.detail else block.form
    ):
        parts = [_draw(block) for block in group]
        if kind == "detail":
            yield from ("<details><summary>Details of this record</summary>", *parts, "</details>")
        elif kind == "fact":
            yield "\n".join(parts)
        else:
            yield from parts


def _draw(block: Block) -> str:
    label, items = inline(block.label), [inline(item) for item in block.items]
    match block.form:
        case "headline":
            return f"## {label.capitalize()}: {items[0]}"
        case "quote":
            return pre(block.items) + (f"\n\n*{label}*" if label else "")
        case "fact":
            return f"- {label}: {items[0]}"
        case "known":
            return f"### {label}\n\n{items[0]}"
        case "look":
            return f"> **{label}:** {items[0]}"
        case "prose":
            return "\n\n".join([f"**{label}**", *items])
        case "steps" | "bullets":
            marks = (f"{number}." if block.form == "steps" else "-" for number in count(1))
            return "\n".join([f"**{label}**", "", *map(" ".join, zip(marks, items, strict=False))])
        case "code":
            return f"**{label}**\n\n{pre(block.items, 'python')}"
        case "rows":
            listed = "\n".join(f"- {' · '.join(map(inline, _CELL.split(item.strip())))}" for item in block.items)
            return f"<details><summary>{label}</summary>\n\n{listed}\n\n</details>"
        case "note":
            return items[0]
