"""The straight line: bytes to diagnosis."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

from kb.diagnose.cause import Suspect
from kb.diagnose.fold import fold_equal
from kb.diagnose.verdict import diagnose
from kb.match.engine import Matcher
from kb.match.lookup import Lookup
from kb.model.event import Line
from kb.model.report import Diagnosis, Input
from kb.read.fold import Folder
from kb.read.peel import Peeler
from kb.read.scan import LiteralScanner, interesting
from kb.read.source import Tally, open_log, read_blocks
from kb.registry import discover

if TYPE_CHECKING:
    from kb.store.reader import Index


@dataclass(slots=True)
class _Seen:
    """What passes by while lines stream: the ranks that the log mentions."""

    ranks: set[str] = field(default_factory=set)

    def watch(self, lines: Iterable[Line]) -> Iterator[Line]:
        """The lines unchanged."""
        for line in lines:
            if line.rank is not None:
                self.ranks.add(line.rank)
            yield line


class Pipeline:
    """Everything that is made once for an index and used for each log. Raises KbError for an index that cannot be read."""

    def __init__(self, index: "Index") -> None:
        self.index = index
        formats, traces, self._tiers = (list(discover(package, name)) for package, name in
                                        (("kb.formats", "FORMAT"), ("kb.traces", "TRACE"), ("kb.match", "TIER")))  # fmt: skip
        self._lookup = Lookup(index)
        marks = [mark for each in (*formats, *traces) for mark in each.marks]
        self._scanner = LiteralScanner([*marks, *self._lookup.literals])
        self._peeler = Peeler(formats)
        self._folder = Folder(traces, self._lookup.speaks_of)

    def run(self, path: str) -> Diagnosis:
        """The diagnosis of one log, `-` for standard input. Raises KbError where it cannot be read."""
        with open_log(path) as stream:
            return self.read(stream, path)

    def read(self, stream: BinaryIO, path: str) -> Diagnosis:
        """The diagnosis of an open stream of bytes."""
        tally, seen = Tally(), _Seen()
        lines = self._peeler.peel(interesting(read_blocks(stream, path, tally), self._scanner))
        groups = fold_equal(self._folder.fold(seen.watch(lines)))
        matcher = Matcher(self._tiers, self._lookup)
        matched = [matcher.match(group.event) for group in groups]
        records = {match.record: self.index.record(match.record) for matches in matched for match in matches}
        suspects = [Suspect(number, group, matches, _severity(matches, records))
                    for number, (group, matches) in enumerate(zip(groups, matched, strict=True))]  # fmt: skip
        outcome = diagnose(suspects, seen.ranks)
        return Diagnosis(
            Input(path, tally.bytes, tally.lines, tally.truncated), self.index.knowledge, outcome.verdict, outcome.roots,
            outcome.findings, outcome.fired, outcome.hint, outcome.ranks,
            {"fuzzy_events": matcher.skipped, "long_lines": tally.long_lines}, dict(sorted(records.items())),
        )  # fmt: skip


def match_text(text: str, index: "Index") -> Diagnosis:
    """The diagnosis of a log given as text."""
    from io import BytesIO

    return Pipeline(index).read(BytesIO(text.encode("utf-8", "backslashreplace")), "<text>")


def _severity(matches: tuple[Any, ...], records: dict[str, dict[str, Any]]) -> str:
    return str(records[matches[0].record].get("severity") or "error") if matches else "error"
