"""`kb export`: what leaves is what came, and what cannot leave is told."""

import json
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.export import Export, Layout, Loss, Text
from kb.ingest.errlookup import records_of
from kb.model.record import Record, record_id
from kb.registry import discover, load
from kb.store.files import Fault, Stored, imported_key, read_records

RECORD: dict[str, Any] = json.loads(
    (Path(__file__).parent / "data" / "errlookup" / "record.json").read_text(encoding="utf-8")
)
WRAPPED = {"record": RECORD, "datasetVersion": "2026-02-01T00:00:00.000Z"}
KEY = "acme/rocket/tank-pressure-below-minimum"
CURATED = """
repo = "acme/rocket"
error_message = "valve {name} did not open in time"
file_path = "rocket/valve.py"
documentation = "The valve is stuck."
solutions = ["Warm it."]
tags = ["fuel"]
"""
COMPLETE = """
line_number = 7
github_url = "https://github.com/acme/rocket/blob/main/rocket/valve.py#L7"
trigger_scenarios = "A frozen line."
common_situations = "Winter."
analyzed_sha = "0123456789abcdef0123456789abcdef01234567"
analyzed_at = "2026-01-31T12:00:00Z"
"""
KNOWN = """
[kb]
role = "symptom"
[[kb.examples]]
text = "ValveError: valve 7 did not open in time"
[[kb.counter_examples]]
why = "another valve"
text = "valve 7 opened in time"
[kb.provenance]
solutions = { by = "curated" }
"""
Kb = Callable[..., Any]
pytest_plugins = ("commandline",)
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For a busy machine: no example fails for being slow."""


@pytest.fixture
def curated(tmp_path: Path) -> Path:
    """A folder with one curated record that schema 2 can take and one that it cannot."""
    folder = tmp_path / "own" / "curated" / "rocket"
    folder.mkdir(parents=True)
    (folder / "whole.toml").write_text(CURATED + COMPLETE + KNOWN)
    (folder / "partial.toml").write_text(CURATED.replace("valve", "hatch") + KNOWN)
    return tmp_path / "own"


def ingest(kb: Kb, value: object) -> None:
    Path("seed.json").write_text(json.dumps(value))
    assert kb("ingest", "errlookup", "seed.json", "-o", "in").code == 0


def test_a_bare_record_comes_out_equal(kb: Kb) -> None:
    ingest(kb, RECORD)
    said = kb("export", "errlookup", "--records", "in", "--strict")
    assert said.code == 0
    assert said.out.count("\n") == 1
    assert json.loads(said.out) == RECORD
    assert list(json.loads(said.out)) == list(RECORD)


@pytest.mark.parametrize("name", [RECORD["id"], KEY, "tank-pressure-below-minimum"])
def test_a_wrapped_record_comes_out_wrapped(kb: Kb, name: str) -> None:
    ingest(kb, WRAPPED)
    said = kb("export", "errlookup", name, "--records", "in", "--layout", "wrapped", "--strict")
    assert said.code == 0
    assert json.loads(said.out) == WRAPPED


def test_a_dataset_goes_through_a_dataset(kb: Kb, tmp_path: Path) -> None:
    ingest(kb, [RECORD])
    assert kb("export", "errlookup", "--records", "in", "--layout", "dataset", "-o", "set").code == 0
    assert json.loads((tmp_path / "set" / "repos" / "acme" / "rocket.json").read_text(encoding="utf-8")) == [RECORD]
    assert kb("ingest", "errlookup", "set", "-o", "again").code == 0
    one, two = (Path(name, "errlookup", "acme__rocket.jsonl").read_bytes() for name in ("in", "again"))
    assert one == two


def test_the_version_of_a_dataset_is_a_loss_where_it_has_no_place(kb: Kb) -> None:
    ingest(kb, WRAPPED)
    said = kb("export", "errlookup", "--records", "in")
    assert said.code == 0
    assert f"kb.provenance.record: left out of {KEY}" in said.err
    assert json.loads(said.out) == RECORD
    assert kb("export", "errlookup", "--records", "in", "--strict").code == 2


def test_what_schema_2_cannot_take_is_told(kb: Kb, curated: Path) -> None:
    said = kb("export", "errlookup", "--records", curated)
    assert said.code == 0
    assert [json.loads(row)["errorMessage"] for row in said.out.splitlines()] == ["valve {name} did not open in time"]
    assert "rocket/partial: not exported: " in said.err
    assert "githubUrl is missing" in said.err
    for field in ("kb.examples", "kb.counter_examples", "kb.role", "kb.provenance.solutions", "key"):
        assert f"{field}: left out of rocket/whole" in said.err
    assert "1 exported, 1 not" in said.err


def test_a_curated_record_leaves_with_every_field_of_schema_2(kb: Kb, curated: Path) -> None:
    record = json.loads(kb("export", "errlookup", "rocket/whole", "--records", curated).out)
    assert set(record) == set(RECORD)
    assert record["messagePattern"] == "valve (.+?) did not open in time"
    assert record["preventionTips"] == []


def test_strict_and_nothing_to_export_are_trouble(kb: Kb, curated: Path) -> None:
    assert kb("export", "errlookup", "rocket/whole", "--records", curated, "--strict").code == 2
    said = kb("export", "errlookup", "rocket/partial", "--records", curated)
    assert said.code == 2
    assert said.out == ""
    assert "nothing could be exported" in said.err


def test_own_records_leave_in_full_and_are_read_again(kb: Kb, curated: Path) -> None:
    assert kb("export", "jsonl", "--records", curated, "-o", "all.jsonl").code == 0
    before = {item.record.id: item.record.to_json() for item in read_records([curated]) if isinstance(item, Stored)}
    after = {
        item.record.id: item.record.to_json() for item in read_records([Path("all.jsonl")]) if isinstance(item, Stored)
    }
    assert len(before) == 2
    assert after == before


def test_a_faulty_record_is_a_loss(kb: Kb, curated: Path) -> None:
    (curated / "curated" / "rocket" / "bad.toml").write_text(
        CURATED.replace("valve", "lamp") + 'severity = "awful"\n' + KNOWN
    )
    said = kb("export", "jsonl", "--records", curated)
    assert said.code == 0
    assert "bad.toml:8: not exported: severity 'awful'" in said.err
    assert kb("export", "jsonl", "--records", curated, "--strict").code == 2


def test_of_two_records_with_one_id_the_curated_one_leaves(kb: Kb, curated: Path) -> None:
    (item,) = [item for item in read_records([curated]) if isinstance(item, Stored) and item.key == "rocket/whole"]
    mined = {**item.record.to_json(), "documentation": "From the source.", "kb": {"trust": "mined"}}
    (curated / "a.jsonl").write_text(json.dumps(mined))
    said = kb("export", "jsonl", item.record.id, "--records", curated)
    assert json.loads(said.out)["documentation"] == "The valve is stuck."
    assert "has the id or key of another record" in kb("export", "jsonl", "--records", curated).err


def test_the_default_is_the_shipped_and_configured_records(kb: Kb, curated: Path, tmp_path: Path) -> None:
    (tmp_path / "kb.toml").write_text('records = ["own"]')
    out = kb("export", "jsonl").out
    repos = {json.loads(row)["repo"] for row in out.splitlines()}
    assert {"acme/rocket", "sgl-project/sglang"} <= repos


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("nosuch",), "choose one of errlookup, jsonl"),
        (("errlookup", "--layout", "xml"), "xml"),
        (("errlookup", "--layout", "dataset"), "name a folder with -o"),
        (("errlookup", "rocket/nosuch"), "no record rocket/nosuch"),
        (("jsonl", "--records", "missing"), "no record folder missing"),
        (("jsonl", "-o", "no/such/place.jsonl"), "cannot write no/such/place.jsonl"),
    ],
)
def test_bad_usage_is_one_line(kb: Kb, arguments: tuple[str, ...], reason: str) -> None:
    said = kb("export", *arguments)
    assert said.code == 2
    assert len(said.err.splitlines()) == 1
    assert reason in said.err


def test_a_name_that_fits_several_records_is_trouble(kb: Kb, curated: Path) -> None:
    (curated / "curated" / "boat").mkdir()
    (curated / "curated" / "boat" / "whole.toml").write_text(CURATED.replace("valve", "boat") + KNOWN)
    said = kb("export", "jsonl", "whole", "--records", curated)
    assert said.code == 2
    assert "whole fits boat/whole, rocket/whole" in said.err


def test_a_file_is_whole_or_old(kb: Kb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(kb, RECORD)
    (tmp_path / "out.jsonl").write_text("old\n")

    def fail(*_: object) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    said = kb("export", "jsonl", "--records", "in", "-o", "out.jsonl")
    assert said.code == 2
    assert "No space left" in said.err
    assert (tmp_path / "out.jsonl").read_text() == "old\n"
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".tmp"] == []


@pytest.mark.parametrize("export", list(discover("kb.export", "EXPORT")), ids=lambda export: export.name)
def test_an_export_tells_what_becomes_of_every_record(export: Export, curated: Path) -> None:
    stored = [item for item in read_records([curated]) if not isinstance(item, Fault)]
    for layout in export.layouts:
        pieces = list(export.write(stored, layout))
        lost = {piece.key for piece in pieces if isinstance(piece, Loss) and piece.whole}
        text = "".join(piece.text for piece in pieces if isinstance(piece, Text))
        assert all((item.key in lost) != (item.record.error_message in text) for item in stored)
        assert layout.folder == any(piece.path for piece in pieces if isinstance(piece, Text))


WORDS = st.text(min_size=1, max_size=30).filter(str.strip)
KEBAB = st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=5), min_size=1, max_size=3).map("-".join)
HEX = string.digits + "abcdef"


@st.composite
def schema_2(draw: st.DrawFn) -> dict[str, Any]:
    """A valid record of schema 2."""
    start, length = draw(st.integers(1, 10**6)), draw(st.integers(0, 39))
    optional = {
        name: draw(st.none() | WORDS)
        for name in ("errorCode", "errorClass", "exampleFix", "validationCode", "typeGuard", "tryCatchPattern")
    }
    record = {
        **RECORD,
        **optional,
        "repo": "/".join(draw(st.tuples(KEBAB, KEBAB))),
        "slug": draw(KEBAB),
        "errorMessage": draw(WORDS),
        "messagePattern": draw(WORDS),
        "httpStatus": draw(st.none() | st.integers(100, 599)),
        "filePath": draw(WORDS),
        "errorType": draw(st.sampled_from(["exception", "error_code", "console", "http", "validation", "panic"])),
        "severity": draw(st.sampled_from(["critical", "error", "warning", "info"])),
        "handlingStrategy": draw(
            st.none() | st.sampled_from(["try-catch", "type-guard", "validation", "retry", "fallback"])
        ),
        "sourceCode": "\n".join(
            draw(
                st.lists(
                    st.text(string.printable.replace("\n", "").replace("\r", "").replace("\v", "").replace("\f", "")),
                    max_size=40,
                )
            )
        ),
        "sourceCodeStart": start,
        "sourceCodeEnd": start + length,
        "lineNumber": start + draw(st.integers(0, length)),
        "documentation": draw(WORDS),
        "triggerScenarios": draw(WORDS),
        "commonSituations": draw(WORDS),
        "solutions": draw(st.lists(WORDS, min_size=1, max_size=3)),
        "preventionTips": draw(st.lists(WORDS, max_size=3)),
        "tags": draw(st.lists(KEBAB, min_size=1, max_size=3)),
        "backgroundTag": draw(st.none() | KEBAB),
        "analyzedSha": draw(st.text(HEX, min_size=40, max_size=40)),
    }
    return {
        **record,
        "id": record_id(record["repo"], record["errorCode"] or record["errorMessage"], record["filePath"]),
    }


@UNHURRIED
@given(schema_2(), st.none() | WORDS)
def test_every_record_of_schema_2_comes_out_equal(data: dict[str, Any], version: str | None) -> None:
    given_value = {"record": data} | ({"datasetVersion": version} if version else {})
    (record,) = records_of(Path("x"), json.dumps(given_value))
    assert isinstance(record, Record)
    stored = [Stored(record, imported_key(record), Path("x"), 1)]
    (piece,) = load("kb.export", "EXPORT", "errlookup").write(stored, Layout("wrapped", ""))
    assert json.loads(piece.text) == given_value
