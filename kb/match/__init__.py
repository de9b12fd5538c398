"""Matching events with known errors: one file a tier, with a module-level `TIER`, asked from the cheapest to the dearest.

A tier sees one distinct event and a `Lookup`, never the index file. It gives every match with the evidence for it; which one is best
is decided by confidence, then by how much literal text agreed.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from kb.model.event import Event
from kb.model.match import Known, Match

if TYPE_CHECKING:
    from kb.match.lookup import Lookup


class Index(Protocol):
    """What matching asks of an index."""

    def anchors(self) -> Sequence[tuple[str, int]]:
        """(literal, signature id): a signature can match only where its literal stands."""
        ...

    def unanchored(self) -> Sequence[int]:
        """Signatures with a pattern of which no literal is certain."""
        ...

    def signatures(self, ids: Iterable[int]) -> Sequence[Known]:
        """The signatures with these ids, in a fixed order."""
        ...

    def by_file(self, basename: str) -> Sequence[int]:
        """Signatures whose raise site lies in a file of this name."""
        ...

    def by_exit(self, status: int) -> Sequence[int]:
        """Signatures of this exit status; a signal is negative."""
        ...

    def similar(self, words: Sequence[str], limit: int) -> Sequence[int]:
        """Signatures whose messages share most with these words."""
        ...

    def counter_examples(self, record_id: str) -> Sequence[str]:
        """Texts that look like a record's error and are something else."""
        ...


@dataclass(frozen=True, slots=True)
class Tier:
    """One way to find the record of an event. `alone` tiers are asked only while nothing else matched."""

    name: str
    order: int
    find: Callable[[Event, "Lookup"], list[Match]]
    alone: bool = False
