"""Kinds of evidence: each recognises its own samples, nobody else's and no stranger; nothing makes the reader raise or run code."""

import itertools
import os
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.evidence import Evidence, Page, Row
from kb.evidence._read import Reader, rank_of_name, rank_of_title
from kb.evidence.flight_recorder import EVIDENCE as FLIGHT
from kb.evidence.flight_recorder import plain
from kb.hang import diagnose_hang
from kb.model.snapshot import Fact, Flight, Note, Stack, Task, Traced, Trouble
from kb.registry import discover

KINDS: list[Evidence] = list(discover("kb.evidence", "EVIDENCE"))
SAMPLES = [(kind, sample) for kind in KINDS for sample in kind.samples]
DUMPS = sorted(path for path in (Path(__file__).parent / "hang").rglob("*") if path.is_file())


def read(text: str | bytes, file: str = "dump.txt") -> list[Fact]:
    return Reader(KINDS).read(text if isinstance(text, bytes) else text.encode(), file)


def alone(kind: Evidence, text: str) -> list[Fact]:
    """What one kind finds in the first row of a text."""
    page = Page("x", [Row(number, line) for number, line in enumerate(text.splitlines(), 1)])
    return kind.parse(page) if re.match(kind.starts, text.split("\n", 1)[0]) else []


@pytest.mark.parametrize(("kind", "sample"), SAMPLES, ids=[f"{kind.name}-{n}" for n, (kind, _) in enumerate(SAMPLES)])
def test_a_sample_belongs_to_its_kind_alone(kind: Evidence, sample: str) -> None:
    assert alone(kind, sample)
    for other in KINDS:
        assert other is kind or not alone(other, sample) or other.order > kind.order, other.name
    types = {type(fact) for fact in alone(kind, sample)}
    assert types == {type(fact) for fact in read(sample)}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_strangers_are_no_evidence(kind: Evidence) -> None:
    for stranger in kind.strangers:
        assert not alone(kind, stranger), stranger
        assert not [fact for fact in read(stranger) if not isinstance(fact, Trouble | Note)], stranger


def test_colours_quoting_indentation_and_prefixes_change_nothing() -> None:
    text = KINDS[[kind.name for kind in KINDS].index("py-spy")].samples[0]
    want = [thread.frames for fact in read(text) if isinstance(fact, Stack) for thread in fact.threads]
    for change in (lambda line: f"> {line}", lambda line: f"      {line}", lambda line: f"\x1b[32m{line}\x1b[0m", lambda line: f"{line}\r"):
        other = "\n".join(change(line) for line in text.splitlines())
        assert want == [thread.frames for fact in read(other) if isinstance(fact, Stack) for thread in fact.threads], other


def test_several_dumps_in_one_file_keep_their_headings() -> None:
    one = 'Thread 71 (idle): "MainThread"\n    wait (threading.py:327)\n    <module> (train.py:9)\n'
    facts = read(f"=== PID 71 ===\n{one}\n=== PID 72 ===\n{one}\n== rank 5 ==\n{one}")
    assert [(fact.pid, fact.rank) for fact in facts if isinstance(fact, Stack)] == [(71, None), (72, None), (None, "5")]


@pytest.mark.parametrize(("name", "rank"), [
    ("rank12.pyspy.txt", "12"), ("rank_3.log", "3"), ("nccl_trace_rank_node01_6", "6"), ("attempt_0/3/stderr.log", "3"), ("TP3.txt", "3"),
    ("dump_native_22080.txt", None), ("pid15137.strace.txt", None), ("all.pyspy.txt", None), ("node1/rank2.txt", "2"),
])  # fmt: skip
def test_ranks_in_file_names(name: str, rank: str | None) -> None:
    assert rank_of_name(name) == rank


def test_ranks_in_titles_and_environ() -> None:
    assert rank_of_title("sglang::scheduler_TP2") == "2" and rank_of_title("python run.py --local_rank=4") == "4"
    assert rank_of_title("python train.py") is None
    facts = read("==> /proc/7/status <==\nState:\tS (sleeping)\n==> /proc/7/environ <==\nHOME=/x\0RANK=3\0WORLD_SIZE=8\0\n", "rank9.txt")
    assert [(fact.rank, fact.known_by, fact.world) for fact in facts if isinstance(fact, Task)] == [("3", "environ", 8)]


class _Attack:
    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("echo owned > owned.txt",)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_hostile_pickle_runs_nothing(protocol: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    data = pickle.dumps({"entries": [_Attack()], "version": "2.10"}, protocol)
    with pytest.raises(pickle.UnpicklingError):
        plain(data)
    assert FLIGHT.decode is not None and all(isinstance(fact, Trouble) for fact in FLIGHT.decode(data, "x"))
    assert not list(tmp_path.iterdir())


def test_a_plain_pickle_is_a_flight_recorder() -> None:
    entry = {
        "collective_seq_id": 3,
        "profiling_name": "nccl:all_reduce",
        "process_group": ("0", "default_pg"),
        "state": "scheduled",
        "is_p2p": False,
    }
    raw = {"version": "2.10", "pg_config": {"0": {"ranks": "[0, 1]"}}, "entries": [entry], "ok": True, "none": None, "x": 1.5, "s": {1}}
    facts = read(pickle.dumps(raw), "nccl_trace_rank_1")
    assert [(f.rank, f.works[0].op, f.groups) for f in facts if isinstance(f, Flight)] == [("1", "all_reduce", (("0", ("0", "1")),))]


def test_the_last_call_of_a_thread_is_what_it_waits_in() -> None:
    facts = [fact for fact in read(KINDS[[k.name for k in KINDS].index("strace")].samples[0]) if isinstance(fact, Traced)]
    assert [(fact.call, fact.pending, fact.args) for fact in facts] == [("wait4", True, "25713,")]


def test_equal_dumps_are_parsed_once_and_keep_their_ids() -> None:
    reader = Reader(KINDS)
    text = 'Process {0}: python t.py\nPython v3.11.7 (/usr/bin/python3)\n\nThread {0} (idle): "MainThread"\n    f (t.py:3)\n'
    text += "    <module> (t.py:9)\n"
    first, second = (reader.read(text.format(pid).encode(), f"rank{n}.txt") for n, pid in enumerate((71, 72)))
    assert isinstance(first[0], Stack) and isinstance(second[0], Stack)
    assert first[0].threads is second[0].threads
    assert (second[0].pid, second[0].tids, second[0].rank, second[0].file) == (72, (72,), "1", "rank1.txt")


@pytest.mark.parametrize("path", DUMPS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_dump_cut_at_any_line_is_read(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    for end in sorted({*range(0, len(lines), max(1, len(lines) // 25)), len(lines) - 1} - {-1}):
        diagnose_hang(read(b"".join(lines[:end]), path.name))


TEXTS = [sample for _, sample in SAMPLES]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.sampled_from(TEXTS), max_size=5),
    st.lists(st.tuples(st.integers(0, 3000), st.text(max_size=8)), max_size=4),
    st.integers(0, 4000),
)
def test_mixed_mangled_and_cut_text_never_raises(texts: list[str], edits: list[tuple[int, str]], end: int) -> None:
    text = "".join(texts)
    for at, insert in edits:
        text = text[:at] + insert + text[at:]
    diagnose_hang(read(text[:end].encode("utf-8", "surrogatepass")))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_read(data: bytes) -> None:
    for start in (b"", b"\x80", b"\x80\x04", b"\xff\xfe"):
        diagnose_hang(read(start + data))


def test_order_of_facts_does_not_matter() -> None:
    facts = list(itertools.chain.from_iterable(read(sample, f"rank{number}.txt") for number, sample in enumerate(TEXTS)))
    assert diagnose_hang(facts) == diagnose_hang(facts[::-1])


@pytest.mark.parametrize("prefix", ["[rank{}]: ", "(Worker_TP{} pid=78{}22) ", "[1,{}]<stderr>:", "2026-11-29 12:00:0{} "])
def test_dumps_inside_a_log_are_peeled_and_told_apart(prefix: str) -> None:
    from kb.cli.hang import _peel

    lines = []
    for number, op in enumerate(("all_reduce", "all_reduce", "broadcast", "all_reduce")):
        text = f'Process 4{number}: python t.py\nPython v3.11.7 (/usr/bin/python3)\n\nThread 4{number} (idle): "MainThread"\n'
        text += f"    {op} (torch/distributed/distributed_c10d.py:3252)\n    {op}_step (t.py:3)\n    <module> (t.py:9)\n"
        lines += [prefix.format(number, number) + line for line in text.splitlines()]
    verdict = diagnose_hang(Reader(KINDS, _peel).read("\n".join(lines).encode(), "run.log"))
    assert (verdict.name, verdict.divergent_ranks) == ("collective_mismatch", ("2",))


def test_nameless_dumps_of_one_file_are_no_samples_of_one_process() -> None:
    stack = 'Current thread 0x00007f97 (most recent call first):\n  File "a.py", line 5 in {}\n  File "a.py", line 9 in <module>\n'
    assert diagnose_hang(read("".join(map(stack.format, ("load", "save", "load"))))).name == "insufficient_evidence"
