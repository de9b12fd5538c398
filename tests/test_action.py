"""The GitHub action: its shape, and its scripts as a runner would run them."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ACTION = yaml.safe_load((Path(__file__).parent.parent / "action.yml").read_text(encoding="utf-8"))
STEPS: dict[str, dict[str, Any]] = {step["id"]: step for step in ACTION["runs"]["steps"]}
SCRIPTS = {name: step for name, step in STEPS.items() if "run" in step}
BASH = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail"]  # as the runner calls it for `shell: bash`

STUB_KB = """#!/usr/bin/env bash
printf '%s\\0' "$@" > "$ARGUMENTS"
exit "${EXIT:-0}"
"""

STUB_PYTHON = """#!/usr/bin/env bash
if [ "$2" = venv ]; then mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; else printf '%s\\0' "$@" > "$ARGUMENTS"; fi
"""


def _executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def _run(step: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the script of a step in `folder`, with variables that its `env` names, and no others of ours."""
    base = {
        "PATH": os.environ["PATH"],
        "ARGUMENTS": str(folder / "arguments"),
        "RUNNER_TEMP": str(folder / "tmp of runner"),
    }
    base |= {"GITHUB_OUTPUT": str(folder / "output"), "GITHUB_STEP_SUMMARY": str(folder / "the summary")}
    assert set(environment) - {"EXIT"} <= set(SCRIPTS[step]["env"])
    script = folder / "script.sh"
    script.write_text(SCRIPTS[step]["run"], encoding="utf-8")
    return subprocess.run(
        [*BASH, str(script)], cwd=folder, env=base | environment, capture_output=True, text=True, check=False
    )


def _match(folder: Path, paths: str, args: str = "", **more: str) -> list[str]:
    """The arguments that `kb` gets for the inputs `paths` and `args`."""
    stub = _executable(folder / "stub" / "kb", STUB_KB)
    done = _run("match", folder, FAULTBOOK_BIN=str(stub.parent), FAULTBOOK_PATHS=paths, FAULTBOOK_ARGS=args,
                FAULTBOOK_FAIL_ON="never", **more)  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return (folder / "arguments").read_text(encoding="utf-8").split("\0")[:-1]


def test_every_script_names_its_shell_and_holds_no_expression() -> None:
    """An expression inside a script would paste an input into code; a composite step without a shell does not load."""
    assert ACTION["runs"]["using"] == "composite"
    assert set(SCRIPTS) == {"install", "match"}
    for step in SCRIPTS.values():
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]


def test_every_variable_of_a_script_is_handed_over() -> None:
    """Inputs are no environment variables in a composite action: each one that a script reads stands in its `env`."""
    for step in SCRIPTS.values():
        assert set(re.findall(r"\$\{?(FAULTBOOK_\w+)", step["run"])) == set(step["env"])


def test_inputs_are_used_and_outputs_are_wired() -> None:
    """Every expression names what exists, every input is used, every output has a value of the last step."""
    expressions = " ".join(re.findall(r"\$\{\{(.*?)\}\}", yaml.safe_dump(ACTION, width=10_000)))
    assert set(re.findall(r"inputs\.([\w-]+)", expressions)) == set(ACTION["inputs"])
    assert set(re.findall(r"steps\.(\w+)", expressions)) == set(STEPS)
    outputs = {name: output["value"] for name, output in ACTION["outputs"].items()}
    assert outputs == {name: f"${{{{ steps.match.outputs.{name} }}}}" for name in ("verdict", "root", "known")}


def test_defaults_do_not_fail_the_job_again() -> None:
    """A triage step reports; it makes the job fail only where it is asked to."""
    assert ACTION["inputs"]["fail-on"]["default"] == "never"


def test_other_actions_are_pinned() -> None:
    """A tag can be moved, a commit cannot."""
    for step in STEPS.values():
        assert "run" in step or re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step["uses"])


def test_arguments(tmp_path: Path) -> None:
    """The command is what the documentation says, with the files of the runner."""
    assert _match(tmp_path, "run.log", "--records my-records -v") == [
        "match", "--records", "my-records", "-v", "-f", "github", "--fail-on", "never",
        "--summary", str(tmp_path / "the summary"), "--outputs", str(tmp_path / "output"), "--", "run.log",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name",
    ["a b.log", "$(touch pwned)", "`touch pwned`", ";touch pwned;", "a' \"b.log", "a&&touch pwned", "rank[0].log",
     "x\\ny", "$HOME", "::error::x", "##[error]x", "é\u202e.log"],
)  # fmt: skip
@pytest.mark.parametrize("there", [True, False])
def test_nasty_names_reach_kb_as_they_are(tmp_path: Path, name: str, there: bool) -> None:
    """A name on a line of its own reaches `kb` letter by letter, and nothing in it is run."""
    if there:
        (tmp_path / name).write_text("", encoding="utf-8")
    assert _match(tmp_path, f"{name}\nnext.log\n")[-3:] == ["--", name, "next.log"]
    assert not (tmp_path / "pwned").exists()


def test_nasty_names_found_by_a_glob(tmp_path: Path) -> None:
    """A glob on a single line finds names with blanks, each as one argument."""
    folder = tmp_path / "logs"
    folder.mkdir()
    names = ["$(touch pwned).log", "a  b.log", "c;d.log"]
    for name in names:
        (folder / name).write_text("", encoding="utf-8")
    assert _match(tmp_path, "first.log logs/*.log")[-5:] == ["--", "first.log", *(f"logs/{name}" for name in names)]
    assert not (tmp_path / "pwned").exists()


def test_paths_on_several_lines(tmp_path: Path) -> None:
    """Lines may be indented, empty, or end as on Windows."""
    assert _match(tmp_path, "\r\n  one.log\r\n\n two words.log \r\n")[-3:] == ["--", "one.log", "two words.log"]


def test_a_glob_that_finds_nothing_is_left_to_kb(tmp_path: Path) -> None:
    """`kb` then says what is not there, instead of a silent green step."""
    assert _match(tmp_path, "none/*.log")[-2:] == ["--", "none/*.log"]


def test_dashes_are_neither_options_nor_standard_input(tmp_path: Path) -> None:
    """There is no standard input in a step, and an option in `paths` is a file."""
    assert _match(tmp_path, "- --db=x")[-3:] == ["--", "./-", "./--db=x"]


def test_arguments_are_neither_expanded_nor_evaluated(tmp_path: Path) -> None:
    """What stands in `args` reaches `kb` word by word."""
    assert _match(tmp_path, "a.log", "--db $(touch pwned) * `id`")[1:7] == [
        "--db",
        "$(touch",
        "pwned)",
        "*",
        "`id`",
        "-f",
    ]
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("paths", ["", "  ", "\n \n"])
def test_no_paths_is_trouble(tmp_path: Path, paths: str) -> None:
    """Without a log there is nothing to say, and the step says so."""
    _executable(tmp_path / "stub" / "kb", STUB_KB)
    done = _run("match", tmp_path, FAULTBOOK_BIN=str(tmp_path / "stub"), FAULTBOOK_PATHS=paths, FAULTBOOK_ARGS="",
                FAULTBOOK_FAIL_ON="never")  # fmt: skip
    assert done.returncode == 2
    assert "`paths` is empty" in done.stderr
    assert not (tmp_path / "arguments").exists()


@pytest.mark.parametrize("code", [0, 1, 2])
def test_the_exit_code_is_that_of_kb(tmp_path: Path, code: int) -> None:
    """The gate is `kb`'s own."""
    _executable(tmp_path / "stub" / "kb", STUB_KB)
    done = _run("match", tmp_path, FAULTBOOK_BIN=str(tmp_path / "stub"), FAULTBOOK_PATHS="a.log", FAULTBOOK_ARGS="",
                FAULTBOOK_FAIL_ON="root", EXIT=str(code))  # fmt: skip
    assert done.returncode == code


@pytest.mark.parametrize(
    ("version", "wanted"),
    [
        ("", "/the action"),
        ("0.1.0", "faultbook==0.1.0"),
        (">=0.1,<1", "faultbook>=0.1,<1"),
        ("~=0.1", "faultbook~=0.1"),
        ("faultbook[web]==0.1.0", "faultbook[web]==0.1.0"),
        ("$(touch pwned); x", "$(touch pwned); x"),
        ("--index-url=http://evil.example", "--index-url=http://evil.example"),
    ],
)
def test_installation(tmp_path: Path, version: str, wanted: str) -> None:
    """Installed is the wanted version into an environment of its own, whose place the next step learns."""
    python = _executable(tmp_path / "my python" / "python", STUB_PYTHON)
    done = _run("install", tmp_path, FAULTBOOK_PYTHON=str(python), FAULTBOOK_VERSION=version,
                FAULTBOOK_SOURCE="/the action")  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    arguments = (tmp_path / "arguments").read_text(encoding="utf-8").split("\0")[:-1]
    assert arguments[:3] == ["-m", "pip", "install"]
    assert arguments[-2:] == ["--", wanted]
    assert (tmp_path / "output").read_text(encoding="utf-8") == f"bin={tmp_path}/tmp of runner/faultbook/bin\n"
    assert not (tmp_path / "pwned").exists()
