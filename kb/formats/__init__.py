"""Line prefixes: one file each, with a module-level `FORMAT` that carries its own samples.

All formats are tried as one expression, again and again, until none fits: prefixes stack. Their order is computed: a format that
fits the samples of others is generic and comes after them.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Sample:
    """A line, what remains of it without this one prefix, and what the prefix says."""

    line: str
    rest: str
    says: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of prefix.

    `pattern` is a regular expression for the whole prefix. Its named groups may be `time`, `level`, `rank`, `pid` and `source` (any
    other identity: a container, a pod, a role). `per` says who writes it: a multiplexer puts it on each `line`, a logging library on
    each `record`, whose further lines stand without it. A `shy` prefix could be ordinary text and counts only where it repeats.
    """

    name: str
    pattern: str
    per: Literal["line", "record"]
    samples: tuple[Sample, ...]
    strangers: tuple[str, ...] = ()  # lines that look alike and have no such prefix
    shy: bool = False
    marks: tuple[str, ...] = ()  # literals that call for a closer look at a line
