"""Asks the tiers in their order and settles what they say about one event."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kb.match import Tier
from kb.match.lookup import Lookup
from kb.model.event import Event
from kb.model.match import Match
from kb.settings import CONFIDENCE_LIKELY, FUZZY_BUDGET

_TIE = 0.02
"""Matches whose confidence differs by less are equally good, and both are shown."""
_SHOWN = 5
"""Matches kept of one event."""


class Matcher:
    """All tiers over one index. Counts what the fuzzy budget left out."""

    def __init__(self, tiers: Iterable[Tier], lookup: Lookup) -> None:
        self._tiers = sorted(tiers, key=lambda tier: (tier.order, tier.name))
        self._lookup = lookup
        self._budget = FUZZY_BUDGET
        self.skipped = 0

    def match(self, event: Event) -> tuple[Match, ...]:
        """The records that explain an event, best first."""
        found: dict[str, Match] = {}
        for tier in self._tiers:
            if tier.alone and (found or not self._allowed()):
                continue
            for match in tier.find(event, self._lookup):
                found[match.record] = _merged(found[match.record], match) if match.record in found else match
        return tuple(sorted(found.values(), key=_rank)[:_SHOWN])

    def _allowed(self) -> bool:
        if self._budget:
            self._budget -= 1
            return True
        self.skipped += 1
        return False


def equally_good(matches: Sequence[Match]) -> tuple[Match, ...]:
    """The best match and those that are as good: as sure, and as specific in their literal text."""
    return tuple(m for m in matches if matches[0].confidence - m.confidence < _TIE and m.literal >= matches[0].literal - 1)


def _merged(first: Match, second: Match) -> Match:
    """Two tellings of one record: the surer one, with the evidence of both."""
    best = max(first, second, key=lambda match: (match.confidence, match.literal))
    evidence = tuple(dict.fromkeys((*best.evidence, *first.evidence, *second.evidence)))
    return replace(best, evidence=evidence, literal=max(first.literal, second.literal))


def _rank(match: Match) -> tuple[bool, bool, float, int, int, str]:
    """Likely before possible, what names an error before what wraps it, then the surer, then the longer literal text."""
    possible, wraps = match.confidence < CONFIDENCE_LIKELY, match.role == "wrapper"
    role = ("cause", "symptom", "wrapper").index(match.role)
    return possible, wraps, -round(match.confidence / _TIE), role, -match.literal, match.key
