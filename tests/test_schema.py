"""records/schema.json is what the model says, and it says the same as the model."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from kb.model.record import Record, parse_record
from kb.store.files import Stored, read_records

ROOT = Path(__file__).parents[1]
SCHEMA = ROOT / "records" / "schema.json"


def generated() -> str:
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Record.model_json_schema(by_alias=True)}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = json.loads(generated())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.fixture(scope="module")
def shipped() -> list[dict[str, Any]]:
    return [item.record.to_json() for item in read_records([ROOT / "records"]) if isinstance(item, Stored)]


def test_file_is_current(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update"):
        SCHEMA.write_text(generated(), encoding="utf-8")
    assert SCHEMA.read_text(encoding="utf-8") == generated(), (
        "write it anew with `pytest tests/test_schema.py --update`"
    )


def test_schema_takes_every_shipped_record(validator: Draft202012Validator, shipped: list[dict[str, Any]]) -> None:
    assert shipped
    assert [error.message for record in shipped for error in validator.iter_errors(record)] == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("repo", "no-slash"),
        ("id", "XYZ"),
        ("severity", "bad"),
        ("errorType", "unknown"),
        ("tags", ["Upper"]),
        ("solutions", [""]),
        ("lineNumber", 0),
        ("httpStatus", 99),
        ("analyzedSha", "abc"),
        ("analyzedAt", "yesterday"),
        ("githubUrl", "ftp://x"),
        ("schemaVersion", 1),
        ("colour", "red"),
        ("kb", {"role": "villain"}),
        ("kb", {"signatures": [{"when": "never", "message": "x"}]}),
        ("errorMessage", None),
        ("documentation", "  "),
    ],
)
def test_schema_and_model_refuse_the_same(
    validator: Draft202012Validator, shipped: list[dict[str, Any]], field: str, value: object
) -> None:
    record = {**shipped[0], field: value}
    assert isinstance(parse_record(record), list)
    assert not validator.is_valid(record)
