"""`kb show` and `kb search`: records by name and by words."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kb.cli._record import record_blocks
from kb.cli.search import lines_of
from kb.cli.show import markdown_lines, text_lines
from kb.model.record import complete
from kb.report._visible import powerless

pytest_plugins = ("commandline",)
Kb = Callable[..., Any]

FULL: dict[str, Any] = complete(
    {
        "repo": "acme/rocket",
        "slug": "valve-stuck",
        "errorMessage": "valve {name} did not open",
        "errorClass": "rocket.ValveError",
        "errorCode": "V17",
        "filePath": "rocket/valve.py",
        "lineNumber": 12,
        "sourceCode": "raise ValveError(name)",
        "sourceCodeStart": 12,
        "sourceCodeEnd": 12,
        "githubUrl": "https://github.com/acme/rocket/blob/main/rocket/valve.py#L12",
        "documentation": "Meaning. " * 30 + "\nSecond paragraph.",
        "triggerScenarios": "Trigger words.",
        "commonSituations": "Situation words.",
        "solutions": ["First step. " * 12, "Second step."],
        "exampleFix": "- old\n+ new",
        "handlingStrategy": "retry",
        "validationCode": "assert ready()",
        "typeGuard": "isinstance(error, ValveError)",
        "tryCatchPattern": "try:\n    open_valve()\nexcept ValveError:\n    warm()",
        "preventionTips": ["Prevention tip."],
        "tags": ["hydraulics"],
        "kb": {
            "title": "A valve is stuck",
            "role": "symptom",
            "trust": "imported",
            "symptom_of": ["acme/rocket/cold"],
            "links": ["https://acme.example/7"],
            "applies": [{"package": "rocket", "versions": ">=2"}],
            "signatures": [
                {
                    "class": ["ValveError", "OSError"],
                    "message": "valve {name} did not",
                    "when": "error",
                    "frames": [{"file": "rocket/valve.py", "function": "open_valve"}],
                },
                {"exit_status": -9},
            ],
            "provenance": {
                "solutions": {"by": "imported", "rule": "errlookup", "source": "2026", "confidence": "users"}
            },
        },
    }
)
PARTS = (
    "A valve is stuck",
    "valve {name} did not open",
    "rocket.ValveError",
    "Meaning.",
    "Trigger words.",
    "Situation words.",
    "1. First step.",
    "2. Second step.",
    "open_valve()",
    "Prevention tip.",
    "https://github.com/acme/rocket/blob/main",
    "class ValveError or OSError",
    "exit status -9",
    "solutions: imported",
)


def record(slug: str, message: str, **rest: Any) -> dict[str, Any]:
    return complete(
        {"repo": "acme/rocket", "slug": slug, "errorMessage": message, "documentation": "Nothing more.", **rest}
    )


@pytest.fixture
def db(kb: Kb) -> Path:
    """An index of a few records."""
    Path("r").mkdir()
    rows = [
        FULL,
        record("fuel-low", "fuel is low in tank {tank}"),
        record("fuel-high", "fuel is high in tank {tank}"),
        record("lamp-out", "the lamp is out"),
        {**record("lamp-out", "the lamp is out"), "repo": "acme/boat"},
    ]
    rows[-1].pop("id")
    Path("r/all.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert kb("build", "--records", "r", "--db", "kb.db", "-q").code == 0
    return Path("kb.db")


def test_everything_is_shown_in_the_order_of_a_report(kb: Kb, db: Path) -> None:
    said = kb("show", FULL["id"], "--db", db)
    assert (said.code, said.err) == (0, "")
    places = [said.out.index(part) for part in PARTS]
    assert places == sorted(places)
    for field in ("exampleFix", "validationCode", "typeGuard", "sourceCode", "errorCode"):
        assert FULL[field].split("\n")[0] in said.out
    for words in (
        "acme/rocket/cold",
        "https://acme.example/7",
        "rocket >=2",
        "only error events",
        "open_valve of rocket/valve.py",
    ):
        assert words in said.out


def test_lines_fit_80_columns_and_no_colour_is_in_a_pipe(kb: Kb, db: Path) -> None:
    out = kb("show", FULL["id"], "--db", db).out
    assert "\x1b" not in out
    assert max(len(line) for line in out.splitlines() if "https://" not in line) <= 80


@pytest.mark.parametrize("name", [FULL["id"], "acme/rocket/valve-stuck", "rocket/valve-stuck", "valve-stuck"])
def test_a_record_has_many_names(kb: Kb, db: Path, name: str) -> None:
    said = kb("show", name, "--db", db, "-f", "json")
    assert said.code == 0
    shown = json.loads(said.out)
    assert (shown["id"], shown["key"], shown["title"], shown["role"]) == (
        FULL["id"],
        "acme/rocket/valve-stuck",
        "A valve is stuck",
        "symptom",
    )
    assert shown["solutions"] == FULL["solutions"]
    assert shown["kb"]["signatures"] == FULL["kb"]["signatures"]


def test_a_name_of_several_records_lists_them(kb: Kb, db: Path) -> None:
    said = kb("show", "lamp-out", "--db", db)
    assert (said.code, said.out) == (2, "")
    assert said.err.splitlines() == [
        "acme/boat/lamp-out",
        "acme/rocket/lamp-out",
        "kb: lamp-out fits 2 records: name one of them by its whole key",
    ]
    assert kb("show", "acme/boat/lamp-out", "--db", db).code == 0


@pytest.mark.parametrize("name", ["valve_stuck", "VALVE-STUCK", "%", "stuck", "ket/valve-stuck"])
def test_only_whole_ends_of_keys_are_names(kb: Kb, db: Path, name: str) -> None:
    assert kb("show", name, "--db", db).code == 1


def test_near_keys_are_offered(kb: Kb, db: Path) -> None:
    said = kb("show", "rocket/valve-stuk", "--db", db)
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith("no record rocket/valve-stuk; is it acme/rocket/valve-stuck")
    assert kb("show", "zzz", "--db", db).err == "no record zzz: `kb search` finds names\n"


def test_the_shipped_records_are_the_default(kb: Kb) -> None:
    assert "EngineDeadError" in kb("show", "vllm/engine-dead").out
    assert kb("show", "x", "--db", "missing.db").code == 2


def test_markdown(kb: Kb, db: Path) -> None:
    out = kb("show", FULL["id"], "--db", db, "-f", "markdown").out
    assert out.startswith("# A valve is stuck\n")
    assert "<pre>try:\n    open_valve()\nexcept ValveError:\n    warm()</pre>" in out
    assert "\n1. First step." in out
    assert "\n2. Second step." in out


HOSTILE: dict[str, Any] = {
    **FULL,
    "key": "acme/rocket/valve-stuck",
    "title": "<script>alert(1)</script>\x1b[2J",
    "role": "cause",
    "trust": "model",
    "source": "a.jsonl",
    "documentation": "# no heading\n::error::no command\n<img src=x onerror=alert(1)>",
    "tryCatchPattern": "```\n# out of the fence\n\x1b]0;title\x07",
    "errorMessage": "::error::\r\x1b[31mred",
}


def test_foreign_text_steers_nothing() -> None:
    text = "\n".join(line for line, _ in text_lines(record_blocks(HOSTILE)))
    markdown = "\n".join(markdown_lines(record_blocks(HOSTILE)))
    for shown in (powerless(text), markdown):
        assert "::error" not in shown
        assert "\x1b" not in shown
        assert "\x07" not in shown
        assert "\r" not in shown
    assert "<script" not in markdown
    assert "<img" not in markdown
    assert [line for line in markdown.splitlines() if line.startswith("# ")] == [
        markdown.splitlines()[0],
        "# out of the fence",
    ]
    assert "<pre>```\n# out of the fence\n" in markdown


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_record_commands_no_ci_runner(kb: Kb, form: str) -> None:
    Path("bad.jsonl").write_text(json.dumps(record("bad", "::error::red", documentation="::add-mask::all\n##[group]x")))
    kb("build", "--records", "bad.jsonl", "--db", "bad.db", "-q")
    out = kb("show", "bad", "--db", "bad.db", "-f", form).out
    assert "red" in out
    assert not re.search(r"^\s*::|##\[", out, re.MULTILINE)


def test_a_bare_record_shows_no_empty_parts(kb: Kb, db: Path) -> None:
    out = kb("show", "fuel-low", "--db", db).out
    for label in ("What to do", "How to prevent it", "When it appears", "Source", "None"):
        assert label not in out
    assert "pattern fuel is low in tank (.+?)" in out


def on_a_terminal(*arguments: object, **environment: str) -> str:
    """What a command prints on a terminal of 60 columns."""
    ours, theirs = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-m", "kb", *map(str, arguments)],
        stdout=theirs,
        env=os.environ | {"COLUMNS": "60", "TERM": "xterm"} | environment,
    )
    os.close(theirs)
    out = b""
    try:
        while part := os.read(ours, 65536):
            out += part
    except OSError:  # how Linux says that the other end is closed
        pass
    done.wait()
    os.close(ours)
    return out.decode()


def test_headings_are_bold_on_a_terminal_only(kb: Kb, db: Path) -> None:
    assert "\x1b[1mWhat to do\x1b[0m" in on_a_terminal("show", FULL["id"], "--db", db)
    assert "\x1b" not in on_a_terminal("show", FULL["id"], "--db", db, NO_COLOR="1", TERM="dumb")


def test_rich_is_not_loaded_for_a_pipe(kb: Kb, db: Path) -> None:
    code = "import sys; from kb.cli import main\ntry: main()\nexcept SystemExit: print('rich' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, "show", FULL["id"], "--db", str(db)], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "False"


def test_search_prints_key_title_and_role(kb: Kb, db: Path) -> None:
    said = kb("search", "valve", "--db", db)
    assert (said.code, said.out, said.err) == (0, "acme/rocket/valve-stuck  A valve is stuck  [symptom]\n", "")


def test_search_wants_all_words_and_falls_back_to_any(kb: Kb, db: Path) -> None:
    every = kb("search", "fuel", "low", "--db", db)
    assert [line.split()[0] for line in every.out.splitlines()] == ["acme/rocket/fuel-low"]
    assert every.err == ""
    some = kb("search", "fuel low", "parachute", "--db", db)
    assert [line.split()[0] for line in some.out.splitlines()] == ["acme/rocket/fuel-low", "acme/rocket/fuel-high"]
    assert "some" in some.err
    assert kb("search", "fuel", "low", "parachute", "-n", "1", "--db", db).out.count("\n") == 1


def test_search_that_finds_nothing(kb: Kb, db: Path) -> None:
    said = kb("search", "parachute", "--db", db)
    assert (said.code, said.out) == (1, "")


@pytest.mark.parametrize("text", ['"', "NEAR(", "a AND", "*", "-x", "key:valve", "valve'); drop table records; --"])
def test_search_takes_any_text_as_words(kb: Kb, db: Path, text: str) -> None:
    assert kb("search", "--db", db, "--", text).code in (0, 1)
    assert kb("show", "valve-stuck", "--db", db).code == 0


def test_search_as_json(kb: Kb, db: Path) -> None:
    said = kb("search", "fuel", "parachute", "--db", db, "-f", "json")
    document = json.loads(said.out)
    assert (document["schema_version"], document["query"], document["words"]) == (1, "fuel parachute", "any")
    assert {row["key"] for row in document["records"]} == {"acme/rocket/fuel-low", "acme/rocket/fuel-high"}
    assert document["records"][0]["errorMessage"].startswith("fuel is")
    assert json.loads(kb("search", "parachute", "--db", db, "-f", "json").out)["records"] == []


def test_search_fits_the_terminal(kb: Kb, db: Path) -> None:
    lines = on_a_terminal("search", "fuel", "--db", db).splitlines()
    assert len(lines) == 2
    long = {"key": "a/b/c", "title": "漢字 title " * 20, "role": "cause"}
    (line,) = lines_of([long], 40)
    assert line.startswith("a/b/c  漢字")
    assert line.endswith("...  [cause]")
    assert sum(1 + (char > "\u2e80") for char in line) <= 40
    assert next(lines_of([long], None)).count("title") == 20


def test_bad_usage(kb: Kb, db: Path) -> None:
    for arguments in (
        ("search",),
        ("search", "x", "-n", "0"),
        ("search", "x", "-n", "9" * 30),
        ("show",),
        ("show", "x", "-f", "xml"),
    ):
        said = kb(*arguments)
        assert said.code == 2
        assert len(said.err.splitlines()) == 1
