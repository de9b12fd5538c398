"""`kb ingest`: what goes in, what is refused and how that is told, what lies on disk afterwards."""

import gzip
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.cli.ingest import make_command
from kb.errors import KbError
from kb.ingest import Option, Refusal, Sample, Source, errlookup
from kb.ingest._json import Value
from kb.ingest.errlookup import records_of
from kb.model.record import Record, record_id
from kb.registry import discover
from kb.settings import MIN_INFLATED_BYTES

RECORD: dict[str, Any] = json.loads(
    (Path(__file__).parent / "data" / "errlookup" / "record.json").read_text(encoding="utf-8")
)
VERSION = "2026-02-01T00:00:00.000Z"
SOURCES: list[Source] = list(discover("kb.ingest", "SOURCE"))
STORED = Path("out", "errlookup", "acme__rocket.jsonl")
Kb = Callable[..., Any]
pytest_plugins = ("commandline",)
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For a busy machine: no example fails for being slow."""


def other(message: str, **fields: Any) -> dict[str, Any]:
    """The record with another message, and with the id that this gives."""
    changed = {**RECORD, "errorMessage": message, "slug": f"about-{message.replace(' ', '-')}", **fields}
    return {**changed, "id": record_id(changed["repo"], changed["errorMessage"], changed["filePath"])}


def stored(file: Path = STORED) -> list[dict[str, Any]]:
    return [json.loads(row) for row in file.read_text(encoding="utf-8").splitlines()]


def messages(file: Path = STORED) -> list[str]:
    return sorted(row["errorMessage"] for row in stored(file))


def wrapped(record: dict[str, Any]) -> dict[str, Any]:
    return {"record": record, "datasetVersion": VERSION}


def lines(*values: object) -> str:
    return "".join(f"{json.dumps(value)}\n" for value in values)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_samples_of_a_source_give_what_they_say(source: Source, tmp_path: Path) -> None:
    assert any(sample.messages for sample in source.samples)
    for number, sample in enumerate(source.samples):
        found = read_sample(source, sample, tmp_path / str(number))
        assert tuple(item.error_message for item in found if isinstance(item, Record)) == sample.messages
        assert sum(isinstance(item, Refusal) for item in found) == sample.refused


def read_sample(source: Source, sample: Sample, folder: Path) -> list[Record | Refusal]:
    for name, text in sample.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    path = folder / next(iter(sample.files)) if len(sample.files) == 1 else folder
    defaults = {option.name.replace("-", "_"): option.default for option in source.options}
    return list(source.read(path, {**defaults, **sample.options}))


@pytest.mark.parametrize(
    ("text", "version"),
    [
        (json.dumps(RECORD, indent=2), None),
        (json.dumps(wrapped(RECORD)), VERSION),
        (json.dumps([RECORD]), None),
        (json.dumps([wrapped(RECORD)]), VERSION),
        (lines(RECORD), None),
        (json.dumps({"$comment": "a fixture", **RECORD}), None),
        (json.dumps({"$comment": "a fixture", **wrapped(RECORD)}), VERSION),
        ("\ufeff" + json.dumps(RECORD), None),
        (json.dumps(RECORD, indent=2).replace("\n", "\r\n"), None),
    ],
    ids=["bare", "wrapped", "list", "list-of-wrapped", "lines", "fixture", "wrapped-fixture", "bom", "crlf"],
)
def test_every_wrapping_gives_the_same_record(kb: Kb, tmp_path: Path, text: str, version: str | None) -> None:
    (tmp_path / "seed.txt").write_bytes(text.encode())
    assert kb("ingest", "errlookup", "seed.txt", "-o", "out").code == 0
    known: dict[str, Any] = {"trust": "imported"}
    if version:
        known["provenance"] = {"record": {"by": "imported", "rule": "errlookup", "source": version}}
    assert stored() == [{**RECORD, "kb": known}]


@pytest.mark.parametrize("place", ["set/data/repos", "set/repos", "set"])
def test_a_dataset_is_its_repositories(kb: Kb, tmp_path: Path, place: str) -> None:
    folder = tmp_path / place
    for name, repo in (("rocket", "acme/rocket"), ("boat", "acme/boat")):
        file = folder / "acme" / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps([other("lost", repo=repo)]))
    if place != "set":
        (folder.parent / "index.json").write_text(
            json.dumps({"errors": [{"cls": "E", "msg": "x"}], "datasetVersion": VERSION})
        )
    assert kb("ingest", "errlookup", "set", "-o", "out").code == 0
    assert sorted(file.name for file in Path("out/errlookup").iterdir()) == ["acme__boat.jsonl", "acme__rocket.jsonl"]


def test_a_dataset_named_by_its_folder_of_repositories(kb: Kb, tmp_path: Path) -> None:
    (tmp_path / "repos" / "acme").mkdir(parents=True)
    (tmp_path / "repos" / "acme" / "rocket.json").write_text(json.dumps([RECORD]))
    assert kb("ingest", "errlookup", "repos", "-o", "out").code == 0
    assert messages() == [RECORD["errorMessage"]]


def test_standard_input_and_gzip(kb: Kb, tmp_path: Path) -> None:
    assert kb("ingest", "errlookup", "-", "-o", "out", stdin=gzip.compress(lines(RECORD).encode())).code == 0
    assert messages() == [RECORD["errorMessage"]]


def test_refused_lines_are_named_with_every_fault_and_the_others_go_in(kb: Kb, tmp_path: Path) -> None:
    bad = {**other("bad"), "severity": "awful", "tags": ["Not Kebab"]}
    (tmp_path / "mixed.jsonl").write_text(f"{lines(other('good'), bad)}\n{{broken\n{lines([1], other('fine'))}")
    said = kb("ingest", "errlookup", "mixed.jsonl", "-o", "out")
    assert said.code == 2
    assert messages() == ["fine", "good"]
    first, broken, array, *_, last = said.err.splitlines()
    assert first.startswith("mixed.jsonl:2: ")
    assert "severity 'awful'" in first
    assert "tags.0 'Not Kebab'" in first
    assert broken.startswith("mixed.jsonl:4: is no JSON")
    assert array.startswith("mixed.jsonl:5: is no record")
    assert last == "kb: 3 refused of mixed.jsonl, 2 taken: the lines above say why"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({**RECORD, "schemaVersion": 1}, "schemaVersion is 1: only 2 is read"),
        ({name: value for name, value in RECORD.items() if name != "schemaVersion"}, "schemaVersion is missing"),
        ({**RECORD, "kb": {"trust": "curated"}}, "kb is no field of schema 2"),
        ({**wrapped(RECORD), "extra": 1}, "extra beside record would be lost"),
        ({"record": RECORD, "datasetVersion": 7}, "datasetVersion is no text"),
        ({"record": [RECORD]}, "record is no object"),
        ({"errors": [{"cls": "E", "msg": "x"}], "datasetVersion": VERSION}, "give the dataset's repos/*/*.json"),
        ({"error": "not found"}, "is an answer that says what went wrong"),
        ({**RECORD, "lineNumber": True}, "lineNumber True has the wrong type"),
        ({**RECORD, "colour": "red"}, "colour is not a field of a record"),
        ("text", "is no record"),
        ({**RECORD, "errorMessage": "half \ud800"}, "unicode string"),
        ({**RECORD, "documentation": "half \ud800"}, "documentation"),
        ({**RECORD, "half \ud800": 1}, "a field whose name is no text"),
    ],
)
def test_what_is_no_record_of_schema_2_is_refused_with_the_reason(
    kb: Kb, tmp_path: Path, value: object, reason: str
) -> None:
    (tmp_path / "seed.json").write_text(json.dumps(value))
    said = kb("ingest", "errlookup", "seed.json", "-o", "out")
    assert said.code == 2
    assert said.err.startswith("seed.json: ")
    assert reason in said.err.splitlines()[0]
    assert len(said.err.splitlines()) == 2
    assert not (tmp_path / "out").exists()


def test_a_bare_index_is_refused_as_a_whole(kb: Kb, tmp_path: Path) -> None:
    (tmp_path / "index.json.gz").write_bytes(
        gzip.compress(json.dumps([{"id": "x", "cls": "E", "msg": "x"}] * 1000).encode())
    )
    said = kb("ingest", "errlookup", "index.json.gz", "-o", "out")
    assert said.code == 2
    assert len(said.err.splitlines()) == 2
    assert "repos/*/*.json" in said.err


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[" * 200_000, "nested too deep"),
        (b'{"record": {"schemaVersion": 2, "tags": ' + b"[" * 200 + b"]" * 200 + b"}}", "tags.0"),
        (b'{"lineNumber": ' + b"9" * 5000 + b"}", "is no JSON"),
        (b'{"lineNumber": NaN}', "NaN is no number"),
        (b'{"a":\n"\xff"}', "is no UTF-8 text"),
        (b"\x00\x01\x02", "is no JSON"),
        (b"", "is empty"),
        (b" \n \n", "is empty"),
        (b"\x1f\x8bbroken", "broken gzip data"),
        (gzip.compress(b"[]" * 1000)[:-9], "broken gzip data"),
    ],
    ids=["deep", "deep-inside", "huge-number", "nan", "no-utf8", "binary", "empty", "blank", "no-gzip", "cut-gzip"],
)
def test_hostile_input_gives_a_line_and_no_traceback(kb: Kb, tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "evil.json").write_bytes(content)
    said = kb("ingest", "errlookup", "evil.json", "-o", "out")
    assert said.code == 2
    assert reason in said.err.splitlines()[0]
    assert said.err.splitlines()[0].startswith("evil.json")
    assert "Traceback" not in said.err


def test_no_depth_makes_the_reader_raise() -> None:
    """Python's parsers differ in how deep they go; a value may be too deep even for the words of its fault."""
    for depth in (10, 100, 900, 1000, 5000):
        (item,) = records_of(Path("x"), json.dumps({**RECORD, "tags": "@"}).replace('"@"', "[" * depth + "]" * depth))
        assert isinstance(item, Refusal)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    item = errlookup._record(Path("x"), Value(None, {**RECORD, "tags": deep}))
    assert isinstance(item, Refusal)
    assert item.faults == ("is nested too deep to be read",)


def test_a_gzip_bomb_is_not_unpacked(kb: Kb, tmp_path: Path) -> None:
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(b" " * (MIN_INFLATED_BYTES + 1)))
    said = kb("ingest", "errlookup", "bomb.gz", "-o", "out")
    assert said.code == 2
    assert "inflates more than" in said.err


def test_folders_with_loops_pipes_and_broken_links(kb: Kb, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "good.json").write_text(json.dumps(RECORD))
    (folder / ".hidden.json").write_text("no JSON")
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("no JSON")
    (folder / "round").symlink_to(folder)
    (folder / "self.json").symlink_to(folder / "self.json")
    os.mkfifo(folder / "pipe.json")
    said = kb("ingest", "errlookup", "in", "-o", "out")
    assert said.code == 2
    assert messages() == [RECORD["errorMessage"]]
    assert [line.partition(":")[0] for line in said.err.splitlines()[:2]] == ["in/pipe.json", "in/self.json"]
    assert "2 refused" in said.err
    assert kb("ingest", "errlookup", "in/self.json", "-o", "out").err.startswith("kb: in/self.json cannot be read")


def test_control_characters_do_not_reach_the_terminal(kb: Kb, tmp_path: Path) -> None:
    (tmp_path / "evil.json").write_text(json.dumps({**RECORD, "\x1b[2J\nkb: all is well": 1}))
    said = kb("ingest", "errlookup", "evil.json", "-o", "out")
    assert "\x1b" not in said.err
    assert len(said.err.splitlines()) == 2


def test_records_are_merged_by_id(kb: Kb, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(lines(other("one"), other("two")))
    (tmp_path / "b.jsonl").write_text(lines(other("two", severity="critical"), other("three")))
    assert "2 new, 0 changed, 0 same, 0 kept" in kb("ingest", "errlookup", "a.jsonl", "-o", "out").err
    before = STORED.stat().st_mtime_ns
    assert "0 new, 0 changed, 2 same, 0 kept" in kb("ingest", "errlookup", "a.jsonl", "-o", "out").err
    assert STORED.stat().st_mtime_ns == before
    assert "1 new, 1 changed, 0 same, 1 kept" in kb("ingest", "errlookup", "b.jsonl", "-o", "out").err
    assert {row["errorMessage"]: row["severity"] for row in stored()} == {
        "one": "error",
        "two": "critical",
        "three": "error",
    }


def test_order_of_merging_is_that_of_one_file(kb: Kb, tmp_path: Path) -> None:
    first, last = other("two"), other("two", severity="critical")
    (tmp_path / "both.jsonl").write_text(lines(first, first, last))
    said = kb("ingest", "errlookup", "both.jsonl", "-o", "out")
    assert said.code == 0
    assert said.err.count("stands there twice") == 1
    assert [row["severity"] for row in stored()] == ["critical"]


def test_a_file_that_cannot_be_read_is_not_written_over(kb: Kb, tmp_path: Path) -> None:
    STORED.parent.mkdir(parents=True)
    STORED.write_text("not mine\n")
    (tmp_path / "a.json").write_text(json.dumps(RECORD))
    said = kb("ingest", "errlookup", "a.json", "-o", "out")
    assert said.code == 2
    assert said.err.startswith("kb: out/errlookup/acme__rocket.jsonl:1: is no JSON")
    assert STORED.read_text() == "not mine\n"


def test_the_usual_place_and_the_next_command(kb: Kb, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(RECORD))
    folder = tmp_path / "home" / "faultbook" / "records"
    assert f"kb match --records {folder} LOG" in kb("ingest", "errlookup", "a.json").err
    assert messages(folder / "errlookup" / "acme__rocket.jsonl") == [RECORD["errorMessage"]]
    (tmp_path / "kb.toml").write_text('records = ["out"]')
    assert "kb match" not in kb("ingest", "errlookup", "a.json", "-o", "out").err


def test_ingested_records_are_found(kb: Kb, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(RECORD))
    kb("ingest", "errlookup", "a.json", "-o", "out")
    said = kb("show", RECORD["id"], "--records", "out", "-f", "json")
    assert said.code == 0
    assert json.loads(said.out)["trust"] == "imported"


@pytest.mark.parametrize("arguments", [("nosuch", "a.json"), ("errlookup",), ("errlookup", "missing.json"), ()])
def test_bad_usage_is_one_line(kb: Kb, arguments: tuple[str, ...]) -> None:
    said = kb("ingest", *arguments)
    assert said.code == 2
    if arguments:
        assert len(said.err.splitlines()) == 1


def test_a_source_may_have_options_of_its_own(kb: Kb, tmp_path: Path) -> None:
    seen: list[tuple[Path, dict[str, Any]]] = []

    def read(path: Path, options: Any) -> Iterator[Refusal]:
        seen.append((path, dict(options)))
        yield Refusal(path, 7, ("first reason", "second reason"))

    source = Source("fake", "Nothing.", read, (), (Option("one-example", "Only one."), Option("limit", "So many.", 3)))
    command = make_command(source)
    for arguments in (["x"], ["x", "--one-example", "--limit", "5", "-q"]):
        with pytest.raises(KbError, match="1 refused of x, 0 taken"):
            command.main([*arguments, "-o", str(tmp_path)], standalone_mode=False)
    assert seen == [(Path("x"), {"one_example": False, "limit": 3}), (Path("x"), {"one_example": True, "limit": 5})]


def test_help_lists_the_sources(kb: Kb) -> None:
    said = kb("ingest", "--help")
    assert said.code == 0
    assert all(source.name in said.out for source in SOURCES)


@UNHURRIED
@given(st.data())
def test_no_text_makes_the_reader_raise(data: st.DataObject) -> None:
    """Mutated JSON: bytes cut out, doubled or replaced anywhere in two records."""
    text = lines(RECORD, wrapped(other("two")))
    for _ in range(data.draw(st.integers(1, 4))):
        begin = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(begin, min(begin + 40, len(text))))
        text = (
            text[:begin]
            + data.draw(
                st.one_of(st.just(text[begin:end] * 2), st.text(max_size=8), st.sampled_from("{}[],:\"'\\\n01e"))
            )
            + text[end:]
        )
    for item in records_of(Path("x"), text):
        assert isinstance(item, Record) or (isinstance(item, Refusal) and item.faults and all(item.faults))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@UNHURRIED
@given(st.dictionaries(st.sampled_from(sorted(RECORD)), JSON, min_size=1))
def test_any_value_in_any_field_is_taken_or_refused(fields: dict[str, Any]) -> None:
    (item,) = records_of(Path("x"), json.dumps({**RECORD, **fields}))
    assert isinstance(item, Record) or (isinstance(item, Refusal) and all(item.faults))
