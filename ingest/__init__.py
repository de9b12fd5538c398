"""The workshop: sources of knowledge -> records. One file a source, with a module-level `SOURCE` and its own samples.

A source reads what somebody else wrote and yields records, and a `Refusal` with its reasons for whatever it could not
take: nothing vanishes. It never reads logs, and it leaves writing to `kb ingest`. A module whose name begins with `_`
is no source; other distributions add theirs through the entry point group `faultbook.source`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb.model.record import Record


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that did not become a record, and every reason. `place` is a line, or an item of a list as `[3]`."""

    file: Path
    place: int | str | None
    faults: tuple[str, ...]

    def __str__(self) -> str:
        place = "" if self.place is None else f":{self.place}" if isinstance(self.place, int) else self.place
        return f"{self.file}{place}: {'; '.join(self.faults)}"


@dataclass(frozen=True, slots=True)
class Option:
    """A command line option of one source, such as `one-example`. A `default` that is a bool makes it a flag."""

    name: str
    summary: str
    default: bool | int | str | None = False


@dataclass(frozen=True, slots=True)
class Sample:
    """A small input: the files it consists of, the messages of the records in it, and the number of refusals."""

    files: Mapping[str, str]
    messages: tuple[str, ...]
    refused: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Source:
    """One kind of foreign knowledge.

    `read` takes a file, a folder or `-` (standard input) and the values of `options` (names with underscores). It
    raises KbError only where nothing at all can be read; whatever else is wrong it yields.
    """

    name: str
    summary: str
    read: Callable[[Path, Mapping[str, Any]], Iterator[Record | Refusal]]
    samples: tuple[Sample, ...]
    options: tuple[Option, ...] = ()
