"""Records on disk and the index of them."""

import json
import os
from pathlib import Path

import pytest

from kb.config import load_config
from kb.errors import KbError
from kb.model.record import Record, complete, parse_record, record_id
from kb.store.build import build_index
from kb.store.cache import cache_folder, open_index
from kb.store.files import Fault, Stored, read_records
from kb.store.reader import Index

TOML = """
repo = "example/mill"
error_message = "mill {n} jammed"
error_class = "MillJammed"
documentation = "The mill is full."
tags = ["mill"]
[kb]
role = "cause"
[[kb.signatures]]
class = "MillJammed"
message = "mill {n} jammed"
[[kb.examples]]
text = "tool.MillJammed: mill 4 jammed"
[[kb.counter_examples]]
text = "mill 4 idle"
why = "idle is no jam"
"""


def imported(**changes: object) -> dict:
    data = {"repo": "example/press", "slug": "plate-cracked", "errorMessage": "plate cracked", "documentation": "Too hot.",
            "errorClass": "PlateError", "filePath": "press/plate.py", "lineNumber": 7, "tags": ["press", "heat"]}  # fmt: skip
    return complete(data | changes)


def folder(tmp_path: Path, **files: str) -> Path:
    for name, text in files.items():
        file = tmp_path / "records" / name.replace("__", "/").replace("_dot_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "records"


def test_keys_come_from_places(tmp_path: Path) -> None:
    place = folder(tmp_path, curated__mill__jam_dot_toml=TOML, imported__x__press_dot_jsonl=json.dumps(imported()))
    found = {item.key for item in read_records([place]) if isinstance(item, Stored)}
    assert found == {"mill/jam", "example/press/plate-cracked"}


def test_the_id_is_computed_and_a_wrong_one_is_a_fault() -> None:
    record = parse_record(imported())
    assert isinstance(record, Record) and record.id == record_id("example/press", "plate cracked", "press/plate.py")
    shown = {"examples": [{"text": "x"}], "counter_examples": [{"text": "y", "why": "z"}]}
    faults = parse_record(imported(id="0" * 16, kb={"trust": "curated", **shown}))
    assert isinstance(faults, list) and [fault.path for fault in faults] == [("id",)]


def test_an_imported_record_keeps_an_id_of_another_rule() -> None:
    assert isinstance(record := parse_record(imported(id="0" * 16)), Record) and record.id == "0" * 16


@pytest.mark.parametrize(("field", "value"), [
    ("id", "XYZ"), ("repo", "noslash"), ("slug", "Not Kebab"), ("tags", ["9lives"]), ("analyzedSha", "12ab"), ("analyzedAt", "yesterday"),
    ("severity", "bad"), ("errorType", "oops"), ("handlingStrategy", "hope"), ("httpStatus", 42), ("lineNumber", "7"), ("unknown", 1),
    ("solutions", [""]), ("documentation", " "), ("githubUrl", "javascript:alert(1)"), ("sourceCode", "x\n" * 41), ("schemaVersion", 1),
    ("sourceCodeStart", 9), ("filePath", None), ("kb", {"trust": "curated"}), ("kb", {"signatures": [{"class": "OnlyClass"}]}),
])  # fmt: skip
def test_refusals(field: str, value: object) -> None:
    faults = parse_record(imported(**{field: value}) | ({"id": "XYZ"} if field == "id" else {}))
    assert isinstance(faults, list) and faults, f"{field}={value!r} was taken"


def test_all_faults_are_told_together_with_lines(tmp_path: Path) -> None:
    text = TOML.replace('repo = "example/mill"', 'repo = "mill"').replace("tags = [", 'severity = "grave"\ntags = ["Bad One", ')
    text = text.replace('role = "cause"', 'role = "villain"').replace('why = "idle is no jam"', "")
    place = folder(tmp_path, curated__jam_dot_toml=text)
    faults = sorted((item.line, item.sentence) for item in read_records([place]) if isinstance(item, Fault))
    lines = {text.splitlines().index(row) + 1 for row in text.splitlines() if row.startswith(("repo", "severity", "tags", "role"))}
    assert len(faults) == 5 and lines <= {line for line, _ in faults}


def test_broken_files_are_faults(tmp_path: Path) -> None:
    place = folder(tmp_path, a_dot_toml="= =", b_dot_jsonl='{"x"\n[1]\n', c_dot_json="[" * 100_000)
    (place / "d.toml").write_bytes(b"\xff\xfe")
    assert all(isinstance(item, Fault) for item in read_records([place])) and len(list(read_records([place]))) == 5


def test_a_build_keeps_good_records_and_names_the_others(tmp_path: Path) -> None:
    place = folder(tmp_path, curated__mill__jam_dot_toml=TOML, bad_dot_jsonl='{"repo": 1}', imported__p_dot_jsonl=json.dumps(imported()))
    built = build_index([place], tmp_path / "kb.db")
    assert built.records == 2 and built.faults and Index(tmp_path / "kb.db").knowledge.records == 2


def test_of_two_records_with_one_id_the_more_trusted_stays(tmp_path: Path) -> None:
    twin = imported(repo="example/mill", errorMessage="mill {n} jammed", filePath=None, lineNumber=None)
    place = folder(tmp_path, curated__mill__jam_dot_toml=TOML, imported__m_dot_jsonl=json.dumps(twin))
    built = build_index([place], tmp_path / "kb.db")
    assert built.records == 1 and len(built.dropped) == 1
    assert Index(tmp_path / "kb.db").find("mill/jam")[0]["trust"] == "curated"


def test_the_generation_tells_content_not_place(tmp_path: Path) -> None:
    first = build_index([folder(tmp_path / "a", curated__jam_dot_toml=TOML)], tmp_path / "1.db").generation
    same = build_index([folder(tmp_path / "b", curated__jam_dot_toml=TOML)], tmp_path / "2.db").generation
    other = build_index([folder(tmp_path / "c", curated__jam_dot_toml=TOML.replace("full", "empty"))], tmp_path / "3.db").generation
    assert first == same != other


def test_a_failed_build_leaves_the_old_index_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, target = folder(tmp_path, curated__jam_dot_toml=TOML), tmp_path / "kb.db"
    build_index([place], target)
    before = target.read_bytes()

    def stop(items: object) -> object:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index([place], target, progress=stop)  # type: ignore[arg-type]
    assert target.read_bytes() == before and sorted(path.name for path in tmp_path.iterdir()) == ["kb.db", "records"]


def test_search_and_find(tmp_path: Path) -> None:
    build_index([folder(tmp_path, curated__mill__jam_dot_toml=TOML, i_dot_jsonl=json.dumps(imported()))], tmp_path / "kb.db")
    index = Index(tmp_path / "kb.db")
    assert [record["key"] for record in index.search('jammed "mill')] == ["mill/jam"]
    assert index.search('";--') == [] and index.search("") == []
    assert [record["key"] for record in index.find("jam")] == ["mill/jam"] and index.find("%") == []
    assert index.record(index.find("jam")[0]["id"])["solutions"] == []


def test_the_cache_follows_the_records(tmp_path: Path) -> None:
    place = folder(tmp_path, curated__jam_dot_toml=TOML)
    first = open_index([place]).path
    assert open_index([place]).path == first and first.parent == cache_folder()
    file = place / "curated" / "jam.toml"
    file.write_text(TOML.replace("full", "empty"))
    os.utime(file, ns=(1, 1))
    assert open_index([place]).path != first


def test_configuration_is_found_upwards_and_the_environment_wins(tmp_path: Path) -> None:
    (tmp_path / "kb.toml").write_text('db = "a.db"\nrecords = ["own"]\n')
    (tmp_path / "deep" / "er").mkdir(parents=True)
    config = load_config(tmp_path / "deep" / "er", {})
    assert (config.db, config.records) == (tmp_path / "a.db", (tmp_path / "own",))
    config = load_config(tmp_path, {"KB_DB": "b.db", "KB_RECORDS": os.pathsep.join(["x", "y"])})
    assert (config.db, config.records) == (Path("b.db"), (tmp_path / "own", Path("x"), Path("y")))


@pytest.mark.parametrize("text", ["records = 3", "nonsense = 1", "= ="])
def test_a_faulty_configuration_is_told(text: str, tmp_path: Path) -> None:
    (tmp_path / "kb.toml").write_text(text)
    with pytest.raises(KbError, match=r"kb\.toml"):
        load_config(tmp_path, {})
