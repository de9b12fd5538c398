"""Ranks in words: `0-3,5-7`."""

from collections.abc import Iterable

from kb.report._visible import one_line

MAX_PARTS = 12


def ranges(ranks: Iterable[str], limit: int = MAX_PARTS) -> str:
    """Numbers as ranges, other names as they are; what goes beyond the limit is counted."""
    names = set(ranks)
    numbers = sorted(int(name) for name in names if name.isascii() and name.isdigit() and len(name) < 10)
    parts: list[str] = []
    start = 0
    for at, number in enumerate(numbers):
        if at + 1 == len(numbers) or numbers[at + 1] != number + 1:
            parts.append(f"{numbers[start]}-{number}" if at > start else str(number))
            start = at + 1
    parts += sorted(one_line(name, 40) for name in names if not (name.isascii() and name.isdigit() and len(name) < 10))
    return ",".join(parts[:limit]) + (f",… {len(parts) - limit} more" if len(parts) > limit else "")
