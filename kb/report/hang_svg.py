"""The prefix tree of a hang as a drawing: calls grow to the right, a bar's height is its share of the ranks."""

from collections.abc import Iterator, Sequence
from html import escape

from kb.model.snapshot import Branch, HangVerdict
from kb.report import Style
from kb.report._hang_ranges import ranges
from kb.report._visible import one_line

WIDTH, BAR, GAP, TOP, COLUMN = 1100, 26, 4, 76, 230
MAX_BARS = 120
"""Bars drawn; the tree of a job that differs everywhere is cut here, and says so."""
_CALM, _ODD = "#dfe7ef", "#f6c9b8"


class _HangSvg:
    name = "svg"

    def render(self, verdict: HangVerdict, style: Style) -> str:
        """One SVG document without scripts or outside references."""
        return draw(verdict) + "\n"


HANG_RENDERER = _HangSvg()


def draw(verdict: HangVerdict) -> str:
    """The drawing. Every bar has a title with its calls and ranks."""
    bars = list(_bars(verdict.tree, 0))[:MAX_BARS]
    height = TOP + max(len(bars), 1) * (BAR + GAP) + 20
    odd = set(verdict.divergent_ranks)
    rows = [_bar(number, depth, branch, odd) for number, (depth, branch) in enumerate(bars)]
    title = f"{verdict.name} ({verdict.confidence})"
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" '
        f'aria-label="{_text(title)}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="16" y="28" font-size="18" font-weight="bold" fill="#1b1f24">{_text(title)}</text>',
        f'<text x="16" y="52" fill="#3b444d">{_text(one_line(verdict.summary, 150))}</text>',
        *rows,
        "</svg>",
    ])  # fmt: skip


def _bars(branches: Sequence[Branch], depth: int) -> Iterator[tuple[int, Branch]]:
    for branch in branches:
        yield depth, branch
        yield from _bars(branch.below, depth + 1)


def _bar(number: int, depth: int, branch: Branch, odd: set[str]) -> str:
    x, y = 16 + min(depth, 3) * COLUMN // 2, TOP + number * (BAR + GAP)
    width = WIDTH - x - 16
    fill = _ODD if odd and odd >= set(branch.ranks) else _CALM
    calls = branch.call.split(" > ")
    last = calls[-1] if len(calls) == 1 else f"{calls[0]} … {calls[-1]}"
    label = f"{one_line(last, 90)}   [{ranges(branch.ranks, 6)}]"
    return (f'<g><title>{_text(one_line(branch.call, 600))} — ranks {_text(ranges(branch.ranks))}</title>'
            f'<rect x="{x}" y="{y}" width="{width}" height="{BAR}" rx="3" fill="{fill}" stroke="#9aa7b4"/>'
            f'<text x="{x + 8}" y="{y + 18}" fill="#1b1f24">{_text(label)}</text></g>')  # fmt: skip


def _text(text: str) -> str:
    return escape(one_line(text, 1000), quote=True)
