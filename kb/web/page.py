"""The page of one record: rows of the index become the values that it shows."""

import json
from collections.abc import Mapping
from typing import Any

from datasette.utils import urlsafe_components
from markupsafe import Markup
from pydantic import TypeAdapter

from kb.model.record import FramePattern, Knowledge, Provenance
from kb.web.markup import external_link, prose, record_link, safe_url, tag_links, with_holes
from kb.web.shown import Kind, Origin, Recognised, RecordPage, Relation, Sample, Section, Source, SourceLine

Row = Mapping[str, Any]

_SECTIONS: tuple[tuple[str, str, Kind], ...] = (
    ("documentation", "What it means", "text"),
    ("trigger_scenarios", "When it happens", "text"),
    ("common_situations", "Common situations", "text"),
    ("solutions", "Solutions", "steps"),
    ("try_catch_pattern", "Handling it in code", "code"),
    ("example_fix", "Example fix", "code"),
    ("validation_code", "Check beforehand", "code"),
    ("type_guard", "Type guard", "code"),
    ("prevention_tips", "Prevention", "points"),
)
"""Column, heading and kind of what a record says, in the order of the page."""

_SIGNATURES = "select * from signatures where record_id = :id order by id"
_RELATED = """
select id, key, title from records
 where id in (select value from json_each(:names)) or key in (select value from json_each(:names))
"""
_TEXTS = TypeAdapter(list[str])
_FRAMES = TypeAdapter(list[FramePattern])
_WHEN = {"error": "only in error events", "dump": "only in stack dumps of hung processes"}


async def record_page(datasette: Any, database: str, request: Any) -> RecordPage | None:
    """The page of the record that a request names; None for no record, or a row that `kb build` would not write."""
    asked = {"id": urlsafe_components(request.url_vars["pks"])[0]}
    index = datasette.get_database(database)
    row = (await index.execute("select * from records where id = :id", asked)).first()
    if row is None:
        return None
    try:
        known = Knowledge.model_validate_json(row["kb"] or "{}")
        recognised = tuple(map(_recognised, (await index.execute(_SIGNATURES, asked)).rows))
        tags = tag_links(datasette, database, row["tags"] or "[]") or Markup("")
        return _page(row, known, tags, recognised, await _related(datasette, database, known))
    except ValueError:  # no JSON, or JSON of another shape: Datasette's own page shows the row as it is
        return None


async def _related(datasette: Any, database: str, known: Knowledge) -> tuple[Relation, ...]:
    names = {"Symptom of": known.symptom_of, "Supersedes": known.supersedes}
    asked = {"names": json.dumps([name for some in names.values() for name in some])}
    links = {}
    for row in (await datasette.get_database(database).execute(_RELATED, asked)).rows:
        links[row["id"]] = links[row["key"]] = record_link(datasette, database, row["id"], row["title"])
    unknown = Markup("<code>{}</code>").format
    return tuple(
        Relation(heading, tuple(links.get(name) or unknown(name) for name in some))
        for heading, some in names.items()
        if some
    )


def _page(
    row: Row, known: Knowledge, tags: Markup, recognised: tuple[Recognised, ...], related: tuple[Relation, ...]
) -> RecordPage:
    return RecordPage(
        title=row["title"],
        badges=tuple((name, row[name]) for name in ("role", "trust", "severity") if row[name]),
        message=with_holes(row["error_message"], doubled=False),
        facts=_facts(row, known, tags),
        sections=_sections(row, known),
        recognised=recognised,
        examples=tuple(Sample(one.text, one.why) for one in known.examples),
        counter_examples=tuple(Sample(one.text, one.why) for one in known.counter_examples),
        source=_source(row),
        related=related,
        links=tuple(external_link(url) for url in known.links),
        origins=tuple(_origin(field, one) for field, one in known.provenance.items()),
    )


def _facts(row: Row, known: Knowledge, tags: Markup) -> tuple[tuple[str, Markup | str], ...]:
    """What identifies the error, in few words each; what the record does not say is left out."""
    code = Markup("<code>{}</code>").format
    applies = [f"{one.package} {one.versions or ''}".strip() for one in known.applies]
    facts: list[tuple[str, Markup | str | None]] = [
        ("Class", row["error_class"] and code(row["error_class"])),
        ("Code", row["error_code"] and code(row["error_code"])),
        ("HTTP status", row["http_status"] and str(row["http_status"])),
        ("Kind", row["error_type"]),
        ("Project", row["repo"]),
        ("Applies to", Markup(", ").join(map(code, applies))),
        ("Handling", row["handling_strategy"]),
        ("Tags", tags),
        ("Key", code(row["key"])),
        ("Analysed", " at ".join(filter(None, [row["analyzed_at"], (row["analyzed_sha"] or "")[:12]]))),
    ]
    return tuple((name, value) for name, value in facts if value)


def _sections(row: Row, known: Knowledge) -> tuple[Section, ...]:
    """What the record says, without what it does not say."""
    return tuple(
        Section(name, heading, kind, parts, _by(known.provenance, name, row["trust"]))
        for name, heading, kind in _SECTIONS
        if (parts := _parts(kind, row[name]))
    )


def _parts(kind: Kind, text: str | None) -> tuple[Markup | str, ...]:
    if not text:
        return ()
    match kind:
        case "code":
            return (text.strip("\n"),)
        case "text":
            return (prose(text),)
        case "steps" | "points":
            return tuple(map(prose, _TEXTS.validate_json(text)))


def _by(provenance: Mapping[str, Provenance], name: str, trust: str) -> str:
    """Who wrote a field, where it is not what the record's own trust says."""
    head, *rest = name.split("_")
    one = provenance.get(name) or provenance.get(head + "".join(map(str.capitalize, rest)))
    if one is None or one.by == trust:
        return ""
    return "written by a model" if one.by == "model" else one.by


def _source(row: Row) -> Source | None:
    if not row["file_path"] and not row["source_code"]:
        return None
    start, raised = row["source_code_start"], row["line_number"]
    place = ":".join(str(part) for part in (row["file_path"], raised) if part)
    lines = tuple(
        SourceLine(text, start is not None and start + at == raised)
        for at, text in enumerate(_lines(row["source_code"]))
    )
    return Source(place, safe_url(row["github_url"]), start, lines)


def _lines(code: str | None) -> list[str]:
    """The lines of an excerpt as editors and GitHub count them: nothing but a line feed ends one."""
    return [line.rstrip("\r") for line in code.removesuffix("\n").split("\n")] if code else []


def _recognised(row: Row) -> Recognised:
    code = Markup("<code>{}</code>").format
    fields: list[tuple[str, Markup | str | None]] = [
        ("class", Markup(" or ").join(map(code, _TEXTS.validate_json(row["classes"])))),
        ("message", row["message"] and code(with_holes(row["message"], doubled=True))),
        ("pattern", row["pattern"] and code(row["pattern"])),
        *(("frame", _frame(frame)) for frame in _FRAMES.validate_json(row["frames"])),
        ("exit status", None if row["exit_status"] is None else str(row["exit_status"])),
        ("looked for", _WHEN.get(row["when"])),
    ]
    return Recognised(tuple((name, value) for name, value in fields if value))


def _frame(frame: FramePattern) -> Markup:
    code = Markup("<code>{}</code>").format
    parts = [code(frame.file)]
    if frame.function:
        parts.append(Markup(" in ") + code(frame.function))
    if frame.code:
        parts.append(Markup(": ") + code(frame.code))
    return Markup("").join(parts)


def _origin(field: str, one: Provenance) -> Origin:
    return Origin(field, one.by, one.confidence or "", one.rule or "", external_link(one.source or ""))
