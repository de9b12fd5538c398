"""One file of evidence: its bytes become facts. Pure: who opens files hands the bytes in."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from kb.evidence import Evidence, Page, Row
from kb.model.snapshot import Fact, Known, Stack, Traced
from kb.text.ansi import clean

MAX_BYTES = 16 * 1024 * 1024
"""Bytes of one file that are read closely: of a longer one (a log) the first and the last half of this."""

_QUOTE = re.compile(r"[ \t]*(?:[>|] ?)*[ \t]*")
_HEADINGS = (
    (re.compile(r"=+ *PID (\d{1,10})", re.IGNORECASE), "pid"),
    (re.compile(r"(?:=+|-+|#+) *rank[ :=]*(\d{1,7})\b", re.IGNORECASE), "rank"),
    (re.compile(r"Rank (\d{1,7})(?::| \()"), "rank"),
    (re.compile(r"Dumping (\d{1,10}) ->"), "pid"),
)
_VARIES = re.compile(rb"^(Process|Thread|Current thread|Parent Process) (0x[0-9A-Fa-f]+|[0-9]+)", re.MULTILINE)
_RANK_IN_NAME = re.compile(r"(?:^|[^a-z])(?:rank|worker|proc|node_rank|tp|dp|pp|ep|r)[_=-]?(\d{1,7})(?!\d)", re.IGNORECASE)
_TRAILING = re.compile(r"(\d{1,7})(?:\.\D*)?$")
_RANK_IN_TITLE = re.compile(r"(?:^|[_\s:-])(?:TP|DP|PP|EP|rank|worker_?)[ _=]?(\d{1,6})\b|--(?:local[-_])?rank[= ](\d{1,7})\b")
_ATTEMPT = re.compile(r"attempt_\d+/(\d{1,7})/")
_ROLE = re.compile(r"(?:TP|DP|PP|EP|rank|worker)[_ -]?(\d{1,7})", re.IGNORECASE)
_SAMPLE = re.compile(r"(?:^|[._-])(?:t|sample)[_-]?(\d+)(?=[._-]|$)")
_PREFIXED = re.compile(r"\s*(?:[\[(]|\d|[EWIF]\d{4} |[\w.-]+ *\| )")


@dataclass(slots=True)
class Reader:
    """Reads files with one set of kinds. Equal dumps are parsed once, whatever their ids; nothing else is kept between files."""

    kinds: Sequence[Evidence]
    peel: Callable[[Sequence[Row]], Iterable[Row]] = lambda rows: rows
    _seen: dict[tuple[bytes, ...], tuple[list[bytes], list[Stack]]] = field(default_factory=dict)
    _starts: re.Pattern[str] | None = None
    _ordered: list[tuple[re.Pattern[str], Evidence]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._ordered = [(re.compile(kind.starts), kind) for kind in sorted(self.kinds, key=lambda kind: (kind.order, kind.name))]
        self._starts = re.compile("|".join(f"(?:{kind.starts})" for _, kind in self._ordered))

    def read(self, data: bytes, file: str) -> list[Fact]:
        """The facts of a file, each with the rank that it, a heading or the file's name gives. Never raises."""
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            data = data.decode("utf-16", "replace").encode("utf-8", "backslashreplace")
        for kind in self.kinds:
            if kind.magic and kind.decode and data.startswith(kind.magic):
                return [_placed(fact, _Heading(file)) for fact in kind.decode(data, file)]
        varying = _VARIES.findall(data) if len(data) < MAX_BYTES else []
        if not varying:
            return self._parse(data, file)
        ids = [number for _, number in varying]
        key = tuple(_VARIES.split(data)[::3])
        known = self._seen.get(key)
        if known is None or not _alike(known[0], ids):
            facts = self._parse(data, file)
            stacks = [fact for fact in facts if isinstance(fact, Stack)]
            if known is None and len(stacks) == len(facts):
                self._seen[key] = (ids, stacks)
            return facts
        return [*_renumbered(known[1], known[0], ids, file)]

    def _parse(self, data: bytes, file: str) -> list[Fact]:
        rows = list(_rows(data))
        heading = _Heading(file)
        facts, left = self._scan(Page(file, rows), heading)
        if any(_PREFIXED.match(row.text) for row in left):
            seen = {(type(fact), fact.line) for fact in facts}
            for rows in _writers(self.peel(left)):
                more, _ = self._scan(Page(file, rows), _Heading(file))
                facts += [fact for fact in more if (type(fact), fact.line) not in seen]
        return facts

    def _scan(self, page: Page, heading: "_Heading") -> tuple[list[Fact], list[Row]]:
        """All facts of a page, and the rows that belong to none."""
        assert self._starts is not None
        facts: list[Fact] = []
        left: list[Row] = []
        while row := page.row:
            quote = _QUOTE.match(row.text)
            indent = quote[0] if quote else ""
            bare = row.text[len(indent) :]
            if not bare or not self._starts.match(bare):
                heading.see(bare)
                left.append(page.take())
                continue
            page.block(indent)
            found, at = self._piece(page, bare), page.at
            page.block("")
            if not found:
                heading.see(bare)
                left.append(page.take())
                continue
            facts += [_placed(fact, heading if row.rank is None else _Heading(page.file, row.rank, heading.pid, "log")) for fact in found]
            assert page.at == at
        return facts, left

    def _piece(self, page: Page, bare: str) -> list[Fact]:
        """The facts of the piece that begins here; where no kind finds any, the page stands where it stood."""
        start = page.at
        for starts, kind in self._ordered:
            if starts.match(bare):
                if found := kind.parse(page):
                    if page.at == start:
                        page.skip(1)
                    return found
                page.at = start
        return []


@dataclass(slots=True)
class _Heading:
    """What the headings passed so far and the file's name say about whose evidence follows."""

    file: str
    rank: str | None = None
    pid: int | None = None
    by: Known = "heading"

    def see(self, text: str) -> None:
        """Take notice of a line that is no evidence itself."""
        for pattern, what in _HEADINGS:
            if found := pattern.match(text):
                self.rank, self.pid = (found[1], None) if what == "rank" else (None, int(found[1]))


def _writers(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The rows of each rank by itself, as several ranks write into one log at once."""
    found: dict[str | None, list[Row]] = {}
    for row in rows:
        found.setdefault(row.rank, []).append(row)
    yield from found.values()


def plain_rank(name: str) -> str:
    """A writer's rank as a number where its name holds one: `TP2` is 2."""
    found = _ROLE.fullmatch(name)
    return found[1] if found else name


def rank_of_title(title: str) -> str | None:
    """The rank in a command line or process title."""
    found = _RANK_IN_TITLE.search(title)
    return (found[1] or found[2]) if found else None


def rank_of_name(file: str, pid: int | None = None) -> str | None:
    """The rank in a file's name: a number behind `rank` and the like, else the last number unless it is the process's own."""
    for part in reversed(file.replace("\\", "/").split("/")[-3:]):
        if named := list(_RANK_IN_NAME.finditer(part)):
            return named[-1][1].lstrip("0") or "0"
    if found := _ATTEMPT.search(file):  # torchrun's log folders: attempt_0/3/stderr.log
        return found[1].lstrip("0") or "0"
    name = file.rsplit("/", 1)[-1]
    trailing = _TRAILING.search(name) if re.search(r"rank|(?<!s)trace", name) else None
    return (trailing[1].lstrip("0") or "0") if trailing and trailing[1] != str(pid) else None


def _placed(fact: Fact, heading: _Heading) -> Fact:
    """The fact with its rank, unless it said it itself: by title, heading, file name."""
    changes: dict[str, object] = {}
    pid = getattr(fact, "pid", None)
    if isinstance(fact, Stack):
        pid = fact.pid if fact.pid is not None else heading.pid
        sample = _SAMPLE.search(fact.file.rsplit("/", 1)[-1])
        changes = {"pid": pid, "sample": sample[1] if sample else ""}
    elif isinstance(fact, Traced) and fact.pid is None and heading.pid is not None:
        changes = {"pid": heading.pid}
    if fact.rank is None:
        changes |= _rank(fact, heading, pid)
    return replace(fact, **changes) if changes else fact  # type: ignore[arg-type]


def _rank(fact: Fact, heading: _Heading, pid: int | None) -> dict[str, object]:
    title = rank_of_title(getattr(fact, "title", "") or "")
    by: Known
    for rank, by in ((title, "title"), (heading.rank, heading.by), (rank_of_name(fact.file, pid), "file name")):
        if rank is not None:
            return {"rank": rank, "known_by": by}
    return {}


def _alike(old: list[bytes], new: list[bytes]) -> bool:
    """Whether ids can be exchanged one for one."""
    return len(old) == len(new) and len(set(zip(old, new, strict=True))) == len(set(old)) == len(set(new))


def _renumbered(stacks: list[Stack], old: list[bytes], new: list[bytes], file: str) -> Iterator[Fact]:
    """The stacks of an equal dump with the ids and the place of this one."""
    ids = {int(a, 0): int(b, 0) for a, b in zip(old, new, strict=True)}
    for stack in stacks:
        fresh = Stack(
            stack.tool,
            file,
            stack.line,
            stack.threads,
            tuple(ids.get(tid, tid) if tid else tid for tid in stack.tids),
            ids.get(stack.pid, stack.pid) if stack.pid else None,
            stack.title,
            ids.get(stack.parent, stack.parent) if stack.parent else None,
            stack.trusted,
            stack.note,
        )
        if stack.known_by in ("title", "heading"):
            yield replace(fresh, rank=stack.rank, known_by=stack.known_by, sample=stack.sample)
        else:
            yield _placed(fresh, _Heading(file))


def _rows(data: bytes) -> Iterator[Row]:
    """The lines of a file without colours; of a very long file the first and the last ones, with their true numbers."""
    if len(data) <= MAX_BYTES:
        yield from _numbered(data, 1)
        return
    half = MAX_BYTES // 2
    head, tail = data[:half], data[-half:]
    yield from _numbered(head[: head.rfind(b"\n") + 1], 1)
    yield from _numbered(tail[tail.find(b"\n") + 1 :], data.count(b"\n", 0, len(data) - half + tail.find(b"\n") + 1) + 1)


def _numbered(data: bytes, first: int) -> Iterator[Row]:
    plain = b"\x1b" not in data and b"\r" not in data
    text = data.decode("utf-8", "backslashreplace")
    for number, line in enumerate(text.removesuffix("\n").split("\n"), first):
        yield Row(number, line if plain and "[" not in line else clean(line))
