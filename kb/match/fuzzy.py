"""Tier: the message is much like the record's (rapidfuzz). Only for errors that nothing else explains."""

import re

from kb.match import Tier
from kb.match.agree import agreement
from kb.match.lookup import Lookup
from kb.match.template import applies
from kb.model.event import Event
from kb.model.match import Evidence, Known, Match
from kb.settings import FUZZY_ACCEPT, FUZZY_CANDIDATES, FUZZY_COVERAGE, FUZZY_MAX_CHARS
from kb.text.mask import mask

_WORD = re.compile(r"[A-Za-z_]{3,}")
_HOLES = re.compile(r"\{\w+\}")
_QUERY_WORDS = 8
_MIN_WORDS = 4
"""Messages of fewer words are equal by accident."""


def find(event: Event, lookup: Lookup) -> list[Match]:
    """The records whose message is most like this one, if any is like it enough."""
    text = mask(event.message[:FUZZY_MAX_CHARS])
    words = _WORD.findall(text)
    if len(set(words)) < _MIN_WORDS or event.plain:
        return []
    query = sorted(dict.fromkeys(words), key=lambda word: (-len(word), word))[:_QUERY_WORDS]
    near = lookup.known(lookup.index.similar(query, FUZZY_CANDIDATES))
    found = [
        match
        for known in near
        if known.message and applies(known, event) and (match := _match(event, text, {word.lower() for word in words}, known, lookup))
    ]
    return sorted(found, key=lambda match: (-match.confidence, match.key))[:2]


def _match(event: Event, text: str, words: set[str], known: Known, lookup: Lookup) -> Match | None:
    from rapidfuzz import fuzz

    wording = mask(_HOLES.sub(" ", known.message or ""))
    theirs = {word.lower() for word in _WORD.findall(wording)}
    if len(theirs) < _MIN_WORDS:
        return None
    coverage = sum(len(word) for word in theirs & words) / sum(map(len, theirs))
    if coverage < FUZZY_COVERAGE:
        return None
    score = 0.5 * coverage + 0.5 * fuzz.ratio(text[: 2 * len(wording) + 20], wording) / 100
    agreed = agreement(known, event)
    if score < FUZZY_ACCEPT or agreed.refuted or _looks_alike(text, known, lookup, score):
        return None
    evidence = Evidence("fuzzy", f"{score:.2f} like: {known.message}", event.line)
    return Match(known.record, known.key, known.role, "fuzzy", round(score * 0.8, 3), (), (evidence, *agreed.evidence), 0)


def _looks_alike(text: str, known: Known, lookup: Lookup, score: float) -> bool:
    """Whether the message is as much like a line of the record's counter-examples, which look alike and are something else."""
    from rapidfuzz import fuzz

    lines = (mask(line) for example in lookup.index.counter_examples(known.record) for line in example.splitlines())
    return any(fuzz.partial_ratio(text, line) / 100 >= score for line in lines if len(line) >= len(text) // 2)


TIER = Tier("fuzzy", 90, find, alone=True)
