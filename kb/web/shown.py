"""What the page of a record shows, as values: the template lays them out, `kb.web.page` makes them of rows."""

from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

Kind = Literal["text", "code", "steps", "points"]


@dataclass(frozen=True, slots=True)
class Section:
    """One thing that a record says. `origin` says who wrote it where that differs from the record's own trust."""

    name: str
    heading: str
    kind: Kind
    parts: tuple[Markup | str, ...]
    origin: str


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of the source window."""

    text: str
    raised: bool


@dataclass(frozen=True, slots=True)
class Source:
    """Where the error is raised. `start` is the number of the first of `lines`, where the record tells it."""

    place: str
    permalink: str | None
    start: int | None
    lines: tuple[SourceLine, ...]


@dataclass(frozen=True, slots=True)
class Recognised:
    """One signature: (what, value) for every field that must agree."""

    fields: tuple[tuple[str, Markup | str], ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """Log text in which the record must be found, or must not be."""

    text: str
    why: str | None


@dataclass(frozen=True, slots=True)
class Relation:
    """Records that this one names: links where the index has them, else their names."""

    heading: str
    records: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where one field comes from."""

    field: str
    by: str
    grade: str
    rule: str
    source: Markup


@dataclass(frozen=True, slots=True)
class RecordPage:
    """Everything that the page of a record shows."""

    title: str
    badges: tuple[tuple[str, str], ...]
    message: Markup
    facts: tuple[tuple[str, Markup | str], ...]
    sections: tuple[Section, ...]
    recognised: tuple[Recognised, ...]
    examples: tuple[Sample, ...]
    counter_examples: tuple[Sample, ...]
    source: Source | None
    related: tuple[Relation, ...]
    links: tuple[Markup, ...]
    origins: tuple[Origin, ...]
