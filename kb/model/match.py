"""What the matcher compares events with, and what it answers."""

from dataclasses import dataclass
from typing import Literal

Tier = Literal["code", "template", "pattern", "condition", "frame", "fuzzy"]


@dataclass(frozen=True, slots=True)
class FrameSite:
    """A place in source code: path from the package's root, and function."""

    file: str
    function: str | None = None
    code: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """One signature of one record, as the index hands it out."""

    id: int  # of the signature, in this index only
    record: str
    key: str
    role: str  # cause | symptom | wrapper
    trust: str
    when: str  # any | error | dump
    classes: tuple[str, ...] = ()  # demanded
    message: str | None = None  # with {holes}
    pattern: str | None = None  # RE2
    frames: tuple[FrameSite, ...] = ()  # demanded where the event has frames
    exit_status: int | None = None
    error_class: str | None = None  # of the record: agreement counts, disagreement does not refute
    site: FrameSite | None = None  # of the record, likewise


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason for a match that a person can check against the log."""

    kind: str
    detail: str
    line: int


@dataclass(frozen=True, slots=True)
class Match:
    """A record that explains an event. `confidence` is the probability that it is the right record."""

    record: str
    key: str
    role: str
    tier: Tier
    confidence: float
    captures: tuple[tuple[str, str], ...] = ()
    evidence: tuple[Evidence, ...] = ()
    literal: int = 0  # characters of literal text that agreed: the more, the more specific


@dataclass(frozen=True, slots=True)
class Fired:
    """A record that matched somewhere in the run, with the lines it claims."""

    record: str
    key: str
    tier: Tier
    lines: tuple[int, ...]
    file: str | None = None
