"""err-lookup's schema 2: a record that came from there leaves as it came."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from kb.export import Export, Layout, Loss, Text
from kb.store.build import record_row
from kb.store.files import Stored


def write(items: Sequence[Stored], layout: Layout) -> Iterator[Text | Loss]:
    """The records that schema 2 can take, one a line or as one list a repository."""
    by_repo: dict[str, list[dict[str, Any]]] = {}
    for item in items:
        if faults := item.record.v2_faults():
            yield Loss(item.key, "; ".join(faults), whole=True)
            continue
        wrapped = layout.name == "wrapped"
        yield from (Loss(item.key, name, whole=False) for name in _dropped(item, wrapped))
        if layout.folder:
            by_repo.setdefault(item.record.repo, []).append(_v2(item))
        else:
            yield Text("", _line(_wrapped(item) if wrapped else _v2(item)))
    for repo, records in sorted(by_repo.items()):
        ordered = sorted(records, key=lambda record: (record["slug"], record["id"]))
        yield Text(f"repos/{repo}.json", f"{json.dumps(ordered, ensure_ascii=False)}\n")


def _v2(item: Stored) -> dict[str, Any]:
    data = item.record.to_v2()
    if item.record.kb.trust == "curated":  # schema 2 demands a pattern that curated records need not give
        data["messagePattern"] = record_row(item)["message_pattern"]
    return data


def _wrapped(item: Stored) -> dict[str, Any]:
    """The API's answer; a record that came without a dataset's version has none."""
    version = _version(item)
    return {"record": _v2(item)} | ({"datasetVersion": version} if version else {})


def _version(item: Stored) -> str | None:
    """The version of the dataset that the record came from."""
    origin = item.record.kb.provenance.get("record")
    return origin.source if origin and origin.rule == EXPORT.name else None


def _dropped(item: Stored, wrapped: bool) -> Iterator[str]:
    """Fields of ours that the record gives and schema 2 has no place for."""
    known = item.record.kb
    given = {name for name in known.model_fields_set if getattr(known, name) != type(known).model_fields[name].default}
    provenance = set(known.provenance)
    if wrapped and _version(item):
        provenance.discard("record")
    given -= {"trust", "provenance"}
    yield from (f"kb.{name}" for name in sorted(given))
    yield from (f"kb.provenance.{name}" for name in sorted(provenance))
    if item.key != f"{item.record.repo}/{item.record.slug}":
        yield "key"


def _line(data: dict[str, Any]) -> str:
    return f"{json.dumps(data, ensure_ascii=False)}\n"


EXPORT = Export(
    name="errlookup",
    summary="err-lookup's records, schema 2, without what is faultbook's own.",
    layouts=(
        Layout("jsonl", "one record a line"),
        Layout("wrapped", "one answer of err-lookup's API a line: the record with the version of its dataset"),
        Layout("dataset", "repos/<owner>/<name>.json below a folder, one list of records each", folder=True),
    ),
    write=write,
)
