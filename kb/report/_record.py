"""What a report says of a known record."""

from collections.abc import Iterator, Mapping
from typing import Any

from kb.model.match import Match
from kb.report._blocks import Block, Form
from kb.report._visible import one_line, visible
from kb.report._words import confidence_words

TITLE_CHARS = 200
"""Of a record's title or key: both are one line by their nature."""

LINKS = 3
"""Links of a record that are worth the room."""

_GRADES = {
    "measured": "measured",
    "maintainer": "from a maintainer",
    "documented": "documented",
    "users": "reported by users",
    "general-knowledge": "general knowledge, unconfirmed",
}
_TRUST = {
    "curated": "curated",
    "imported": "imported, unconfirmed",
    "mined": "mined from source code, unconfirmed",
    "model": "written by a model, unconfirmed",
}


def title_of(match: Match, records: Mapping[str, Mapping[str, Any]]) -> str:
    """The title of a match's record on one line; the key where the record itself was not handed over."""
    return one_line(_string(records.get(match.record, {}), "title") or match.key, TITLE_CHARS)


def same_record(match: Match, records: Mapping[str, Mapping[str, Any]]) -> Block:
    """The mention of a record that stands in full further up."""
    return _known("Known error", match, records, "described above")


def whole_record(match: Match, records: Mapping[str, Mapping[str, Any]], verbose: bool) -> Iterator[Block]:
    """All that helps: what it means and what to do first, then the details and the evidence."""
    record = records.get(match.record, {})
    yield _known("Known error", match, records, confidence_words(match))
    yield from _prose("What it means", record, "documentation")
    yield from _listed("steps", _graded("What to do", record, "solutions"), _strings(record, "solutions"), detail=False)
    yield from _prose("When it appears", record, "triggerScenarios", detail=True)
    if verbose:
        yield from _prose("Where it is met", record, "commonSituations", detail=True)
    if pattern := _string(record, "tryCatchPattern"):
        label = _graded("How to handle it in code", record, "try_catch_pattern")
        yield Block("code", label, tuple(pattern.split("\n")), detail=True)
    yield from _listed("bullets", "How to prevent it", _strings(record, "preventionTips"))
    yield from _listed("bullets", "Source", _links(record))
    yield from _listed("bullets", "Why this record", _evidence(match))


def brief_record(match: Match, records: Mapping[str, Mapping[str, Any]]) -> Iterator[Block]:
    """A record that fits equally well: its meaning and its first advice."""
    record = records.get(match.record, {})
    yield _known("Fits equally well", match, records, confidence_words(match))
    yield from _prose("What it means", record, "documentation")
    yield from _listed("steps", "First thing to do", _strings(record, "solutions")[:1], detail=False)


def first_advice(match: Match, records: Mapping[str, Mapping[str, Any]]) -> str:
    """The first solution of a match's record; empty where there is none."""
    return next(iter(_strings(records.get(match.record, {}), "solutions")), "")


def _known(label: str, match: Match, records: Mapping[str, Mapping[str, Any]], words: str) -> Block:
    return Block("known", f"{label}: {title_of(match, records)}", (f"{one_line(match.key, TITLE_CHARS)}, {words}",))


def _prose(label: str, record: Mapping[str, Any], field: str, detail: bool = False) -> Iterator[Block]:
    if text := _string(record, field):
        yield Block("prose", label, tuple(filter(str.strip, text.split("\n"))), detail)


def _listed(form: Form, label: str, items: tuple[str, ...], detail: bool = True) -> Iterator[Block]:
    if items:
        yield Block(form, label, items, detail)


def _evidence(match: Match) -> tuple[str, ...]:
    found = ((one.line, one_line(one.kind, TITLE_CHARS), visible(one.detail).strip()) for one in match.evidence)
    return tuple(f"line {line}, {kind}: {detail}" for line, kind, detail in found)


def _links(record: Mapping[str, Any]) -> tuple[str, ...]:
    """The source site, what the advice is taken from, then further links; each once."""
    known = record.get("kb")
    further = _strings(known, "links") if isinstance(known, Mapping) else ()
    found = (_string(record, "githubUrl"), _string(_provenance(record, "solutions"), "source"), *further)
    return tuple(dict.fromkeys(one_line(link, len(link)) for link in found if link))[:LINKS]


def _graded(label: str, record: Mapping[str, Any], field: str) -> str:
    """A label with how well the field is founded; by the record's trust where the field itself says nothing."""
    origin = _provenance(record, field)
    grade = _GRADES.get(str(origin.get("confidence"))) or _TRUST.get(str(origin.get("by") or record.get("trust")))
    return f"{label} ({grade})" if grade else label


def _provenance(record: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    known = record.get("kb")
    fields = known.get("provenance") if isinstance(known, Mapping) else None
    origin = fields.get(field) if isinstance(fields, Mapping) else None
    return origin if isinstance(origin, Mapping) else {}


def _string(record: Mapping[str, Any], field: str) -> str:
    value = record.get(field)
    return visible(value).strip("\n").rstrip() if isinstance(value, str) else ""


def _strings(record: Mapping[str, Any], field: str) -> tuple[str, ...]:
    value = record.get(field)
    texts = [item for item in value if isinstance(item, str)] if isinstance(value, list | tuple) else []
    return tuple(filter(None, (visible(text).strip() for text in texts)))
