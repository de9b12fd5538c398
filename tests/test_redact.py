"""Secrets do not leave in reports that are asked to be redacted."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_match_command import kb

from kb.text.redact import redact

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
SECRETS = [
    "ghp_" + LETTERS, "glpat-" + LETTERS[:20], "hf_" + LETTERS, "sk-proj-" + LETTERS, "AKIA" + "A1B2C3D4E5F6G7H8", "xoxb-" + LETTERS[:24],
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdEFGH", "AIza" + (LETTERS * 2)[:35],
]  # fmt: skip


@pytest.mark.parametrize("secret", SECRETS)
def test_tokens_go_wherever_they_stand(secret: str) -> None:
    for text in (secret, f"error: {secret}.", f"('{secret}')", f"?key={secret}&x=1", f"Bearer {secret}"):
        assert secret not in redact(text)


@pytest.mark.parametrize(("text", "shown"), [
    ("postgres://joe:hunter2@db:5432/app", "postgres://<credentials>@db:5432/app"),
    ("DB_PASSWORD=hunter22 starting", "DB_PASSWORD=<secret> starting"),
    ('{"api_key": "abcd1234"}', '{"api_key": "<secret>"}'),
    ("mail joe.doe@example.org now", "mail <email> now"),
    ('File "/home/joe/app/run.py", line 3', 'File "/home/<home>/app/run.py", line 3'),
    ("token: invalid", "token: invalid"),
    ("max_tokens=4096 is too many", "max_tokens=4096 is too many"),
    ("tokenizer: slow", "tokenizer: slow"),
])  # fmt: skip
def test_what_is_redacted_and_what_stays(text: str, shown: str) -> None:
    assert redact(text) == shown


@given(st.text(max_size=300))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "markdown", "github"])
def test_no_output_of_a_redacted_report_holds_a_secret(form: str, tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    log.write_text(
        "Traceback (most recent call last):\n"
        f'  File "/home/joesixpack/run.py", line 3, in main\n    connect("{SECRETS[0]}")\n'
        f"ConnectionError: cannot reach https://joe:{SECRETS[1]}@hub.example.org with {SECRETS[2]}\n"
    )
    plain = kb("match", log, "-f", form).stdout.decode()
    done = kb("match", log, "-f", form, "--redact", "--summary", tmp_path / "summary.md")
    said = done.stdout.decode() + (tmp_path / "summary.md").read_text()
    assert SECRETS[2] in plain or form == "github"
    for secret in (*SECRETS[:3], "joesixpack"):
        assert secret not in said
    if form == "json":
        assert json.loads(done.stdout)["events"][0]["class"] == "ConnectionError"
