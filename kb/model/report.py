"""The answer to one run, as every output draws it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from kb.model.event import Event
from kb.model.match import Fired, Match

if TYPE_CHECKING:
    from kb.model.snapshot import HangVerdict

Verdict = Literal["root-cause", "symptom-only", "clean", "hang"]
Role = Literal["root", "symptom", "other"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One distinct event of a run: what was printed, how often and by whom, its role and the records that explain it."""

    id: int
    role: Role
    event: Event  # the first of the equal ones
    count: int
    lines: tuple[int, ...]  # message lines of all equal events
    ranks: tuple[str, ...]
    streams: tuple[str, ...]
    cause_of: tuple[int, ...] = ()
    caused_by: tuple[int, ...] = ()
    matches: tuple[Match, ...] = ()
    reason: str = ""  # why it has its role
    rule: str = ""  # the name of the rule that gave it


@dataclass(frozen=True, slots=True)
class Hint:
    """Where to look when the log shows only consequences, or more than the root."""

    detail: str
    ranks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Input:
    """What was read."""

    path: str
    bytes: int
    lines: int
    truncated: bool = False  # the text begins or ends in the middle
    files: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()  # files of the run that are no logs, with the reason


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """The index that was asked."""

    db: str
    records: int
    generation: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The verdict on one run with everything that it rests on."""

    input: Input
    knowledge: KnowledgeBase
    verdict: Verdict
    roots: tuple[int, ...]
    findings: tuple[Finding, ...]
    fired: tuple[Fired, ...] = ()
    hint: Hint | None = None
    ranks: tuple[str, ...] = ()  # every rank that the log mentions
    hang: "HangVerdict | None" = None  # what the log's own watchdogs tell of a hang
    skipped: Mapping[str, int] = field(default_factory=dict)
    records: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # id -> record in JSON's names, plus key and title

    @property
    def known(self) -> bool:
        """Whether any record matched anywhere."""
        return bool(self.fired) or any(finding.matches for finding in self.findings)
