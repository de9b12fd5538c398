"""What evidence of a hang says: facts as the tools print them, and one `Snapshot` per process made of them.

A fact names its place (`file`, `line`), so that every verdict can be checked. `rank` is what the fact itself, a heading above it or the
file's name says, `known_by` which of these; both are filled in by the reader.
"""

from dataclasses import dataclass
from typing import Literal

Gil = Literal["holds", "waits"]
Known = Literal["", "title", "environ", "arguments", "heading", "log", "record", "file name", "order"]


@dataclass(frozen=True, slots=True)
class Call:
    """One frame of a stack. `values` are arguments and locals as printed, where the tool was asked for them."""

    function: str
    file: str
    line: int | None = None
    native: bool = False
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Thread:
    """One thread of one dump, innermost frame first. Equal threads of equal dumps are one object, so ids stand in `Stack.tids`."""

    name: str | None
    state: str | None  # idle | active, as far as the tool says
    gil: Gil | None
    frames: tuple[Call, ...]
    at: int  # line of its heading, counted from the stack's own
    cut: bool = False  # the innermost frames are there, the outer ones not
    locks: tuple[tuple[str, str], ...] = ()  # (waits | holds, address)


@dataclass(frozen=True, slots=True)
class Stack:
    """One dump of one process by one tool."""

    tool: str
    file: str
    line: int
    threads: tuple[Thread, ...]
    tids: tuple[int | None, ...]
    pid: int | None = None
    title: str = ""
    parent: int | None = None
    trusted: bool = True  # whether the tool could see which threads run
    note: str = ""  # "timed out" and the like
    rank: str | None = None
    known_by: Known = ""
    sample: str = ""  # which of several captures, as the file's name says


@dataclass(frozen=True, slots=True)
class Task:
    """What /proc or ps says about one thread, or about a process where `tid` is None. `kernel` has its innermost function first."""

    pid: int | None
    tid: int | None
    file: str
    line: int
    state: str | None = None  # R S D T t Z X
    wchan: str | None = None
    syscall: str | None = None
    args: tuple[str, ...] = ()
    kernel: tuple[str, ...] = ()
    comm: str | None = None
    parent: int | None = None
    tracer: int | None = None
    inner: int | None = None  # its id inside a container
    world: int | None = None
    title: str = ""
    rank: str | None = None
    known_by: Known = ""


@dataclass(frozen=True, slots=True)
class Traced:
    """The last system call of a thread, as strace saw it. `spins` counts waits of 5 ms for the interpreter lock that timed out."""

    pid: int | None
    tid: int | None
    call: str
    args: str
    file: str
    line: int
    pending: bool
    spins: int = 0
    calls: int = 1
    polled: str = ""  # a path that was looked for in vain
    joined: int | None = None  # workers that a TCPStore counts
    rank: str | None = None
    known_by: Known = ""


@dataclass(frozen=True, slots=True)
class Socket:
    """One line of ss. Times are in milliseconds, queues in bytes."""

    state: str
    received: int
    unsent: int
    local: str
    peer: str
    pids: tuple[int, ...]
    file: str
    line: int
    detailed: bool = False
    backoff: int = 0
    unacked: int = 0
    last_received: int | None = None
    rank: str | None = None
    known_by: Known = ""


@dataclass(frozen=True, slots=True)
class Work:
    """One operation of a flight recorder: `number` counts the operations of its group."""

    group: str
    number: int
    op: str
    sizes: str
    types: str
    state: str
    frames: tuple[Call, ...] = ()
    p2p: bool = False


@dataclass(frozen=True, slots=True)
class Flight:
    """The flight recorder of one rank. `groups` are the ranks of each process group."""

    file: str
    line: int
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    works: tuple[Work, ...]
    rank: str | None = None
    known_by: Known = ""


@dataclass(frozen=True, slots=True)
class Note:
    """One telling line of a log. `enqueued` and `completed` count operations, -1 for none yet."""

    kind: str
    text: str
    file: str
    line: int
    group: str = ""
    number: int | None = None
    op: str | None = None
    size: str | None = None
    enqueued: int | None = None
    completed: int | None = None
    missing: tuple[str, ...] = ()
    world: int | None = None
    rank: str | None = None
    known_by: Known = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A tool's own complaint: why there is no dump."""

    kind: str
    text: str
    file: str
    line: int
    pid: int | None = None
    rank: str | None = None
    known_by: Known = ""


Fact = Stack | Task | Traced | Socket | Flight | Note | Trouble


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything known about one process. `rank` is its number in the job, or `pid N` where it has none."""

    rank: str
    known_by: Known
    pid: int | None
    stacks: tuple[Stack, ...] = ()
    tasks: tuple[Task, ...] = ()
    traced: tuple[Traced, ...] = ()
    notes: tuple[Note, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    flight: Flight | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """All processes of one job, ordered by rank, and what belongs to none of them. `missing` are ranks that should be there."""

    snapshots: tuple[Snapshot, ...]
    sockets: tuple[Socket, ...] = ()
    notes: tuple[Note, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    world: int | None = None
    missing: tuple[str, ...] = ()
    tasks: tuple[Task, ...] = ()  # of processes that nobody dumped


@dataclass(frozen=True, slots=True)
class Proof:
    """One line of evidence."""

    detail: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Group:
    """Ranks that stand at the same place: equal call paths of all threads that matter."""

    ranks: tuple[str, ...]
    frames: tuple[str, ...]  # of the telling thread, innermost first
    waits_on: str
    others: int = 0  # further threads that matter


@dataclass(frozen=True, slots=True)
class Branch:
    """A call of the prefix tree over all groups, outermost first: who has it, and what follows."""

    call: str
    ranks: tuple[str, ...]
    below: tuple["Branch", ...] = ()


@dataclass(frozen=True, slots=True)
class HangVerdict:
    """The answer. `name` is a class of the decision table or `insufficient_evidence`; `records` are ids, `known` the records."""

    name: str
    confidence: Literal["high", "medium", "low"]
    summary: str
    ranks: tuple[str, ...]
    missing_ranks: tuple[str, ...] = ()
    divergent_ranks: tuple[str, ...] = ()
    divergent_frame: str | None = None
    groups: tuple[Group, ...] = ()
    tree: tuple[Branch, ...] = ()
    evidence: tuple[Proof, ...] = ()
    against: tuple[Proof, ...] = ()
    refuted_by: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    known_by: str = ""
    files: int = 0
    skipped: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    known: tuple[dict[str, object], ...] = ()
