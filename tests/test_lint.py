"""`kb lint`: every fault, each on its line, whatever else is wrong with the record."""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic.alias_generators import to_camel

from kb.model.record import Record, complete, parse_record
from kb.store.drafts import Draft
from kb.store.files import curated_key, record_files
from kb.store.lint import lint_files

SOUND = """\
repo = "acme/rocket"
error_message = "valve {name} did not open in time"
documentation = "The valve is stuck."
solutions = ["Warm it."]
tags = ["fuel"]

[kb]
role = "cause"

[[kb.signatures]]
message = "valve {name} did not open in time"

[[kb.examples]]
text = "ValveError: valve 7 did not open in time"

[[kb.counter_examples]]
why = "another valve"
text = "ValveError: valve 7 opened in time"

[kb.provenance]
solutions = { by = "curated" }
"""
Kb = Callable[..., Any]
pytest_plugins = ("commandline",)
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For a busy machine: no example fails for being slow."""


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes a curated record, changed by (old, new) pairs, as TOML or as a line of JSON behind a blank line."""

    def written(*changes: tuple[str, str], name: str = "valve", form: str = "toml") -> Path:
        text = SOUND
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        file = tmp_path / "records" / "curated" / "rocket" / f"{name}.{form}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text if form == "toml" else f"\n{json.dumps(as_json(text))}\n")
        return file

    return written


def as_json(text: str) -> dict[str, Any]:
    data = complete({to_camel(name): value for name, value in tomllib.loads(text).items()}, slug="valve")
    return {**data, "kb": {"trust": "curated", **data["kb"]}}


def number_of(file: Path, text: str) -> int:
    """The line of a file that begins with a text."""
    return next(number for number, line in enumerate(file.read_text().splitlines(), 1) if line.startswith(text))


@pytest.mark.parametrize("form", ["toml", "jsonl", "json"])
def test_a_sound_record_has_no_fault(kb: Kb, write: Callable[..., Path], form: str) -> None:
    write(form=form)
    said = kb("lint", "records")
    assert (said.code, said.out) == (0, "")
    assert said.err == "0 faults in 1 record\n"


@pytest.mark.parametrize("form", ["toml", "jsonl"])
def test_five_faults_are_five_lines(kb: Kb, write: Callable[..., Path], form: str) -> None:
    file = write(
        ('repo = "acme/rocket"', 'repo = "acme rocket"'),
        ('tags = ["fuel"]', 'tags = ["Fuel"]\ncolour = "red"'),
        ('role = "cause"', 'role = "hero"'),
        (
            '[[kb.signatures]]\nmessage = "valve {name} did not open in time"',
            "[[kb.signatures]]\npattern = '(?<=valve) \\d+'",
        ),
        form=form,
    )
    said = kb("lint", "records")
    assert said.code == 1
    lines = said.out.splitlines()
    assert len(lines) == 5
    assert lines == sorted(lines, key=lambda line: int(line.split(":")[1]))
    begins = ("repo", "tags", "colour", "role", "pattern") if form == "toml" else ()
    assert [int(line.split(":")[1]) for line in lines] == ([number_of(file, begin) for begin in begins] or [2] * 5)
    for word in ("repo 'acme rocket'", "tags.0 'Fuel'", "colour is not a field", "role 'hero'", "is refused by RE2"):
        assert sum(word in line for line in lines) == 1
    assert said.err == "5 faults in 1 record\n"


WEAK = ('[[kb.signatures]]\nmessage = "valve {name} did not open in time"', '[[kb.signatures]]\nmessage = "did not"')


@pytest.mark.parametrize(
    ("changes", "place", "sentence"),
    [
        (
            (
                (
                    '[[kb.signatures]]\nmessage = "valve {name} did not open in time"',
                    "[[kb.signatures]]\npattern = '(valve) \\1'",
                ),
            ),
            "pattern",
            "kb.signatures.0.pattern '(valve) \\\\1' is refused by RE2",
        ),
        ((WEAK,), "message", "kb.signatures.0.message 'did not' is weak"),
        (
            (
                (
                    'message = "valve {name} did not open in time"\ndoc',
                    'message = "valve {a} or {a} did not open in time"\ndoc',
                ),
            ),
            "error_message",
            "error_message has the hole {a} 2 times",
        ),
        (
            (
                ('[[kb.signatures]]\nmessage = "valve {name} did', '[[kb.signatures]]\nmessage = "{a} valve {a} did'),
                ("Error: valve 7 did", "Error: a valve 7 did"),
            ),
            "message",
            "kb.signatures.0.message has the hole {a} 2 times",
        ),
        ((('solutions = ["Warm it."]\n', ""),), "repo", "solutions is missing"),
        ((('tags = ["fuel"]\n', ""),), "repo", "tags is missing"),
        (
            (('solutions = { by = "curated" }', 'tags = { by = "curated" }'),),
            "[kb.provenance]",
            "kb.provenance.solutions is missing",
        ),
        (
            (('role = "cause"', 'symptom_of = ["rocket/valve", "rocket/none"]'),),
            "symptom_of",
            "kb.symptom_of.1 'rocket/none' is the id or key of no record",
        ),
        (
            (('role = "cause"', 'supersedes = ["0123456789abcdef"]'),),
            "supersedes",
            "kb.supersedes.0 '0123456789abcdef' is the id or key of no record",
        ),
        (
            (
                (
                    '[[kb.signatures]]\nmessage = "valve {name} did not open in time"',
                    "[[kb.signatures]]\npattern = 'did not open in time'",
                ),
            ),
            "pattern",
            "kb.signatures.0.pattern 'did not open in time' has no metacharacter: move it to message",
        ),
        (
            (('text = "ValveError: valve 7 did not open in time"', 'text = "all is well"'),),
            "text",
            "kb.examples.0.text is not found",
        ),
        (
            (('text = "ValveError: valve 7 opened in time"', 'text = "valve 8 did not open in time"'),),
            'text = "valve 8',
            "kb.counter_examples.0.text is found",
        ),
    ],
)
def test_what_the_model_cannot_see(
    kb: Kb, write: Callable[..., Path], changes: tuple[tuple[str, str], ...], place: str, sentence: str
) -> None:
    file = write(*changes)
    lines = [line for line in kb("lint", "records").out.splitlines() if sentence in line]
    assert len(lines) == 1
    assert lines[0].startswith(f"records/curated/rocket/valve.toml:{number_of(file, place)}: ")


@pytest.mark.parametrize(
    "message",
    [
        r"took \d+ ms until the valve opened",
        r"valve \(main\) did not open",
        "valve .* did not open",
        "(?i)valve did not open",
        "valve [0-9]+ did not open in time",
    ],
)
def test_a_message_that_is_a_pattern(kb: Kb, write: Callable[..., Path], message: str) -> None:
    write(
        (
            '[[kb.signatures]]\nmessage = "valve {name} did not open in time"',
            f"[[kb.signatures]]\nmessage = '{message}'",
        )
    )
    assert "kb.signatures.0.message" in kb("lint", "records").out
    assert "looks like a regular expression" in kb("lint", "records").out


@pytest.mark.parametrize(
    "message",
    [
        r"C:\data\system\winners is no valve",
        "valve (main) did not open ... [Errno 2]",
        "No matching valve for *.py^2 + $HOME?",
    ],
)
def test_a_message_that_only_has_odd_characters(kb: Kb, write: Callable[..., Path], message: str) -> None:
    write(
        (
            '[[kb.signatures]]\nmessage = "valve {name} did not open in time"',
            f"[[kb.signatures]]\nmessage = '{message}'",
        ),
        ('text = "ValveError: valve 7 did not open in time"', f"text = 'ValveError: {message}'"),
    )
    assert "looks like" not in kb("lint", "records").out


def test_the_pattern_of_a_record_counts_where_no_signature_replaces_it(kb: Kb, write: Callable[..., Path]) -> None:
    own = ('tags = ["fuel"]', "tags = [\"fuel\"]\nmessage_pattern = '(?=valve) .*'")
    write(own)
    assert kb("lint", "records").code == 0
    write(own, ('[[kb.signatures]]\nmessage = "valve {name} did not open in time"', ""))
    assert "message_pattern '(?=valve) .*' is refused by RE2" in kb("lint", "records").out


def test_the_line_of_an_example_in_json_lines(kb: Kb, write: Callable[..., Path]) -> None:
    write(('text = "ValveError: valve 7 did not open in time"', 'text = "all is well"'), form="jsonl")
    assert kb("lint", "records").out.startswith("records/curated/rocket/valve.jsonl:2: kb.examples.0.text is not found")


def test_a_weak_message_with_something_that_must_agree_is_enough(kb: Kb, write: Callable[..., Path]) -> None:
    write(WEAK, ("[[kb.examples]]", '[[kb.examples]]\nwhy = "x"'))
    assert "is weak" in kb("lint", "records").out
    for support in ('class = "ValveError"', "exit_status = -9", 'frames = [{ file = "rocket/valve.py" }]'):
        write((WEAK[0], f"{WEAK[1]}\n{support}"))
        assert "is weak" not in kb("lint", "records").out


def test_equal_ids_and_keys_over_all_files(kb: Kb, write: Callable[..., Path]) -> None:
    write(name="a")
    write(name="b")
    said = kb("lint", "records")
    assert said.code == 1
    (line,) = said.out.splitlines()
    begin, first = "records/curated/rocket/b.toml:1: id", "records/curated/rocket/a.toml:1"
    assert re.fullmatch(rf"{begin} [0-9a-f]{{16}} is that of {first} too: keep one of them", line)
    assert kb("lint", "records", "records/curated", Path("records").resolve()).out == said.out


def test_equal_keys_of_different_records(kb: Kb, tmp_path: Path) -> None:
    rows = [
        complete({"repo": "acme/rocket", "slug": "same", "errorMessage": text, "documentation": "x"})
        for text in ("valve one is stuck", "valve two is stuck")
    ]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert (
        kb("lint", "a.jsonl").out
        == "a.jsonl:2: slug gives the key acme/rocket/same, which a.jsonl:1 has too: rename one\n"
    )


def test_references_are_left_alone_when_files_are_named(kb: Kb, write: Callable[..., Path]) -> None:
    file = write(('role = "cause"', 'symptom_of = ["rocket/none"]'))
    assert kb("lint", file).code == 0


def test_shipped_records_may_be_referred_to(kb: Kb, write: Callable[..., Path]) -> None:
    write(('role = "cause"', 'symptom_of = ["vllm/engine-dead"]'))
    assert kb("lint", "records").code == 0


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 100_000,
        b"a = " + b"[" * 5_000,
        b'{"a": "\xff"}',
        b'{"repo": "a/b", "errorMessage": "\\ud800"}',
        b"\x00",
        b"",
        b"[1, null, {}]",
        b'{"kb": [], "repo": {}}',
        b'{"kb": {"signatures": [1, {"pattern": 3, "message": []}], "provenance": 7, "symptom_of": {"a": 1}}}',
        b'{"kb": {"signatures": [{"pattern": "\\ud800"}]}}',
        b'{"tags": ' + b"[" * 950 + b"]" * 950 + b"}",
    ],
)
@pytest.mark.parametrize("suffix", ["json", "jsonl", "toml"])
def test_hostile_files_give_faults_and_no_traceback(kb: Kb, tmp_path: Path, content: bytes, suffix: str) -> None:
    (tmp_path / f"evil.{suffix}").write_bytes(content)
    said = kb("lint", f"evil.{suffix}")
    assert said.code == (0 if (content, suffix) == (b"", "jsonl") else 1)
    assert all(line.startswith(f"evil.{suffix}:") for line in said.out.splitlines())


def test_control_characters_are_not_printed(kb: Kb, write: Callable[..., Path]) -> None:
    write(('tags = ["fuel"]', 'tags = ["fuel"]\n"\\u001b[2J\\n" = 1'))
    out = kb("lint", "records").out
    assert "\x1b" not in out
    assert out
    assert all(line.startswith("records/curated/rocket/valve.toml:") for line in out.splitlines())


def test_as_json(kb: Kb, write: Callable[..., Path]) -> None:
    file = write(('role = "cause"', 'role = "hero"'))
    document = json.loads(kb("lint", file, "-f", "json").out)
    assert document["schema_version"] == 1
    (fault,) = document["faults"]
    assert (fault["file"], fault["line"]) == (str(file), number_of(file, "role"))
    assert fault["sentence"].startswith("kb.role 'hero'")


def test_as_annotations(kb: Kb, tmp_path: Path) -> None:
    (tmp_path / "100%,a:b.jsonl").write_text('\n{"50%\\n": 1}\n')
    lines = kb("lint", "100%,a:b.jsonl", "-f", "github").out.splitlines()
    assert lines
    assert all(line.startswith("::error file=100%25%2Ca%3Ab.jsonl,line=2::") for line in lines)
    assert sum("50%25 is not a field" in line for line in lines) == 1


@pytest.mark.parametrize(("arguments", "reason"), [(("missing",), "no record folder missing"), (("-f", "xml"), "xml")])
def test_trouble_is_2(kb: Kb, arguments: tuple[str, ...], reason: str) -> None:
    said = kb("lint", *arguments)
    assert said.code == 2
    assert said.out == ""
    assert reason in said.err


def test_the_default_is_the_shipped_and_configured_records(kb: Kb, write: Callable[..., Path], tmp_path: Path) -> None:
    write(('role = "cause"', 'role = "hero"'))
    (tmp_path / "kb.toml").write_text('records = ["records"]')
    said = kb("lint")
    assert said.code == 1
    assert str(tmp_path / "records" / "curated" / "rocket" / "valve.toml") in said.out
    assert int(said.err.split(" in ")[1].split()[0]) > 100


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["message", "pattern", "class", "frames", "signatures", "solutions", "trust", "symptom_of"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@UNHURRIED
@given(st.dictionaries(st.sampled_from(sorted(as_json(SOUND))), JSON))
def test_no_value_of_a_field_makes_lint_raise(tmp_path_factory: pytest.TempPathFactory, fields: dict[str, Any]) -> None:
    file = tmp_path_factory.getbasetemp() / "any.json"
    data = {**as_json(SOUND), **fields}
    file.write_text(json.dumps(data))
    linted = lint_files(record_files([file]))
    assert linted.count == 1
    assert isinstance(parse_record(data), Record) == bool(linted.stored)
    assert linted.stored or linted.faults


def test_a_draft_names_fields_as_its_file_does() -> None:
    draft = Draft(Path("a.toml"), {"error_message": "x"}, True, lambda path: 1, None, None)
    assert (draft.get("error_message"), draft.named("error_message"), draft.curated) == ("x", "error_message", True)
    draft = Draft(Path("a.json"), {"errorMessage": "x"}, False, lambda path: 1, None, None)
    assert (draft.get("error_message"), draft.named("error_message"), draft.curated) == ("x", "errorMessage", False)


def test_keys_begin_below_curated(write: Callable[..., Path], tmp_path: Path) -> None:
    assert curated_key(tmp_path, write()) == "rocket/valve"
