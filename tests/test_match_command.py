"""`kb match` as a user meets it: exit codes, odd inputs, output options."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

RUNS = Path(__file__).parent / "runs"


def kb(*args: object, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    return subprocess.run([sys.executable, "-m", "kb", *map(str, args)], input=stdin, capture_output=True, env=os.environ | environment)


def one_line(done: subprocess.CompletedProcess[bytes]) -> str:
    """The single line of trouble, which must be all that was said."""
    assert done.returncode == 2 and done.stdout == b""
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1 and lines[0].startswith("kb: "), lines
    return lines[0]


def document(done: subprocess.CompletedProcess[bytes]) -> dict:
    assert done.stderr == b"", done.stderr
    return json.loads(done.stdout)


def test_exit_codes_are_those_of_grep() -> None:
    assert kb("match", RUNS / "peer_kill.log").returncode == 0
    assert kb("match", RUNS / "unknown_root.log").returncode == 1
    assert kb("match", RUNS / "green.log").returncode == 1


@pytest.mark.parametrize(("log", "gate", "code"), [
    ("peer_kill", "root", 1), ("peer_kill", "unknown", 0), ("peer_kill", "any", 1), ("peer_kill", "never", 0),
    ("unknown_root", "unknown", 1), ("symptom_only_cut", "root", 0), ("symptom_only_cut", "any", 1), ("green", "any", 0),
])  # fmt: skip
def test_a_gate_for_ci(log: str, gate: str, code: int) -> None:
    assert kb("match", RUNS / f"{log}.log", "--fail-on", gate).returncode == code


def test_standard_input_by_name_and_by_pipe() -> None:
    text = (RUNS / "peer_kill.log").read_bytes()
    named, piped = kb("match", "-", "-f", "json", stdin=text), kb("match", "-f", "json", stdin=text)
    assert document(named) == document(piped)
    assert document(named)["input"]["path"] == "-" and document(named)["roots"] == [1]


def test_nothing_at_all_is_clean() -> None:
    done = kb("match", "-f", "json")
    assert (done.returncode, document(done)["verdict"], document(done)["input"]["lines"]) == (1, "clean", 0)


def test_an_empty_file_is_clean(tmp_path: Path) -> None:
    (tmp_path / "empty.log").touch()
    assert document(kb("match", tmp_path / "empty.log", "-f", "json"))["verdict"] == "clean"


def test_a_missing_file_an_empty_folder_and_binary_data_are_one_line_each(tmp_path: Path) -> None:
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)) * 64)
    assert "no file" in one_line(kb("match", tmp_path / "missing.log"))
    (tmp_path / "empty").mkdir()
    assert "holds no logs" in one_line(kb("match", tmp_path / "empty"))
    assert "binary" in one_line(kb("match", tmp_path / "noise.bin"))


def test_ten_megabytes_on_one_line(tmp_path: Path) -> None:
    log = tmp_path / "wide.log"
    log.write_bytes(b"x" * 10_000_000)
    done = document(kb("match", log, "-f", "json"))
    assert (done["verdict"], done["skipped"]["long_lines"], done["input"]["lines"]) == ("clean", 1, 1)


def test_a_truncated_archive_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    log = tmp_path / "run.log.gz"
    log.write_bytes(gzip.compress((RUNS / "peer_kill.log").read_bytes() * 50, compresslevel=1)[:-12])
    done = document(kb("match", log, "-f", "json"))
    assert done["input"]["truncated"] is True and done["verdict"] == "root-cause"


def test_a_compression_bomb_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "bomb.gz"
    log.write_bytes(gzip.compress(b"0" * 100_000_000))
    assert "bomb" in one_line(kb("match", log))


def test_broken_archives_are_one_line(tmp_path: Path) -> None:
    log = tmp_path / "broken.gz"
    data = bytearray(gzip.compress(os.urandom(5000)))
    data[40:60] = b"\0" * 20
    log.write_bytes(bytes(data))
    assert "broken" in one_line(kb("match", log))


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\0" * 200])
def test_an_unreadable_index_is_one_line(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "kb.db").write_bytes(content)
    for line in (one_line(kb("match", RUNS / "green.log", "--db", tmp_path / "kb.db")),
                 one_line(kb("match", RUNS / "green.log", KB_DB=str(tmp_path / "kb.db")))):  # fmt: skip
        assert "kb.db" in line and "kb build" in line


def test_a_missing_record_folder_and_an_unknown_format_are_one_line(tmp_path: Path) -> None:
    assert "no record folder" in one_line(kb("match", RUNS / "green.log", "--records", tmp_path / "nowhere"))
    assert "no format" in one_line(kb("match", RUNS / "green.log", "-f", "poem"))


def test_a_faulty_configuration_names_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kb.toml").write_text("records = 3\n")
    monkeypatch.chdir(tmp_path)
    assert "kb.toml" in one_line(kb("match", RUNS / "green.log"))


def test_own_records_are_found_by_flag_environment_and_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "jam.toml").write_text(
        'repo = "example/mill"\nerror_message = "mill {n} jammed"\nerror_class = "MillJammed"\ndocumentation = "It is full."\n'
        '[[kb.signatures]]\nclass = "MillJammed"\nmessage = "mill {n} jammed"\n'
        '[[kb.examples]]\ntext = "MillJammedError: mill 1 jammed"\n[[kb.counter_examples]]\ntext = "mill idle"\nwhy = "idle"\n'
    )
    log = RUNS / "unknown_root.log"
    flag = kb("match", log, "-f", "json", "--records", tmp_path / "own")
    assert (flag.returncode, document(flag)["fired"][0]["key"]) == (0, "jam")
    assert kb("match", log, KB_RECORDS=str(tmp_path / "own")).returncode == 0
    (tmp_path / "pyproject.toml").write_text('[tool.kb]\nrecords = ["own"]\n')
    monkeypatch.chdir(tmp_path)
    assert kb("match", log).returncode == 0


def test_a_read_only_cache_does_not_stop_the_answer(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = kb("match", RUNS / "peer_kill.log", XDG_CACHE_HOME=str(tmp_path / "file"))
    assert (done.returncode, done.stderr) == (0, b"")


def test_two_processes_may_start_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kb", "match", str(RUNS / "peer_kill.log"), "-f", "json"]
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) for _ in range(4)]
    results = [process.communicate() for process in both]
    assert {(out, err) for out, err in results} == {results[0]} and results[0][1] == b""


def test_several_logs_are_several_documents() -> None:
    done = kb("match", RUNS / "green.log", RUNS / "peer_kill.log", "-f", "jsonl")
    assert [json.loads(line)["verdict"] for line in done.stdout.splitlines()] == ["clean", "root-cause"]


def test_output_summary_and_outputs_go_to_files(tmp_path: Path) -> None:
    done = kb("match", RUNS / "peer_kill.log", "-f", "github", "-o", tmp_path / "out", "--summary", tmp_path / "summary.md",
              "--outputs", tmp_path / "outputs")  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b"")
    assert (tmp_path / "out").read_text().startswith("::error")
    assert "rank 2" in (tmp_path / "summary.md").read_text()
    assert "root-cause" in (tmp_path / "outputs").read_text()


def test_a_closed_pipe_ends_quietly() -> None:
    shell = f'"{sys.executable}" -m kb match "{RUNS / "peer_kill.log"}" -f json | head -c 10 >/dev/null; exit "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", shell], capture_output=True)
    assert b"Traceback" not in done.stderr and b"Broken" not in done.stderr


def test_a_log_that_ends_in_watchdogs_is_a_hang(tmp_path: Path) -> None:
    text = "".join(
        f"[rank{rank}]:[E131 10:10:00.5 ProcessGroupNCCL.cpp:632] [Rank {rank}] Watchdog caught collective operation timeout: "
        f"WorkNCCL(SeqNum=88, OpType=ALLREDUCE, NumelIn=512, NumelOut=512, Timeout(ms)=600000) ran for 600012 milliseconds.\n"
        for rank in (0, 1, 3)
    )
    (tmp_path / "run.log").write_text("[rank2]: loading\n" + text)
    done = document(kb("match", tmp_path / "run.log", "-f", "json"))
    assert done["hang"] is not None and done["verdict"] in ("hang", "symptom-only") and done["roots"] == []
