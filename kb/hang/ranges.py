"""Ranks in words: `0-3,5-7`."""

from collections.abc import Iterable

MAX_PARTS = 12
"""Ranges that are named; more would fill the screen."""


def order(rank: str) -> tuple[int, int, str]:
    """A key that puts numbers first, in their order."""
    return (0, int(rank), "") if rank.isascii() and rank.isdigit() and len(rank) < 10 else (1, 0, rank)


def ordered(ranks: Iterable[str]) -> tuple[str, ...]:
    """The ranks once each, in order."""
    return tuple(sorted(set(ranks), key=order))


def ranges(ranks: Iterable[str], limit: int = MAX_PARTS) -> str:
    """`0-3,5-7,pid 12`; what goes beyond the limit is counted."""
    names = ordered(ranks)
    numbers = [int(name) for name in names if order(name)[0] == 0]
    parts: list[str] = []
    start = 0
    for at, number in enumerate(numbers):
        if at + 1 == len(numbers) or numbers[at + 1] != number + 1:
            parts.append(f"{numbers[start]}-{number}" if at > start else str(number))
            start = at + 1
    parts += [name for name in names if order(name)[0]]
    more = f",… {len(parts) - limit} more" if len(parts) > limit else ""
    return ",".join(parts[:limit]) + more


def rank_words(ranks: Iterable[str]) -> str:
    """`rank 3`, `ranks 0-2`; `no rank` for none."""
    names = ordered(ranks)
    return f"{'rank' if len(names) == 1 else 'ranks'} {ranges(names)}" if names else "no rank"
