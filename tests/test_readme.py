"""The README tells the truth: its capture is what the tool prints, its commands and options exist."""

import re
from pathlib import Path

import pytest
from test_match_command import kb

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
CAPTURE = re.compile(r"(<!-- capture: .*?-->\n```text\n)(.*?)(```\n<!-- end -->)", re.DOTALL)


def test_the_capture_is_what_the_tool_prints(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    printed = "$ kb match peer_kill.log\n" + kb("match", "peer_kill.log").stdout.decode()
    text = README.read_text(encoding="utf-8")
    if request.config.getoption("--update"):
        text = CAPTURE.sub(lambda found: found[1] + printed + found[3], text)
        README.write_text(text, encoding="utf-8", newline="\n")
    found = CAPTURE.search(text)
    assert found is not None and found[2] == printed, "the capture is old: run pytest --update"


def test_every_command_and_option_that_is_named_exists() -> None:
    text = CAPTURE.sub("", README.read_text(encoding="utf-8"))
    for command, rest in re.findall(r"\bkb (match|build|lint|show|search|serve|ingest|export|explain|hang|capture)\b([^`\n]*)", text):
        shown = kb(command, "--help").stdout.decode()
        if command in ("ingest", "export"):
            shown += kb(command, "errlookup", "--help").stdout.decode()
        for option in re.findall(r"(?<!\S)(--?[a-z-]+)", rest.partition("#")[0].partition("&&")[0].partition(";")[0]):
            assert option in shown, f"kb {command} has no {option}"
