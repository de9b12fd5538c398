"""Whole runs: each `runs/NAME.log` has the verdict that `runs/NAME.expected` shows. `pytest --update` writes these anew."""

from pathlib import Path

import pytest
from conftest import compare

from kb.model.report import Diagnosis
from kb.pipeline import Pipeline

RUNS = sorted((Path(__file__).parent / "runs").glob("*.log"))


def told(diagnosis: Diagnosis) -> str:
    """A diagnosis in a few lines."""
    rows = [f"verdict {diagnosis.verdict}"]
    for finding in diagnosis.findings:
        event = finding.event
        place, first = f"line {event.line} ({event.span[0]}-{event.span[1]})", event.message.partition("\n")[0]
        who = f"ranks [{' '.join(finding.ranks)}]"
        rows.append(f"{finding.role} {event.kind} {place} x{finding.count} {who} {event.cls or '-'}: {first}")
        rows += [f"    {match.tier} {match.key} {match.confidence:.2f}" for match in finding.matches]
        rows.append(f"    because {finding.reason}")
    if diagnosis.hint:
        rows.append(f"hint [{' '.join(diagnosis.hint.ranks)}] {diagnosis.hint.detail}")
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize("log", RUNS, ids=lambda path: path.stem)
def test_a_run_has_its_verdict(log: Path, pipeline: Pipeline, request: pytest.FixtureRequest) -> None:
    compare(log.with_suffix(".expected"), told(pipeline.run(str(log))), request.config.getoption("--update"))


@pytest.mark.parametrize("log", RUNS, ids=lambda path: path.stem)
def test_every_form_of_the_same_text_has_the_same_verdict(log: Path, pipeline: Pipeline, tmp_path: Path) -> None:
    import gzip

    wanted = told(pipeline.run(str(log)))
    text = log.read_bytes()
    forms = {
        "crlf": text.replace(b"\n", b"\r\n"),
        "gzip": gzip.compress(text),
        "utf16": text.decode().encode("utf-16"),
        "bom": b"\xef\xbb\xbf" + text,
        "colour": b"".join(b"\x1b[31m" + line + b"\x1b[0m\n" for line in text.splitlines()),
    }
    for name, data in forms.items():
        file = tmp_path / name
        file.write_bytes(data)
        assert told(pipeline.run(str(file))) == wanted, name


def test_the_answer_is_the_same_every_time(pipeline: Pipeline) -> None:
    from kb.report import Style
    from kb.report.json import RENDERER

    first, second = (RENDERER.render([pipeline.run(str(log)) for log in RUNS], Style()) for _ in range(2))
    assert first == second
