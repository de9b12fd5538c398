"""Lines that a multiplexer broke at a fixed width: the rest stands on the next line, without the prefix."""

from collections.abc import Sequence

from kb.read.prefix import Prefix

_MIN_BROKEN = 2
"""Lines of exactly the same greatest length that show a width."""
_MIN_WIDTH = 60
"""Columns of the narrowest terminal that anybody uses."""


def unwrap(rows: list[tuple[int, str]], found: Sequence[tuple[Prefix, ...]]) -> list[tuple[int, str]]:
    """The rows with broken lines put together under their first number; `rows` itself where none is broken.

    A line is broken when it has a multiplexer's prefix and the greatest length of all lines with that prefix, and the
    next one has no prefix at all.
    """
    widths = _widths(rows, found)
    if not widths:
        return rows
    joined: list[tuple[int, str]] = []
    width: int | None = None  # of the line before, while it is broken
    for (number, text), prefixes in zip(rows, found, strict=True):
        if width is not None and not prefixes and text:
            joined[-1] = (joined[-1][0], joined[-1][1] + text)
        else:
            joined.append((number, text))
            width = widths.get(prefixes[0].format.name) if prefixes else None
        width = width if len(text) == width else None
    return joined


def _widths(rows: Sequence[tuple[int, str]], found: Sequence[tuple[Prefix, ...]]) -> dict[str, int]:
    """For each multiplexer that breaks lines, the width at which it does."""
    widths: dict[str, int] = {}
    bare_after: dict[str, list[tuple[int, bool]]] = {}
    for index, prefixes in enumerate(found):
        if prefixes and prefixes[0].format.per == "line":
            bare = index + 1 < len(found) and not found[index + 1] and bool(rows[index + 1][1])
            bare_after.setdefault(prefixes[0].format.name, []).append((len(rows[index][1]), bare))
    for name, lines in bare_after.items():
        width = max(length for length, _ in lines)
        broken = [bare for length, bare in lines if length == width]
        if width >= _MIN_WIDTH and len(broken) >= _MIN_BROKEN and all(broken):
            widths[name] = width
    return widths
