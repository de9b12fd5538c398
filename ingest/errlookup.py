"""err-lookup's records (schema 2), in every wrapping that they are seen in.

A bare record, the API's `{"record": …, "datasetVersion": …}`, a list of either, JSON Lines of either, the fixtures with
their `$comment`, and a dataset's folder with `repos/<owner>/<name>.json`. Content decides, whatever the file is called.
"""

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any

from kb.ingest import Refusal, Sample, Source
from kb.ingest._files import files_below, read_texts
from kb.ingest._json import Value, json_values
from kb.model.record import Record, parse_record

_FOREIGN = (
    ({"cls", "msg"}, "is a row of the search index, which holds no documentation: give the dataset's repos/*/*.json"),
    (
        {"errors", "datasetVersion"},
        "is the search index, which holds no documentation: give the dataset's repos/*/*.json",
    ),
    ({"counts", "files"}, "is a dataset's manifest: give the dataset's repos/*/*.json"),
    ({"errorCount", "defaultBranch"}, "describes a repository, no error: give the dataset's repos/*/*.json"),
    ({"clusterKey", "commonCauses"}, "is an info page, no error: give the dataset's repos/*/*.json"),
    ({"matches"}, "is an answer to a search: fetch the records that it names"),
    ({"error"}, "is an answer that says what went wrong, no record"),
)
"""Other things that a dataset or its API holds: the fields that give them away, and what to give instead."""


def read(path: Path, options: Mapping[str, Any]) -> Iterator[Record | Refusal]:
    """The records of a file, folder or dataset, and what was refused. Raises KbError for a path that is not there."""
    for item in read_texts(_files(path)):
        yield from [item] if isinstance(item, Refusal) else records_of(*item)


def records_of(file: Path, text: str) -> Iterator[Record | Refusal]:
    """The records of one text. Nothing in it makes this raise."""
    values = json_values(file, text)
    head = list(islice(values, 1))
    if head and _foreign_item(head[0]):
        head += values
        if len(head) > 1 and len(kinds := set(map(_foreign_item, head))) == 1:
            yield Refusal(file, None, (f"each of its {len(head)} items {kinds.pop()}",))
            return
    for item in chain(head, values):
        yield item if isinstance(item, Refusal) else _record(file, item)


def _files(path: Path) -> Iterator[Path | Refusal]:
    """The files of a dataset's repositories where there are any, else all files."""
    for base in (path / "data" / "repos", path / "repos"):
        if base.is_dir():
            yield from (item for item in files_below(base) if isinstance(item, Refusal) or _of_repository(base, item))
            return
    yield from files_below(path)


def _of_repository(base: Path, file: Path) -> bool:
    return file.suffix == ".json" and len(file.relative_to(base).parts) == 2


def _foreign_item(item: Value | Refusal) -> str:
    return _foreign(item.value) if isinstance(item, Value) else ""


def _foreign(value: Any) -> str:
    """What a value is instead of a record, as the end of a sentence; empty when it may be one."""
    if not isinstance(value, dict) or "errorMessage" in value or "record" in value:
        return ""
    return next((sentence for fields, sentence in _FOREIGN if fields <= value.keys()), "")


def _record(file: Path, item: Value) -> Record | Refusal:
    """The record that a value is, or every reason why it is none."""
    try:
        outcome = _parsed(item.value)
    except RecursionError:
        outcome = ["is nested too deep to be read"]
    except UnicodeEncodeError:
        outcome = ["holds half a surrogate pair, which is no text: mend the \\ud… escape"]
    return outcome if isinstance(outcome, Record) else Refusal(file, item.place, tuple(outcome))


def _parsed(value: Any) -> Record | list[str]:
    record, version, faults = _unwrapped(value)
    faults += [] if faults else _version_faults(record)
    if faults:
        return faults
    known: dict[str, Any] = {"trust": "imported"}
    if version is not None:
        known["provenance"] = {"record": {"by": "imported", "rule": SOURCE.name, "source": version}}
    outcome = parse_record({**record, "kb": known})
    # a field name that is no text is the one fault without a field to name
    return (
        outcome
        if isinstance(outcome, Record)
        else [str(fault) for fault in outcome] or ["has a field whose name is no text"]
    )


def _unwrapped(value: Any) -> tuple[dict[str, Any], str | None, list[str]]:
    """The record out of its wrapper, the dataset's version, and what is wrong with the wrapping."""
    if foreign := _foreign(value):
        return {}, None, [foreign]
    if not isinstance(value, dict):
        return {}, None, ["is no record: an object with the fields of a record is expected"]
    value = {name: field for name, field in value.items() if name != "$comment"}
    if "record" not in value:
        return value, None, []
    record, version = value["record"], value.get("datasetVersion")
    faults = [
        f"{name} beside record would be lost: take it out"
        for name in sorted(value.keys() - {"record", "datasetVersion"})
    ]
    if not isinstance(record, dict):
        faults.append("record is no object with the fields of a record")
    if "datasetVersion" in value and not (isinstance(version, str) and version.strip()):
        faults.append("datasetVersion is no text: give the dataset's version or leave it out")
    return record, version, faults


def _version_faults(record: Mapping[str, Any]) -> list[str]:
    """Why a record is not taken for one of schema 2: what another version means is not guessed."""
    faults = []
    if "kb" in record:
        faults.append(
            "kb is no field of schema 2: faultbook's own records need no ingest, name their folder with --records"
        )
    version = record.get("schemaVersion")
    if version is None:
        faults.append("schemaVersion is missing: only records that say 2 are read")
    elif version != 2:
        faults.append(f"schemaVersion is {str(version)[:20]}: only 2 is read")
    return faults


_RECORD = """{
  "id": "5b7b7fd68ac5a923", "repo": "acme/rocket", "slug": "fuel-valve-stuck", "errorCode": null,
  "errorMessage": "fuel valve {name} is stuck", "messagePattern": "fuel valve (.+?) is stuck", "errorType": "exception",
  "errorClass": "ValveError", "httpStatus": null, "severity": "error", "filePath": "rocket/fuel.py", "lineNumber": 12,
  "sourceCode": "raise ValveError(name)", "sourceCodeStart": 12, "sourceCodeEnd": 12,
  "githubUrl": "https://github.com/acme/rocket/blob/0123456789012345678901234567890123456789/rocket/fuel.py#L12",
  "documentation": "The valve did not move within its time.", "triggerScenarios": "A valve is frozen.",
  "commonSituations": "Cold mornings.", "solutions": ["Warm it."], "exampleFix": null, "handlingStrategy": "retry",
  "validationCode": null, "typeGuard": null, "tryCatchPattern": null, "preventionTips": ["Heat the line."],
  "tags": ["fuel"], "backgroundTag": null, "analyzedSha": "0123456789012345678901234567890123456789",
  "analyzedAt": "2026-01-31T12:00:00Z", "schemaVersion": 2
}"""

SOURCE = Source(
    name="errlookup",
    summary="Records of err-lookup, schema 2: a file, JSON Lines, or a dataset's folder.",
    read=read,
    samples=(
        Sample({"record.txt": _RECORD}, ("fuel valve {name} is stuck",)),
        Sample(
            {"answer.json": f'{{"record": {_RECORD}, "datasetVersion": "2026-02-01T00:00:00Z"}}'},
            ("fuel valve {name} is stuck",),
        ),
        Sample(
            {"data/repos/acme/rocket.json": f"[{_RECORD}]", "data/manifest.json": "{}"}, ("fuel valve {name} is stuck",)
        ),
        Sample(
            {"index.json": '{"errors": [{"cls": "ValveError", "msg": "stuck"}], "datasetVersion": "1"}'}, (), refused=1
        ),
        Sample({"old.json": _RECORD.replace('"schemaVersion": 2', '"schemaVersion": 1')}, (), refused=1),
    ),
)
