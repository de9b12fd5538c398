"""One record in full, as parts of a report: what `kb show` draws."""

from collections.abc import Iterator, Mapping
from typing import Any

from kb.report._blocks import Block, Form
from kb.report._visible import visible

_WHEN = {"error": "only error events", "dump": "only stack dumps of hung processes"}


def record_blocks(record: Mapping[str, Any]) -> Iterator[Block]:
    """A whole record, as `Index.record` gives it, in the order of a report; empty parts are left out."""
    return (block for block in _parts(record, record.get("kb") or {}) if any(map(str.strip, block.items)))


def _parts(record: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[Block]:
    yield Block("headline", _text(record["title"]), (_text(f"{record['key']}  {record['id']}"),))
    yield _block("quote", "Message", record.get("errorMessage"))
    yield Block("rows", "What it is", tuple(_facts(record, known)))
    yield _block("prose", "What it means", record.get("documentation"))
    yield _block("prose", "When it appears", record.get("triggerScenarios"))
    yield _block("prose", "Where it is met", record.get("commonSituations"))
    yield _block("steps", "What to do", *record["solutions"])
    yield _block("code", "How to handle it in code", record.get("tryCatchPattern"))
    yield _block("code", "An example of a fix", record.get("exampleFix"))
    yield _block("code", "How to check before", record.get("validationCode"))
    yield _block("code", "How to tell the type", record.get("typeGuard"))
    yield _block("bullets", "How to prevent it", *record["preventionTips"])
    yield _block("bullets", "Source", *_sources(record, known))
    yield _block("code", _source_label(record), record.get("sourceCode"))
    yield _block("bullets", "How it is recognised", *map(_signature, _signatures(record, known)))
    yield _block("bullets", "Where this comes from", *_provenance(record, known))


def _block(form: Form, label: str, *texts: Any) -> Block:
    return Block(form, label, tuple(_text(text) for text in texts if text))


def _text(value: Any) -> str:
    return visible(str(value)).strip("\n").rstrip()


def _facts(record: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[str]:
    facts = {
        "class": record.get("errorClass"),
        "code": record.get("errorCode"),
        "HTTP status": record.get("httpStatus"),
        "project": record["repo"],
        "kind": record.get("errorType"),
        "severity": record.get("severity"),
        "role": record["role"],
        "handling": record.get("handlingStrategy"),
        "tags": ", ".join(record["tags"]),
        "applies to": ", ".join(
            f"{one['package']} {one.get('versions') or ''}".strip() for one in known.get("applies", ())
        ),
        "symptom of": ", ".join(known.get("symptom_of", ())),
        "supersedes": ", ".join(known.get("supersedes", ())),
    }
    yield from (f"{name}: {_text(value)}" for name, value in facts.items() if value)


def _sources(record: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[str]:
    if file := record.get("filePath"):
        yield f"{file}:{record['lineNumber']}" if record.get("lineNumber") else file
    yield record.get("githubUrl") or ""
    yield from known.get("links", ())


def _source_label(record: Mapping[str, Any]) -> str:
    start, end = record.get("sourceCodeStart"), record.get("sourceCodeEnd")
    return f"Source code, lines {start} to {end}" if start and end else "Source code"


def _signatures(record: Mapping[str, Any], known: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The record's own signatures, else what stands for one: its pattern, which the index always has."""
    return known.get("signatures") or [{"pattern": record.get("messagePattern")}]


def _signature(signature: Mapping[str, Any]) -> str:
    """One signature in words; all its parts must agree."""
    classes = signature.get("class") or []
    parts = [
        f"class {' or '.join([classes] if isinstance(classes, str) else classes)}" if classes else "",
        *(f"{name} {signature[name]}" for name in ("message", "pattern") if signature.get(name)),
        *(
            f"raised in {' of '.join(filter(None, (one.get('function'), one['file'])))}"
            for one in signature.get("frames", ())
        ),
        f"exit status {signature['exit_status']}" if signature.get("exit_status") is not None else "",
        _WHEN.get(signature.get("when", ""), ""),
    ]
    return "; ".join(filter(None, parts))


def _provenance(record: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[str]:
    yield f"record: {record['trust']}, from {record['source']}"
    if sha := record.get("analyzedSha"):
        yield f"read at commit {sha}" + (f", {record['analyzedAt']}" if record.get("analyzedAt") else "")
    for field, origin in known.get("provenance", {}).items():
        words = [str(origin[name]) for name in ("by", "confidence", "rule", "source") if origin.get(name)]
        yield f"{field}: {', '.join(words)}"
