"""Line prefixes: one file each, with a module-level `FORMAT` that carries its own samples.

Prefixes stack: the formats are asked again and again until none fits. A format is asked only on lines that begin as one
of its samples does, and its expression is compiled when the first such line comes. Their order is computed: a format
that fits the samples of others is generic and comes after them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Sample:
    """A line, what remains of it without this one prefix (several lines when decoded), and what the prefix says."""

    line: str
    rest: str
    says: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Decoded:
    """What an encoded line holds: the lines of its text, what its fields say, and whether the next such line continues
    the last one.
    """

    texts: tuple[str, ...]
    says: tuple[tuple[str, str], ...] = ()
    more: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of prefix.

    `pattern` is a regular expression for the whole prefix, without references to its groups. Its named groups may be
    `time`, `level`, `rank`, `pid`, `source` (any other identity: a container, a pod, a role), and `more`, present where
    the line is only a part that the next line of the same writer continues. `per` says who writes it: a multiplexer
    puts it on each `line`, a logging library on each `record`, whose further lines stand without it.

    A `shy` prefix could be ordinary text and counts only where it repeats: with the same source anywhere in the log,
    or, with `run`, on so many lines in a row, none of which, nor a line `beside` them, fits that expression.

    `decode` is given what stands behind the prefix (everything, where the pattern is only a lookahead) and gives the
    text it encodes, or None when the line is no such prefix after all.
    """

    name: str
    pattern: str
    per: Literal["line", "record"]
    samples: tuple[Sample, ...]
    strangers: tuple[str, ...] = ()  # lines that look alike and have no such prefix
    shy: bool = False
    run: int = 0
    beside: str = ""
    program: bool = False  # it names a program that runs for itself (a container, a pod, a job), not a part of one
    needs: str = ""  # a literal that each such line holds: without it the expression is not asked
    decode: Callable[[str], Decoded | None] | None = None
    marks: tuple[str, ...] = ()  # literals that call for a closer look at a line
