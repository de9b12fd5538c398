"""What reading a log gives: lines without their prefixes, and the events that they tell of."""

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["exception", "error", "crash", "exit", "build", "test", "stall"]
Relation = Literal["direct", "context", "member", "embedded"]
"""How a printed cause relates to its consequence: `raise … from`, raised while handling, a member of an exception group, quoted in
the message."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log, peeled: `text` is what the program said, the rest is what its prefixes say."""

    number: int  # 1-based in its file
    text: str
    file: str | None = None  # relative path in a run of many files
    stream: str = ""  # identity of the writer: rank, role, container, step; "" where no prefix tells
    rank: str | None = None
    level: str | None = None  # upper case, as far as known: DEBUG INFO WARNING ERROR CRITICAL
    time: str | None = None  # as printed
    pid: int | None = None
    peeled: int = 0  # characters that the prefixes took
    formats: tuple[str, ...] = ()  # names of the prefixes, outermost first
    program: str | None = None  # the container, pod or job, where a prefix names one: programs fail independently, ranks do not


@dataclass(frozen=True, slots=True)
class Frame:
    """One call of a stack."""

    file: str
    line: int | None = None
    function: str | None = None
    code: str | None = None  # the source line, where the log shows it
    runtime: bool = False  # of the interpreter, the allocator or the abort machinery


@dataclass(frozen=True, slots=True)
class Link:
    """The printed cause of an event: the message line of the causing event in the same file."""

    line: int
    relation: Relation


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, as one place of a log tells it. Line numbers are 1-based; frames run from the raise site outwards."""

    kind: Kind
    message: str
    line: int  # the line that carries the message
    span: tuple[int, int]  # first and last line
    cls: str | None = None
    language: str | None = None
    file: str | None = None
    stream: str = ""
    rank: str | None = None
    level: str | None = None
    time: str | None = None
    pid: int | None = None
    frames: tuple[Frame, ...] = ()
    exit_status: int | None = None  # a signal as a negative number
    causes: tuple[Link, ...] = ()
    complete: bool = True  # False: the log is cut, the message is missing
    plain: bool = False  # an ordinary line, an event only because a record speaks of it
    header: str = ""  # what stood before a traceback on its first line
    program: str | None = None
    quoted: bool = False  # stands indented in prose, as an example
    announced: str = ""  # the line before the event in its stream
    announced_level: str | None = None
    claimed: tuple[int, ...] = field(default=(), compare=False)  # numbers of all lines used
