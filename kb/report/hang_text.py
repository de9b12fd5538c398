"""A hang verdict for people: the answer first, then why, what would refute it, what to do, and who stands where."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from kb.model.snapshot import Branch, Group, HangVerdict, Proof
from kb.report import Style
from kb.report._hang_ranges import ranges
from kb.report._visible import one_line, powerless

MAX_GROUP_LINES = 60
"""Lines of groups and tree together, whatever the number of ranks."""
MAX_GROUPS = 8
FRAMES = 5
"""Frames shown of one group."""
LINE = 200
_COLORS = {"high": "1;31", "medium": "1;33", "low": "1;33"}


class _HangText:
    name = "text"

    def render(self, verdict: HangVerdict, style: Style) -> str:
        """One page."""
        return powerless("\n".join(_page(verdict, style))) + "\n"


HANG_RENDERER = _HangText()


def _page(verdict: HangVerdict, style: Style) -> Iterator[str]:
    head = f"{verdict.name}  ({verdict.confidence} confidence)"
    yield f"\x1b[{_COLORS[verdict.confidence]}m{head}\x1b[0m" if style.color else head
    yield from _wrapped(verdict.summary, style.width, "  ")
    yield ""
    yield from _facts(verdict)
    yield from _section("Why", [*map(_shown, verdict.evidence)])
    yield from _section("Against it", [*map(_shown, verdict.against)])
    yield from _section("What would refute it", verdict.refuted_by)
    yield from _section("Next", verdict.next)
    yield from _groups(verdict, style.verbose)
    yield from _records(verdict, style)
    yield from _section("Not read", verdict.skipped if style.verbose else verdict.skipped[:3])


def _facts(verdict: HangVerdict) -> Iterator[str]:
    if verdict.divergent_ranks:
        yield f"  look at  rank {ranges(verdict.divergent_ranks)}" + (
            f", {one_line(verdict.divergent_frame, LINE)}" if verdict.divergent_frame else ""
        )
    elif verdict.divergent_frame:
        yield f"  look at  {one_line(verdict.divergent_frame, LINE)}"
    if verdict.missing_ranks:
        yield f"  missing  rank {ranges(verdict.missing_ranks)}: no evidence of it here"
    known = f" ({one_line(verdict.known_by, 120)})" if verdict.known_by and verdict.ranks else ""
    yield f"  ranks    {ranges(verdict.ranks) or 'none'}{known}"
    if verdict.alternatives:
        yield f"  or       {', '.join(verdict.alternatives[:4])}"


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield title
        yield from (f"  {one_line(line, LINE * 2)}" for line in lines)


def _shown(proof: Proof) -> str:
    return f"{proof.file}:{proof.line}: {proof.detail}"


def _groups(verdict: HangVerdict, verbose: bool) -> Iterator[str]:
    """Groups and the tree; together no longer than the limit."""
    if not verdict.groups:
        return
    limit = MAX_GROUP_LINES * (20 if verbose else 1)
    lines = ["", "Ranks by call path"]
    for group in verdict.groups[: MAX_GROUPS * (20 if verbose else 1)]:
        lines += _group(group)
    if len(verdict.groups) > MAX_GROUPS and not verbose:
        lines.append(f"  … {len(verdict.groups) - MAX_GROUPS} more groups")
    if len(verdict.groups) > 1 and verdict.tree:
        everybody = sorted({rank for branch in verdict.tree for rank in branch.ranks})
        lines += ["", "Where the paths part", *_tree(verdict.tree, everybody, 1)]
    yield from lines[:limit]
    if len(lines) > limit:
        yield f"  … {len(lines) - limit} more lines (--verbose)"


def _group(group: Group) -> list[str]:
    others = f", {group.others} more threads" if group.others else ""
    lines = [f"  {ranges(group.ranks)}: {group.waits_on}{others}"]
    lines += [f"      {one_line(frame, LINE)}" for frame in group.frames[:FRAMES]]
    return lines + ([f"      … {len(group.frames) - FRAMES} more"] if len(group.frames) > FRAMES else [])


def _tree(branches: Sequence[Branch], everybody: Sequence[str], depth: int) -> Iterator[str]:
    """One line a branch: the calls, who has them and who lacks them."""
    for branch in branches:
        lacking = set(everybody) - set(branch.ranks)
        lack = f" | {ranges(lacking, 4)} lack" if lacking else ""
        yield f"{'  ' * min(depth, 12)}{_calls(branch.call)}  [{ranges(branch.ranks, 6)} have{lack}]"
        yield from _tree(branch.below, everybody, depth + 1)


def _calls(chain: str) -> str:
    calls = chain.split(" > ")
    return one_line(" > ".join(calls if len(calls) < 4 else [calls[0], "…", calls[-1]]), LINE)


def _records(verdict: HangVerdict, style: Style) -> Iterator[str]:
    if not verdict.known:
        return
    yield ""
    yield "Known"
    for record_id, record in zip(verdict.records, verdict.known, strict=True):
        yield f"  {one_line(str(record.get('title') or record.get('errorMessage') or ''), LINE)}"
        yield f"    {record.get('key', '')} ({record_id})"
        solutions = record.get("solutions")
        for solution in (solutions if isinstance(solutions, list) else [])[: 9 if style.verbose else 3]:
            yield from _wrapped(f"- {one_line(str(solution), 600)}", style.width, "    ")


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    return wrap(one_line(text, 2000), max(width, 40), initial_indent=indent, subsequent_indent=f"{indent}  ")
