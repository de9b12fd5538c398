"""Who wrote a line, and how loud: what all the prefixes of a line say together."""

import re
from dataclasses import dataclass

from kb.model.event import Line
from kb.read.prefix import Prefix

_WRITERS = 4096
"""Different writers that are remembered; rank, pod and pid seldom make more."""
_LEVELS = {
    "DEBUG": "D V DBG TRACE TRC FINE DEBUG1 DEBUG2",
    "INFO": "I INF INFORMATION NOTICE NOTE LOG",
    "WARNING": "W WARN WRN",
    "ERROR": "E ERR SEVERE FAIL",
    "CRITICAL": "F FATAL FTL CRIT ALERT EMERG PANIC DPANIC",
}
_LEVEL = {short: full for full, names in _LEVELS.items() for short in names.split()}
_GROUPS = re.compile(r"(?<![A-Za-z])(?:DP|TP|PP|EP|CP)\d+")
_RANK = re.compile(r"rank[=_ ]?(\d+)", re.IGNORECASE)
_TRACEBACK = "Traceback (most recent call last):"
_NEAR = 3
"""Lines below a record within which a traceback without a prefix belongs to it."""
_OPENS = re.compile(r"(?:Traceback \(most recent call last\)|[:({\[])\s*$")


@dataclass(frozen=True, slots=True)
class Row:
    """A text with the prefixes that were taken off it so far."""

    number: int
    text: str
    found: tuple[Prefix, ...] = ()
    peeled: int = 0
    later: bool = False  # not the first of the lines that one raw line holds


@dataclass(frozen=True, slots=True)
class _Writer:
    """What the prefixes of a line say of who wrote it."""

    formats: tuple[str, ...]
    stream: str
    outer: str  # the part of `stream` that stands on each line
    rank: str | None
    pid: int | None
    record: bool  # a prefix says that a record begins here
    program: str | None = None


class Lines:
    """Makes lines of rows. Writers speak again and again, so what their prefixes say together is worked out once."""

    def __init__(self, file: str | None) -> None:
        self._file = file
        self._known: dict[tuple[object, ...], _Writer] = {}
        self._last: dict[str, Line] = {}  # the last record of each outer stream
        self._open: dict[str, Line] = {}  # for each outer stream the record whose further lines come without its prefix

    def line(self, row: Row) -> Line:
        """One peeled line."""
        if not row.found and not self._open and not row.text.startswith(_TRACEBACK):
            return Line(row.number, row.text, self._file)
        writer = self._writer(row.found)
        last = None if writer.record or not row.text.startswith(_TRACEBACK) else self._last.get(writer.outer)
        if last is not None and row.number - last.number <= _NEAR:
            self._open[writer.outer] = last
        says: dict[str, str] = {}
        for prefix in row.found:
            says |= prefix.says
        level, time = None if row.later else says.get("level"), says.get("time")
        if level is not None:
            level = _LEVEL.get(level.upper(), level.upper()) or None
        stream, rank = writer.stream, writer.rank
        if not writer.record and (before := self._open.get(writer.outer)) is not None:
            stream, rank, time = before.stream, before.rank, time or before.time  # the level is the first line's own
        line = Line(row.number, row.text, self._file, stream, rank, level, time, writer.pid, row.peeled, writer.formats, writer.program)
        if writer.record:
            self._last[writer.outer] = line
        if writer.record and _OPENS.search(row.text):
            self._open[writer.outer] = line
        elif writer.record and self._open:
            self._open.pop(writer.outer, None)
        return line

    def _writer(self, found: tuple[Prefix, ...]) -> _Writer:
        key = tuple((p.format.name, p.says.get("source"), p.says.get("rank"), p.says.get("pid")) for p in found)
        if key not in self._known:
            if len(self._known) >= _WRITERS:
                self._known.clear()
            self._known[key] = _combined(found)
        return self._known[key]


def _combined(found: tuple[Prefix, ...]) -> _Writer:
    """What all prefixes say of the writer: the inner one has the last word, but torch's own rank beats a local one."""
    ranks = {p.format.name: rank for p in found if (rank := p.says.get("rank") or _rank_of(p.says.get("source", "")))}
    pids = [pid for p in found if (pid := p.says.get("pid", "")).isdecimal()]
    return _Writer(
        formats=tuple(p.format.name for p in found),
        stream="/".join(dict.fromkeys(filter(None, map(identity, found)))),
        outer="/".join(filter(None, (identity(p) for p in found if p.format.per == "line"))),
        rank=ranks.get("rank") or next((rank for name, rank in reversed(ranks.items()) if name != "default"), ranks.get("default")),
        pid=int(pids[-1]) if pids else None,
        record=any(p.format.per == "record" for p in found),
        program="/".join(filter(None, (identity(p) for p in found if p.format.program))) or None,
    )


def identity(prefix: Prefix) -> str:
    """The writer that a prefix names, empty when it names none."""
    says = prefix.says
    source = says.get("source", "").strip()
    if prefix.format.per == "line" and (pid := says.get("pid")) and pid not in source:
        source = f"{source}:{pid}" if source else f"pid {pid}"
    if not source and (rank := says.get("rank")):
        source = f"rank{rank}" if rank.isdecimal() else rank
    return source


def _rank_of(source: str) -> str | None:
    """The rank that a writer's name tells: places in parallel groups as they are printed, or a number."""
    if groups := _GROUPS.findall(source.replace("_", " ")):
        return " ".join(groups)
    found = _RANK.search(source)
    return found[1] if found else None
