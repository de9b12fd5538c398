"""Tier: the message is the record's, values apart."""

from kb.match import Tier
from kb.match.agree import Agreement, agreement
from kb.match.lookup import Lookup
from kb.model.event import Event
from kb.model.match import Evidence, Known, Match
from kb.settings import AGREEMENT, CONFIDENCE_TEMPLATE, CONFIDENCE_WHOLE, WEAK_PENALTY
from kb.text.template import Hit, Template, squeeze


def find(event: Event, lookup: Lookup) -> list[Match]:
    """Every record whose template stands in the message."""
    text = squeeze(event.message)
    found = (_match(event, text, known, lookup.template(known)) for known in lookup.near(text) if text and applies(known, event))
    return [match for match in found if match]


def applies(known: Known, event: Event) -> bool:
    """Whether a signature is meant for this kind of event: `error` signatures not for ordinary lines, `dump` ones for no log event."""
    return known.when == "any" or (known.when == "error" and not event.plain)


def _match(event: Event, text: str, known: Known, template: Template | None) -> Match | None:
    if template is None or (hit := template.find(text)) is None:
        return None
    agreed = agreement(known, event)
    whole = hit.start == 0 and hit.end == len(text)
    if agreed.refuted or (template.weak and not (agreed.frame or (agreed.cls and (whole or known.classes)))):
        return None
    evidence = (Evidence("template", known.message or "", event.line), *agreed.evidence)
    sure, literal = confidence(whole, template.weak, agreed), template.literal + agreed.near_line
    return Match(known.record, known.key, known.role, "template", sure, _captures(hit), evidence, literal)


def confidence(whole: bool, weak: bool, agreed: Agreement) -> float:
    """How sure a found template is, with what agrees beside it."""
    base = CONFIDENCE_WHOLE if whole else CONFIDENCE_TEMPLATE
    return min(base + AGREEMENT * (agreed.cls + agreed.frame) - WEAK_PENALTY * weak, 0.99)


def _captures(hit: Hit) -> tuple[tuple[str, str], ...]:
    return tuple((name, value[:200]) for name, value in hit.captures)


TIER = Tier("template", 20, find)
