"""Prefixes that no format knows: a shape that stands before the frames of a traceback, and so hides it.

Only what it hides teaches one: frames, or known prefixes behind tags. Ordinary lines may begin alike without having a
prefix.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from kb.formats import Format

_FRAME = re.compile(r'  File "[^"\n]+", line \d|\tat [\w.$]+\(|    at \S[^\n]{0,200}:\d+\)|\t/\S+\.go:\d')
_TAGS = re.compile(r"(?:[\[<(][\w.:/ -]{1,40}[\])>] ?){1,4}")
_HIDDEN = 2
"""Frames or known prefixes that must stand behind the same shape."""
_LINES = 4
"""Lines in a row that must carry it."""
_SHAPES = 16
"""Different prefixes of one log that are taken; more are none."""
_MAX_CHARS = 120
"""Characters of the longest prefix that is looked for."""
_GUTTER = re.compile(r"[\s|│┃+E>#*-]*$")
_WRITERS = 4
"""Lines for each distinct text of the prefix, on average, from which it names a writer and is no counter or clock."""


def learn(texts: Sequence[str], ends: Sequence[int], known_end: Callable[[str], int]) -> Format | None:
    """The prefix that hides frames or other prefixes in these lines, if there is one.

    `ends` says where the known prefixes of each line end, `known_end` where those of any other text do.
    """
    rests = [text[end:] for text, end in zip(texts, ends, strict=True)]
    shapes = Counter(shape for rest in rests if rest and (shape := _shape(rest, known_end)))
    known = [shape for shape, count in shapes.items() if count >= _HIDDEN]
    if not known:
        return None
    pattern = "|".join(sorted(known, key=lambda shape: (-len(shape), shape))[:_SHAPES])
    expression = re.compile(pattern)
    carriers = [found[0] if (found := expression.match(rest)) else "" for rest in rests]
    if _longest_run(carriers, rests) < _LINES:
        return None
    named = sum(map(bool, carriers)) >= _WRITERS * len(set(carriers) - {""})
    return Format("learned", f"(?P<source>{pattern})" if named else pattern, "line", (), program=named)


def _shape(rest: str, known_end: Callable[[str], int]) -> str | None:
    """The expression for what hides a frame or a known prefix; None where nothing does."""
    head = None
    if '  File "' in rest or "\tat " in rest or "    at " in rest or ".go:" in rest:
        head = _before_frame(rest, known_end)
    elif rest[0] in "[<(" and (found := _TAGS.match(rest)) is not None:
        inner = rest[found.end() :]
        head = found[0] if inner.startswith("Traceback (most") or known_end(inner) > 0 else None
    if head is None or _GUTTER.match(head) or not re.search(r"[\d\[(<]", head):
        return None
    return re.sub(r"(?:\\?\d)+", r"\\d+", re.escape(head.rstrip())) + r"(?: |$)" * (head != head.rstrip())


def _before_frame(rest: str, known_end: Callable[[str], int]) -> str | None:
    """What stands before a frame, without the known prefixes in between."""
    found = _FRAME.search(rest, 1, _MAX_CHARS + 400)
    if found is None or found.start() > _MAX_CHARS:
        return None
    head = rest[: found.start()]
    cuts = [gap.end() for gap in re.finditer(r"\s", head) if known_end(head[gap.end() :]) == len(head) - gap.end()]
    return head[: min(cuts, default=len(head))]


def _longest_run(carriers: Sequence[str], rests: Sequence[str]) -> int:
    """Lines in a row that carry a prefix; empty ones do not count."""
    longest = run = 0
    for carrier, rest in zip(carriers, rests, strict=True):
        if rest:
            run = run + 1 if carrier else 0
        longest = max(longest, run)
    return longest
