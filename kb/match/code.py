"""Tier: the exit status of a process is the record's."""

from kb.match import Tier
from kb.match.agree import agreement
from kb.match.lookup import Lookup
from kb.model.event import Event
from kb.model.match import Evidence, Match
from kb.settings import CONFIDENCE_CODE
from kb.text.template import squeeze


def find(event: Event, lookup: Lookup) -> list[Match]:
    """Every record of this exit status; one that also names a message needs that too."""
    if event.exit_status is None:
        return []
    text, found = squeeze(event.message), []
    for known in lookup.known(lookup.index.by_exit(event.exit_status)):
        template = lookup.template(known)
        said = template is None or template.find(text) is not None
        if said and known.pattern is None and not agreement(known, event).refuted:
            evidence = Evidence("code", f"exit status {event.exit_status}", event.line)
            found.append(Match(known.record, known.key, known.role, "code", CONFIDENCE_CODE, (), (evidence,),
                               template.literal if template else 0))  # fmt: skip
    return found


TIER = Tier("code", 10, find)
