"""The straight line: bytes to diagnosis."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, BinaryIO

from kb.diagnose.embedded import header_event, inner_event
from kb.diagnose.fold import Group, add_header, add_inner, fold_equal
from kb.diagnose.suspect import Suspect
from kb.diagnose.verdict import diagnose
from kb.errors import KbError
from kb.match.engine import Matcher
from kb.match.lookup import Lookup
from kb.model.event import Event, Line
from kb.model.match import Known, Match
from kb.model.report import Diagnosis, Finding, Hint, Input
from kb.read import catalogue
from kb.read.fold import Folder
from kb.read.peel import Peeler
from kb.read.run import Member, members_of
from kb.read.scan import LiteralScanner, interesting
from kb.read.source import Tally, read_blocks
from kb.registry import Points, discover, entry_points, stamp
from kb.settings import WATCHDOG_LINES
from kb.store.cache import remember

if TYPE_CHECKING:
    from kb.model.snapshot import HangVerdict
    from kb.store.reader import Index


@dataclass(slots=True)
class _Seen:
    """What passes by while the files of a run stream: counts, the ranks that are mentioned, the files that could not be read."""

    tally: Tally = field(default_factory=Tally)
    ranks: set[str] = field(default_factory=set)
    watchdogs: list[Line] = field(default_factory=list)  # lines in which watchdogs may speak of a hang
    calm: dict[tuple[str | None, str], int] = field(default_factory=dict)  # (file, stream) -> its last ordinary line
    unread: list[tuple[str, str]] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=lambda: {"grammar_budget": 0})

    def watch(self, lines: Iterable[Line], speaks: Callable[[str], bool]) -> Iterator[Line]:
        """The lines unchanged; `speaks` says whether a watchdog may speak in a text."""
        for line in lines:
            if line.rank is not None:
                self.ranks.add(line.rank)
            if len(self.watchdogs) < WATCHDOG_LINES and speaks(line.text):
                self.watchdogs.append(line)
            yield line


class Pipeline:
    """Everything that is made once for an index and used for each run. Raises KbError for an index that cannot be read."""

    def __init__(self, index: "Index") -> None:
        self.index = index
        points, described = _catalogue()
        formats, traces = catalogue.formats(described, points), catalogue.traces(described, points)
        self._tiers = list(discover("kb.match", "TIER", points))
        self._lookup = Lookup(index)
        marks = [mark for each in formats for mark in each.marks] + [mark for each in traces for mark in each.marks]
        self._scanner = LiteralScanner([*marks, *described["watchdogs"], *self._lookup.literals])
        self._watchdogs, self._telling = LiteralScanner(described["watchdogs"]), LiteralScanner(described["telling"])
        self._peeler = Peeler(formats)
        self._folder = Folder(traces, self._lookup.speaks_of)

    def run(self, *paths: str) -> Diagnosis:
        """The diagnosis of one run: a log (`-` for standard input), a folder or an archive of logs, or several of these joined.

        Raises KbError where it cannot be read; of several files those that are no logs are listed in `input.unread`.
        """
        members, seen = members_of(paths), _Seen()
        events = (event for member in members for event in self._read_member(member, seen))
        return self._diagnosis(" ".join(paths), events, seen, tuple(member.name for member in members if member.name))

    def read(self, stream: BinaryIO, path: str) -> Diagnosis:
        """The diagnosis of an open stream of bytes, as a run of one file."""
        seen = _Seen()
        return self._diagnosis(path, self._events(stream, path, Member(None, _nothing), seen), seen, ())

    def why(self, diagnosis: Diagnosis, record_id: str) -> Iterator[tuple[Finding, Known, list[tuple[bool, str]]]]:
        """For each finding and each signature of a record: what is asked of the event, and whether it is there."""
        from kb.match.explain import explain

        signatures = self._lookup.known(self.index.signatures_of(record_id))
        for finding in diagnosis.findings:
            for known in signatures:
                yield finding, known, list(explain(finding.event, known, self._lookup))

    def _read_member(self, member: Member, seen: _Seen) -> Iterator[Event]:
        try:
            with member.open() as stream:
                yield from self._events(stream, member.name or "standard input", member, seen)
        except KbError as error:
            if member.name is None:
                raise
            seen.unread.append((member.name, error.message))

    def _events(self, stream: BinaryIO, path: str, member: Member, seen: _Seen) -> Iterator[Event]:
        lines = self._peeler.peel(interesting(read_blocks(stream, path, seen.tally), self._scanner), member.name)
        return self._folder.fold(seen.watch(_of_member(lines, member), self._watchdogs.finds), seen.calm, seen.skipped)

    def _diagnosis(self, path: str, events: Iterable[Event], seen: _Seen, files: tuple[str, ...]) -> Diagnosis:
        groups = fold_equal(events)
        matcher = Matcher(self._tiers, self._lookup)
        matched = {id(group): matcher.match(group.event) for group in groups}
        wrapped: dict[int, Group] = {}
        for group in list(groups):
            if (header := header_event(group.event)) is not None and (told := matcher.match(header)):
                matched[id(add_header(groups, group, header))] = told
            if (inner := inner_event(group.event, matched[id(group)])) is not None:
                wrapped[id(group)] = carried = add_inner(groups, inner)
                matched.setdefault(id(carried), matcher.match(carried.event))
        records = {match.record: self.index.record(match.record) for matches in matched.values() for match in matches}
        numbers = {id(group): number for number, group in enumerate(groups)}
        suspects = [_suspect(number, group, matched[id(group)], records, seen, numbers.get(id(wrapped.get(id(group)))))
                    for number, group in enumerate(groups)]  # fmt: skip
        outcome, tally, hang = diagnose(suspects, seen.ranks), seen.tally, self._hang(seen.watchdogs)
        verdict, hint = outcome.verdict, outcome.hint
        if hang is not None and verdict == "symptom-only" and hang.confidence != "low":
            verdict, hint = "hang", Hint(hang.summary, (*hang.divergent_ranks, *hang.missing_ranks))
        return Diagnosis(
            Input(path, tally.bytes, tally.lines, tally.truncated, files, tuple(seen.unread)),
            self.index.knowledge,
            verdict,
            outcome.roots,
            outcome.findings,
            outcome.fired,
            hint,
            outcome.ranks,
            hang,
            {"fuzzy_events": matcher.skipped, "long_lines": tally.long_lines, **seen.skipped},
            dict(sorted(records.items())),
        )

    def _hang(self, lines: Sequence[Line]) -> "HangVerdict | None":
        """What the watchdogs' lines of a run tell of a hang; None where none of them says that something stands still."""
        if not any(self._telling.finds(line.text) for line in lines):
            return None
        from kb.evidence.collective_log import notes_of
        from kb.hang import from_log

        return from_log(notes_of(lines))


def peeler() -> Peeler:
    """The peeler with all formats, for those who read lines without looking for failures."""
    points, described = _catalogue()
    return Peeler(catalogue.formats(described, points))


def _catalogue() -> tuple[Points, dict[str, list[Any]]]:
    """The entry points of other distributions, and what is to be known of formats and grammars: both remembered."""
    points: Points = remember("plugins", stamp(), entry_points)
    described: dict[str, list[Any]] = remember("catalogue", stamp("kb.formats", "kb.traces", "kb.evidence"), _describe)
    return points, described


def match_text(text: str, index: "Index") -> Diagnosis:
    """The diagnosis of a log given as text."""
    from io import BytesIO

    return Pipeline(index).read(BytesIO(text.encode("utf-8", "backslashreplace")), "<text>")


def _of_member(lines: Iterable[Line], member: Member) -> Iterator[Line]:
    """In a run of several files: what the file's name says of a line that says nothing itself, and the time of the line before."""
    if member.name is None:
        yield from lines
        return
    time: str | None = None
    for line in lines:
        time = line.time or time
        yield replace(
            line, rank=line.rank or member.rank, stream=line.stream or (f"rank{member.rank}" if member.rank else member.name), time=time
        )


def _nothing() -> Any:
    raise AssertionError("the stream is open already")


def _describe() -> dict[str, list[Any]]:
    """Formats, grammars, and the words of watchdogs; `telling` are those that say that something stands still."""
    from kb.evidence.collective_log import KINDS
    from kb.hang import TELLING

    told = {"watchdogs": [kind.mark for kind in KINDS], "telling": [kind.mark for kind in KINDS if kind.name in TELLING]}
    return {**catalogue.describe(), **told}


def _suspect(number: int, group: Group, matches: tuple[Match, ...], records: dict[str, dict[str, Any]], seen: _Seen,
             wraps: int | None) -> Suspect:  # fmt: skip
    best = records[matches[0].record] if matches else {}
    causes = tuple((best.get("kb") or {}).get("symptom_of", ()))
    went_on = seen.calm.get(group.last[:2], 0) > group.last[2]
    return Suspect(number, group, matches, str(best.get("severity") or "error"), went_on, None if wraps == number else wraps, causes)
