"""`kb hang`: own hung programs (tests/hang, each captured alive), small made cases for single rules, and the command as users meet it."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from conftest import compare

from kb.evidence._read import Reader
from kb.evidence.collective_log import notes_of
from kb.hang import diagnose_hang, from_log
from kb.hang.advice import NEXT, REFUTED
from kb.hang.table import RULES
from kb.model.event import Line
from kb.model.snapshot import Fact, HangVerdict
from kb.registry import discover, load
from kb.report import Style
from kb.store.reader import Index

HERE = Path(__file__).parent
SCENARIOS = sorted(path.parent for path in (HERE / "hang").glob("*/expected.json"))
KINDS = list(discover("kb.evidence", "EVIDENCE"))
COLLECTIVE = "torch/distributed/distributed_c10d.py:3252"


def facts(files: Iterable[tuple[str, bytes]]) -> list[Fact]:
    reader = Reader(KINDS)
    return [fact for name, data in files for fact in reader.read(data, name)]


def files(scenario: Path) -> list[tuple[str, bytes]]:
    return [(path.name, path.read_bytes()) for path in sorted(scenario.iterdir()) if path.name != "expected.json"]


def dump(pid: int, *stacks: tuple[str, str, tuple[str, ...]]) -> bytes:
    """A py-spy text: (name, state, frames) of each thread."""
    text = f"Process {pid}: python train.py\nPython v3.11.7 (/usr/bin/python3.11)\n\n"
    for number, (name, state, frames) in enumerate(stacks):
        text += f'Thread {pid + number} ({state}): "{name}"\n' + "".join(f"    {frame}\n" for frame in frames)
    return text.encode()


def main(pid: int, *frames: str, state: str = "idle") -> bytes:
    return dump(pid, ("MainThread", state, (*frames, "main (train.py:60)", "<module> (train.py:90)")))


def judge(ranks: Iterable[bytes], **more: str) -> HangVerdict:
    named = [(f"rank{number}.pyspy.txt", data) for number, data in enumerate(ranks) if data]
    return diagnose_hang(facts([*named, *((name.replace("_", "."), text.encode()) for name, text in more.items())]))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: path.name)
def test_a_program_that_hung_is_understood(scenario: Path) -> None:
    want, got = json.loads((scenario / "expected.json").read_text()), diagnose_hang(facts(files(scenario)))
    assert (got.name, list(got.divergent_ranks)) == (want["class"], want["divergent_ranks"])
    assert got.evidence and got.refuted_by and got.next


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: path.name)
def test_the_verdict_does_not_depend_on_the_order_of_files(scenario: Path) -> None:
    assert diagnose_hang(facts(files(scenario))) == diagnose_hang(facts(files(scenario)[::-1]))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: path.name)
def test_the_text_report(scenario: Path, request: pytest.FixtureRequest) -> None:
    renderer = load("kb.report", "HANG_RENDERER", "hang_text")
    text = renderer.render(diagnose_hang(facts(files(scenario))), Style(width=100))
    compare(HERE / "golden" / "hang" / f"{scenario.name}.txt", text, request.config.getoption("--update"))


REDUCE, READ = main(10, f"all_reduce ({COLLECTIVE})", "step (train.py:41)"), main(40, "load_shard (data.py:8)")


@pytest.mark.parametrize("missing", range(8))
def test_one_of_eight_ranks_without_a_dump_is_named_and_changes_nothing(missing: int) -> None:
    odd = 5 if missing != 5 else 2
    ranks = [main(100 + n, f"broadcast ({COLLECTIVE})", "validate (train.py:50)") if n == odd else
             main(100 + n, f"all_reduce ({COLLECTIVE})", "step (train.py:41)") for n in range(8)]  # fmt: skip
    ranks[missing] = b""
    got = judge(ranks)
    assert (got.name, got.divergent_ranks) == ("collective_mismatch", (str(odd),))
    assert got.missing_ranks == ((str(missing),) if missing != 7 else ())  # nothing says that there were eight


def test_the_same_stacks_without_proof_are_no_network_fault() -> None:
    quiet = judge([main(10 + n, f"all_reduce ({COLLECTIVE})", "step (train.py:41)") for n in range(3)])
    assert (quiet.name, quiet.confidence) == ("symmetric_collective_stall", "low")
    sockets = ("State Recv-Q Send-Q Local Address:Port Peer Address:Port Process\n"
               'ESTAB 0 139829 10.0.0.1:44944 10.0.0.2:35079 users:(("python",pid=10,fd=9))\n'
               "\t rto:52224 backoff:8 lastsnd:50396 lastrcv:104804 unacked:1\n")  # fmt: skip
    proved = judge([main(10 + n, f"all_reduce ({COLLECTIVE})", "step (train.py:41)") for n in range(3)], ss_txt=sockets)
    assert (proved.name, proved.confidence) == ("network_stall", "high")


def test_listening_sockets_prove_nothing() -> None:
    listening = "State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess\n"
    listening += 'LISTEN 0 4096 10.0.0.1:60985 0.0.0.0:* users:(("python",pid=10,fd=9))\n'
    got = judge([main(10 + n, f"all_reduce ({COLLECTIVE})", "step (train.py:41)") for n in range(3)], ss_txt=listening)
    assert got.name == "symmetric_collective_stall"


def test_restart_syscall_is_no_socket_read() -> None:
    trace = "strace: Process 40 attached\nrestart_syscall(<... resuming interrupted read ...>strace: Process 40 detached\n <detached ...>\n"
    got = diagnose_hang(facts([("rank0.strace.txt", trace.encode())]))
    assert got.name == "insufficient_evidence"


def test_a_rank_that_is_blocked_elsewhere_is_named() -> None:
    got = judge([REDUCE, main(20, f"all_reduce ({COLLECTIVE})", "step (train.py:41)"), READ])
    assert (got.name, got.divergent_ranks, got.divergent_frame) == ("rank_blocked_in_io", ("2",), "load_shard (data.py:8)")


def test_a_rank_in_the_function_that_calls_the_collective_has_not_joined() -> None:
    got = judge([REDUCE, main(20, f"all_reduce ({COLLECTIVE})", "step (train.py:41)"), main(40, "step (train.py:38)")])
    assert (got.name, got.divergent_ranks) == ("rank_missing_from_collective", ("2",))


def test_a_busy_rank_needs_a_second_sample_for_high_confidence() -> None:
    ranks = [REDUCE, main(20, f"all_reduce ({COLLECTIVE})", "step (train.py:41)"), main(40, "tokenize (data.py:8)", state="active+gil")]
    once = judge(ranks)
    assert (once.name, once.divergent_ranks, once.confidence) == ("busy_rank_never_reaches_sync", ("2",), "medium")


def test_two_samples_tell_slow_from_hung() -> None:
    first = [main(10, "tokenize (a.py:1)", state="active+gil"), main(20, "augment (a.py:2)", state="active+gil")]
    second = [main(10, "augment (a.py:2)", state="active+gil"), main(20, "collate (a.py:3)", state="active+gil")]
    named = [(f"rank{n}{t}.pyspy.txt", data) for t, ranks in (("", first), (".t2", second)) for n, data in enumerate(ranks)]
    assert diagnose_hang(facts(named)).name == "slow_not_hung"


def test_majority_is_no_innocence_in_start_up() -> None:
    first = main(10, "_create_c10d_store (torch/distributed/rendezvous.py:199)", f"init_process_group ({COLLECTIVE})", "setup (job.py:3)")
    rest = [main(pid, f"init_process_group ({COLLECTIVE})", "setup (job.py:3)") for pid in (20, 30)]
    got = judge([first, *rest], log_txt="3/4 workers joined\n")
    assert (got.name, got.divergent_ranks, got.missing_ranks) == ("rendezvous_missing_rank", ("3",), ("3",))


def test_everybody_receives() -> None:
    got = judge([main(pid, f"recv ({COLLECTIVE})", "exchange (ring.py:5)") for pid in (10, 20)])
    assert (got.name, got.divergent_ranks) == ("p2p_order_deadlock", ())


def test_java_threads_with_each_others_monitor() -> None:
    threads = "".join(f'"t{n}" #1{n} prio=5 tid=0x00007f nid=0x61{n}\n'
                      f"   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat D.f(D.java:3)\n"
                      f"\t- waiting to lock <0x{wants}>\n\t- locked <0x{has}>\n\n"
                      for n, wants, has in ((1, "a1", "b2"), (2, "b2", "a1")))  # fmt: skip
    got = diagnose_hang(facts([("jstack.txt", f"Full thread dump OpenJDK 64-Bit Server VM (17):\n\n{threads}".encode())]))
    assert (got.name, got.confidence) == ("lock_cycle", "high")


def watchdog(rank: int, op: str = "ALLGATHER", number: int = 412) -> str:
    return (f"[rank{rank}]:[E1129 03:04:10.25 ProcessGroupNCCL.cpp:683] [Rank {rank}] Watchdog caught collective operation timeout: "
            f"WorkNCCL(SeqNum={number}, OpType={op}, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600075 milliseconds\n")  # fmt: skip


@pytest.mark.parametrize(("lines", "name", "ranks"), [
    ([watchdog(n, "ALLREDUCE" if n == 2 else "ALLGATHER") for n in range(4)], "collective_mismatch", ("2",)),
    ([watchdog(n) for n in range(4)], "symmetric_collective_stall", ()),
    (["[rank1]:[E1129 ProcessGroupNCCL.cpp:1932] [Rank 1] Could not acquire GIL within 300 ms on exit, possible GIL induced hang\n"],
     "gil_held_by_native_call", ("1",)),
    (["[0] finished collective #4, but didn't join collective #5\n"], "rank_missing_from_collective", ("0",)),
    (["[Rank 0]: Rank(s) 3 failed to pass monitoredBarrier in 30000 ms\n"], "rank_missing_from_collective", ("3",)),
])  # fmt: skip
def test_logs_of_the_watchers(lines: list[str], name: str, ranks: tuple[str, ...]) -> None:
    got = diagnose_hang(facts([("run.log", "".join(lines).encode())]))
    assert (got.name, got.divergent_ranks) == (name, ranks)
    peeled = [Line(number, line.rstrip("\n"), rank=None) for number, line in enumerate(lines, 1)]
    verdict = from_log(notes_of(peeled))
    assert verdict is not None and verdict.name == name


def test_a_log_without_watchers_is_no_hang() -> None:
    assert from_log(notes_of([Line(1, "step 3 loss 0.2"), Line(2, "Traceback (most recent call last):")])) is None


def test_every_class_has_a_next_step_and_a_refutation() -> None:
    assert {rule.name for rule in RULES} <= set(NEXT) and set(NEXT) == set(REFUTED)


def kb(*args: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "kb", "hang", *map(str, args)], input=stdin, capture_output=True)


def test_the_command_and_its_formats(tmp_path: Path) -> None:
    folder = HERE / "hang" / "worker_thread"
    done = kb(folder, "-f", "json")
    got = json.loads(done.stdout)
    assert (done.returncode, done.stderr, got["schema_version"], got["class"]) == (0, b"", 1, "collective_mismatch")
    assert {
        "confidence",
        "ranks",
        "missing_ranks",
        "divergent_ranks",
        "divergent_frame",
        "groups",
        "evidence",
        "refuted_by",
        "next",
        "records",
    } <= set(got)
    for form, start in (("svg", b"<svg"), ("html", b"<!doctype html>"), ("text", b"collective_mismatch")):
        out = tmp_path / form
        assert kb(folder, "-f", form, "-o", out).returncode == 0 and out.read_bytes().startswith(start)
    piped = kb("-", "-f", "json", stdin=(folder / "rank0.pyspy.txt").read_bytes())
    assert piped.returncode == 1 and json.loads(piped.stdout)["class"] == "insufficient_evidence"


def test_trouble_is_one_line(tmp_path: Path) -> None:
    for done in (kb(tmp_path / "nowhere"), kb(tmp_path, "-f", "poem")):
        assert done.returncode == 2 and done.stdout == b"" and len(done.stderr.splitlines()) == 1
    (tmp_path / "empty").touch()
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)) * 64)
    done = kb(tmp_path, "-f", "json")
    assert done.returncode == 1 and json.loads(done.stdout)["skipped"] == ["noise.bin: binary data"]


def test_a_thousand_ranks_are_a_page() -> None:
    got = judge(
        [main(1000 + n, f"{'broadcast' if n == 700 else 'all_reduce'} ({COLLECTIVE})", f"step{n % 90} (train.py:{n})") for n in range(1000)]
    )
    text = load("kb.report", "HANG_RENDERER", "hang_text").render(got, Style())
    assert len(text.splitlines()) < 100
    same = judge([main(1000 + n, f"{'broadcast' if n == 700 else 'all_reduce'} ({COLLECTIVE})", "step (train.py:9)") for n in range(1000)])
    assert same.divergent_ranks == ("700",) and [len(group.ranks) for group in same.groups] == [999, 1]


def test_hostile_names_are_drawn_harmlessly() -> None:
    frame = "<script>alert(1)</script>\x1b]0;t\x07 (x\u202e.py:1)"
    got = judge([main(10, f"all_reduce ({COLLECTIVE})", frame), main(20, f"broadcast ({COLLECTIVE})", frame)])
    for form in ("text", "json", "svg", "html"):
        text = load("kb.report", "HANG_RENDERER", f"hang_{form}").render(got, Style())
        assert not re.search("[\x1b\x07\u202e]", text)
        assert form in ("text", "json") or "<script>" not in text


def test_the_hang_path_is_light(shipped_index: Index) -> None:
    code = ("import sys, json\nfrom kb.cli import cli\ntry:\n    cli.main(['hang', {folder!r}, '-o', {out!r}, '--db', {db!r}],"
            " standalone_mode=False)\n"
            "except SystemExit:\n    pass\nprint(json.dumps(sorted({{name.split('.')[0] for name in sys.modules}})))")  # fmt: skip
    text = code.format(folder=str(HERE / "hang" / "starve"), out="/dev/null", db=str(shipped_index.path))
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, check=True)
    assert not set(json.loads(done.stdout.splitlines()[-1])) & {
        "pydantic",
        "sqlite_utils",
        "datasette",
        "rich",
        "jinja2",
        "yaml",
        "numpy",
        "asyncio",
    }
