"""Tier: a regular expression of the record fits the message. RE2 only: its time is linear, whatever the expression."""

from functools import lru_cache
from typing import Any

from kb.match import Tier
from kb.match.agree import agreement
from kb.match.lookup import Lookup
from kb.match.template import applies
from kb.model.event import Event
from kb.model.match import Evidence, Known, Match
from kb.settings import AGREEMENT, CONFIDENCE_PATTERN
from kb.text.template import required_literal, squeeze


def find(event: Event, lookup: Lookup) -> list[Match]:
    """Every record whose pattern fits the message."""
    text = squeeze(event.message)
    found = (_match(event, text, known) for known in lookup.near(text) if known.pattern and applies(known, event))
    return [match for match in found if match]


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> Any:
    """The expression compiled by RE2, None when RE2 refuses it (look-around, back-references, nonsense)."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error:
        return None


def search(pattern: str, text: str) -> Any:
    """RE2's match object for the first place where a pattern fits, else None."""
    expression = compiled(pattern)
    return expression.search(text) if expression is not None else None


def _match(event: Event, squeezed: str, known: Known) -> Match | None:
    hit = search(known.pattern or "", squeezed) or search(known.pattern or "", event.message)
    if hit is None:
        return None
    agreed = agreement(known, event)
    if agreed.refuted:
        return None
    groups = hit.groupdict() or {str(number): value for number, value in enumerate(hit.groups(), 1)}
    captures = tuple((name, value[:200]) for name, value in groups.items() if value is not None)
    sure = min(CONFIDENCE_PATTERN + AGREEMENT * (agreed.cls + agreed.frame), 0.99)
    literal = len(required_literal(known.pattern or ""))
    return Match(known.record, known.key, known.role, "pattern", sure, captures,
                 (Evidence("pattern", known.pattern or "", event.line), *agreed.evidence), literal + agreed.near_line)  # fmt: skip


TIER = Tier("pattern", 30, find)
