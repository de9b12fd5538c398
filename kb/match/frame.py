"""Tier: the error was raised where the record says, whatever its message."""

from kb.match import Tier
from kb.match.agree import agreement, find_frame
from kb.match.lookup import Lookup
from kb.match.template import applies
from kb.model.event import Event
from kb.model.match import Known, Match
from kb.settings import CONFIDENCE_FRAME, CONFIDENCE_SITE_AND_CLASS


def find(event: Event, lookup: Lookup) -> list[Match]:
    """Records raised at the innermost frame, and records whose signature consists of class and frames.

    A record that only mentions its site is a *possible* match, and only with its class: many errors have one raise site's file.
    """
    names = {frame.file.replace("\\", "/").rpartition("/")[2] for frame in event.frames}
    ids = {number for name in names for number in lookup.index.by_file(name)}
    found = (_match(event, known) for known in lookup.known(ids) if applies(known, event))
    return [match for match in found if match]


def _match(event: Event, known: Known) -> Match | None:
    agreed = agreement(known, event)
    if agreed.refuted or not agreed.frame:
        return None
    if known.frames and known.message is None and known.pattern is None:
        sure = CONFIDENCE_SITE_AND_CLASS if agreed.cls else CONFIDENCE_FRAME
    elif agreed.cls and agreed.near_line and known.site and find_frame(known.site, event.frames[:1]):
        sure = CONFIDENCE_FRAME
    else:
        return None
    return Match(known.record, known.key, known.role, "frame", sure, (), agreed.evidence, int(agreed.near_line))


TIER = Tier("frame", 40, find)
