"""Every line prefix keeps the promises of its own file, and none eats another's."""

import json
import time
from itertools import pairwise

import pytest

from kb.formats import Format
from kb.read.peel import Peeler
from kb.read.prefix import specific_first
from kb.read.scan import RawLine
from kb.registry import discover

FORMATS: list[Format] = list(discover("kb.formats", "FORMAT"))
PEELER = Peeler(specific_first(FORMATS))


@pytest.mark.parametrize("fmt", FORMATS, ids=lambda fmt: fmt.name)
def test_samples_are_peeled(fmt: Format) -> None:
    assert fmt.samples and fmt.strangers, "a format needs samples and strangers"
    for sample in fmt.samples:
        first = next(PEELER.prefixes(sample.line, None))
        assert first.format.name == fmt.name, sample.line
        rest = sample.line[first.end :] if first.texts is None else "\n".join(first.texts)
        assert rest == sample.rest
        assert {name: first.says.get(name) for name, _ in sample.says} == dict(sample.says)


@pytest.mark.parametrize("fmt", FORMATS, ids=lambda fmt: fmt.name)
def test_strangers_are_left_alone(fmt: Format) -> None:
    for line in fmt.strangers:
        assert all(prefix.format.name != fmt.name for prefix in PEELER.prefixes(line, None)), line


def test_order_is_computed_and_fixed() -> None:
    assert [f.name for f in specific_first(FORMATS)] == [f.name for f in specific_first(FORMATS[::-1])]


def peel(*texts: str) -> list[tuple[str, str, str | None]]:
    """(text, stream, rank) of lines."""
    lines = PEELER.peel(RawLine(n, text.encode()) for n, text in enumerate(texts, 1))
    return [(line.text, line.stream, line.rank) for line in lines]


def test_prefixes_stack() -> None:
    assert peel("2026-01-31T10:00:00.1234567Z [default3]:[rank7]: boom") == [("boom", "rank3/rank7", "7")]


def test_a_shy_prefix_counts_only_where_it_repeats() -> None:
    assert peel("name | value") == [("name | value", "", None)]
    assert peel(*["web-1  | up"] * 3) == [("up", "web-1", None)] * 3


def test_where_a_shy_prefix_is_usual_a_new_writer_needs_no_proof() -> None:
    assert peel(*["web-1  | up"] * 12, "migrate-1  | boom")[-1] == ("boom", "migrate-1", None)
    assert peel(*[f"{n}: item" for n in range(20)])[-1] == ("19: item", "", None)


def test_lines_after_an_opened_record_belong_to_its_writer() -> None:
    lines = peel(
        "[2026-01-31 10:00:00 TP1] Scheduler hit an exception: Traceback (most recent call last):",
        '  File "a.py", line 1, in f',
        "[2026-01-31 10:00:00 TP0] fine",
        "launch.sh: line 2: 7 Killed",
    )
    assert [rank for _, _, rank in lines] == ["TP1", "TP1", "TP0", None]


def test_every_level_has_its_full_name() -> None:
    lines = PEELER.peel(
        [RawLine(1, b"E1129 12:49:11.775000 27520 torch/api.py:1002] failed"), RawLine(2, b"##[error]x")]
    )
    assert [line.level for line in lines] == ["ERROR", "ERROR"]


def peel_raw(*raws: bytes) -> list[tuple[int, str, str]]:
    """(number, text, stream) of lines."""
    return [
        (line.number, line.text, line.stream) for line in PEELER.peel(RawLine(n, raw) for n, raw in enumerate(raws, 1))
    ]


def test_parts_of_a_container_runtime_are_joined_under_the_first_number() -> None:
    lines = peel_raw(
        b"2026-01-31T10:00:00.1Z stderr P [rank1]: Runtime",
        b"2026-01-31T10:00:00.2Z stderr P Error: no",
        b"2026-01-31T10:00:00.3Z stderr F  rows",
        b"2026-01-31T10:00:00.4Z stderr F done",
        b"2026-01-31T10:00:00.5Z stdout P never e",
    )
    assert lines == [(1, "RuntimeError: no rows", "rank1"), (4, "done", ""), (5, "never e", "")]


def test_parts_of_docker_json_are_joined() -> None:
    part = b'{"log":"%s","stream":"stderr","time":"2026-01-31T10:00:00Z"}'
    assert peel_raw(part % b"no ro", part % rb"ws\n", part % rb"done\n") == [(1, "no rows", ""), (3, "done", "")]


def test_a_record_that_holds_a_stack_trace_becomes_lines_of_one_number() -> None:
    inner = {"level": "error", "msg": "failed", "exc_info": "Traceback (most recent call last):\nKeyError: 1"}
    raw = json.dumps({"log": json.dumps(inner) + "\n"}).encode()
    lines = list(PEELER.peel([RawLine(7, raw)]))
    assert [(line.number, line.text, line.level) for line in lines] == [
        (7, "failed", "ERROR"),
        (7, "Traceback (most recent call last):", None),
        (7, "KeyError: 1", None),
    ]
    assert lines[0].formats == ("docker_json", "json_lines")


def test_a_record_that_was_cut_still_tells_its_message() -> None:
    assert peel(r'{"level": "error", "msg": "no rows", "exc_info": "Traceback\nKeyErr') == [
        ("no rows", "", None),
        ("Traceback", "", None),
        ("KeyErr", "", None),
    ]


@pytest.mark.parametrize(
    "text", ['{"loss": 0.5, "step": 3}', '{"message": "Not found"}', '{"a": ', "{}", '{"level": "error", "msg": null}']
)
def test_data_is_no_record(text: str) -> None:
    assert peel(text) == [(text, "", None)]


def test_lines_that_a_multiplexer_broke_are_whole_again() -> None:
    prefix, width = "bench.n1 [stderr] ", 80
    whole = [prefix + letter * 70 for letter in "ab"]
    lines = [part for line in whole for part in (line[:width], line[width:])]
    assert [text for text, _, _ in peel(*lines, prefix + "end")] == ["a" * 70, "b" * 70, "end"]


def test_a_gutter_is_a_prefix_and_an_exception_group_is_not() -> None:
    assert peel(*["  | make: done"] * 6) == [("make: done", "", None)] * 6
    group = [
        "  + Exception Group Traceback (most recent call last):",
        *["  | x = f()"] * 8,
        "  +-+---------------- 1 ----------------",
    ]
    assert [text for text, _, _ in peel(*group)] == group


def test_a_quote_counts_in_its_block_only() -> None:
    texts = [text for text, _, _ in peel(*["> quoted"] * 5, "plain", ">   raise ValueError")]
    assert texts == ["quoted"] * 5 + ["plain", ">   raise ValueError"]


def test_an_unknown_prefix_is_learned_from_the_frames_that_it_hides() -> None:
    lines = [f'<<job-{n}>>   File "a.py", line {n}, in f' for n in (1, 1, 1, 1, 1, 1)]
    assert peel(*lines)[0] == ('  File "a.py", line 1, in f', "<<job-1>>", None)
    assert peel(*["take-1  of 3"] * 9)[0] == ("take-1  of 3", "", None)


def test_tags_before_known_prefixes_are_learned() -> None:
    line = "[2026-01-31 10:00:00.123456] [node] [c2] [2026-01-31 10:00:00,123: ERROR/MainProcess] boom"
    assert peel(*[line] * 5)[0] == ("boom", "[node] [c2]/MainProcess", None)


def test_tensor_ranks_are_kept_as_printed() -> None:
    assert peel("[2026-01-31 10:00:00 DP1 TP3] x", "(Worker_TP2 pid=7) y", "(EngineCore_DP0 pid=8) z") == [
        ("x", "DP1 TP3", "DP1 TP3"),
        ("y", "Worker_TP2:7", "TP2"),
        ("z", "EngineCore_DP0:8", "DP0"),
    ]


def test_no_line_makes_it_fail() -> None:
    texts = [sample.line for fmt in FORMATS for sample in fmt.samples]
    for cut in range(1, 60, 7):
        peel(*(text[:cut] for text in texts), *(text[cut:] for text in texts), *(text[::-1] for text in texts))
        peel(*(a[:cut] + b for a, b in pairwise(texts)))


def test_long_lines_cost_little() -> None:
    filler = ("a.b-", "1 ", "[x] ", "{", '"', "\t", " ", "| ", "x=", "-1:", "(a")
    started = time.process_time()
    for fmt in FORMATS:
        for sample in fmt.samples[:1]:
            for each in filler:
                peel(sample.line + each * (8_000 // len(each)))
                peel(sample.line[:12] + each * (8_000 // len(each)))
    assert time.process_time() - started < 20
