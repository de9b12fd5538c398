"""A folder or an archive is one run: ranks from names, the same verdict as on the one log."""

import re
import tarfile
import zipfile
from pathlib import Path

import pytest

from kb.errors import KbError
from kb.model.report import Diagnosis
from kb.pipeline import Pipeline
from kb.read.run import members_of, ranks_of_names
from kb.text.clock import seconds

RUNS = Path(__file__).parent / "runs"
RANKED = ["peer_kill", "peer_stall", "peer_oom"]


def gist(diagnosis: Diagnosis) -> object:
    """What must not depend on how the run is stored."""
    events = {(f.role, f.event.kind, f.event.cls, f.count, f.ranks, tuple(m.key for m in f.matches)) for f in diagnosis.findings}
    return diagnosis.verdict, events, diagnosis.hint and diagnosis.hint.ranks


def split(log: Path, folder: Path) -> Path:
    """One file per rank without its prefix, and one for all that has none; every line keeps its place in time."""
    folder.mkdir()
    for number, line in enumerate(log.read_text().splitlines()):
        found = re.match(r"\[rank(\d+)\]: ?(.*)", line) or re.match(r"\[.* TP(\d+)\] (.*)", line)
        name, text = (f"rank_{found[1]}.log", found[2]) if found else ("launcher.log", line)
        with (folder / name).open("a") as stream:
            stream.write(f"2026-01-31T10:00:{number % 60:02}.{number:07}Z {text}\n")
    return folder


@pytest.mark.parametrize("name", RANKED)
def test_a_split_run_has_the_verdict_of_the_whole(name: str, pipeline: Pipeline, tmp_path: Path) -> None:
    whole = gist(pipeline.run(str(RUNS / f"{name}.log")))
    folder = split(RUNS / f"{name}.log", tmp_path / "run")
    assert gist(pipeline.run(str(folder))) == whole
    assert gist(pipeline.run(*sorted(map(str, folder.iterdir())))) == whole
    with zipfile.ZipFile(tmp_path / "run.zip", "w") as archive:
        for file in folder.iterdir():
            archive.write(file, f"job/{file.name}")
    assert gist(pipeline.run(str(tmp_path / "run.zip"))) == whole
    with tarfile.open(tmp_path / "run.tar.gz", "w:gz") as tar:
        tar.add(folder, "job")
    assert gist(pipeline.run(str(tmp_path / "run.tar.gz"))) == whole


def test_lines_count_in_their_file(pipeline: Pipeline, tmp_path: Path) -> None:
    diagnosis = pipeline.run(str(split(RUNS / "peer_oom.log", tmp_path / "run")))
    root = diagnosis.findings[diagnosis.roots[0]].event
    text = (tmp_path / "run" / str(root.file)).read_text().splitlines()
    assert root.file == "rank_2.log" and "OutOfMemoryError" in text[root.line - 1]
    assert diagnosis.input.files == ("rank_0.log", "rank_1.log", "rank_2.log", "rank_3.log")


@pytest.mark.parametrize(("names", "ranks"), [
    (["rank_3.log", "rank-12.out"], {"rank_3.log": "3", "rank-12.out": "12"}),
    (["r/attempt_0/0/stderr.log", "r/attempt_0/1/stderr.log"], {"r/attempt_0/0/stderr.log": "0", "r/attempt_0/1/stderr.log": "1"}),
    (["job-4711-0.out", "job-4711-1.out"], {"job-4711-0.out": "0", "job-4711-1.out": "1"}),
    (["llama-0.log", "llama-1.log"], {"llama-0.log": "0", "llama-1.log": "1"}),
    (["app.log.1", "app.log.2"], {}),
    (["build/1_Set up job.txt", "build/2_Run tests.txt"], {}),
    (["2026-01-31.log"], {}),
])  # fmt: skip
def test_ranks_come_from_names(names: list[str], ranks: dict[str, str]) -> None:
    assert ranks_of_names(names) == ranks


def test_steps_are_read_in_their_order_and_a_job_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    for name in ("build/10_Test.txt", "build/9_Build.txt", "0_build.txt", "1_lint.txt"):
        (tmp_path / name).write_text("x\n")
    assert [member.name for member in members_of([str(tmp_path)])] == ["1_lint.txt", "build/9_Build.txt", "build/10_Test.txt"]


def test_what_is_no_log_is_named_and_left_out(pipeline: Pipeline, tmp_path: Path) -> None:
    folder = split(RUNS / "peer_kill.log", tmp_path / "run")
    (folder / "noise").write_bytes(bytes(range(256)) * 20)
    diagnosis = pipeline.run(str(folder))
    assert [name for name, _ in diagnosis.input.unread] == ["noise"] and diagnosis.verdict == "root-cause"


def test_an_empty_folder_and_a_broken_archive_are_trouble(pipeline: Pipeline, tmp_path: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04" + b"x" * 100)
    with pytest.raises(KbError, match="broken zip"):
        pipeline.run(str(tmp_path / "broken.zip"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(KbError, match="holds no logs"):
        pipeline.run(str(tmp_path / "empty"))


@pytest.mark.parametrize(("earlier", "later"), [
    ("2026-01-31 10:00:00,100", "2026-01-31 10:00:00,200"), ("0131 10:00:00.5", "0201 09:00:00.5"), ("Jan 31 10:00:00", "Feb  1 10:00:00"),
    ("2026-01-31T12:00:00+02:00", "2026-01-31T10:30:00Z"),
])  # fmt: skip
def test_times_are_compared(earlier: str, later: str) -> None:
    first, second = seconds(earlier), seconds(later)
    assert first is not None and second is not None and first < second


@pytest.mark.parametrize("text", [None, "", "10:00:00", "soon", "2026-99-99 10:00:00"])
def test_what_has_no_date_has_no_time(text: str | None) -> None:
    assert seconds(text) is None


def test_bombs_in_archives_are_left_out(pipeline: Pipeline, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "run.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(RUNS / "peer_kill.log", "rank_0.log")
        archive.writestr("bomb.log", b"0" * 100_000_000)
    diagnosis = pipeline.run(str(tmp_path / "run.zip"))
    assert [name for name, _ in diagnosis.input.unread] == ["bomb.log"] and diagnosis.verdict == "root-cause"
    (tmp_path / "zeros").write_bytes(b"0" * 100_000_000)
    with tarfile.open(tmp_path / "run.tar.gz", "w:gz") as tar:
        tar.add(tmp_path / "zeros", "zeros.log")
    with pytest.raises(KbError, match="bomb"):
        pipeline.run(str(tmp_path / "run.tar.gz"))
