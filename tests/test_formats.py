"""Every line prefix keeps the promises of its own file, and none eats another's."""

import re

import pytest

from kb.formats import Format
from kb.read.peel import Peeler, specific_first
from kb.read.scan import RawLine
from kb.registry import discover

FORMATS: list[Format] = list(discover("kb.formats", "FORMAT"))
PEELER = Peeler(FORMATS)


@pytest.mark.parametrize("fmt", FORMATS, ids=lambda fmt: fmt.name)
def test_samples_are_peeled(fmt: Format) -> None:
    assert fmt.samples and fmt.strangers, "a format needs samples and strangers"
    for sample in fmt.samples:
        first = next(PEELER.prefixes(sample.line, None))
        assert first.format.name == fmt.name, sample.line
        assert sample.line[first.end :] == sample.rest
        assert {name: first.says.get(name) for name, _ in sample.says} == dict(sample.says)


@pytest.mark.parametrize("fmt", FORMATS, ids=lambda fmt: fmt.name)
def test_strangers_are_left_alone(fmt: Format) -> None:
    for line in fmt.strangers:
        assert re.match(fmt.pattern, line) is None, line


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


def test_lines_after_an_opened_record_belong_to_its_writer() -> None:
    lines = peel(
        "[2026-01-31 10:00:00 TP1] Scheduler hit an exception: Traceback (most recent call last):",
        '  File "a.py", line 1, in f',
        "[2026-01-31 10:00:00 TP0] fine",
        "launch.sh: line 2: 7 Killed",
    )
    assert [rank for _, _, rank in lines] == ["1", "1", "0", None]


def test_every_level_has_its_full_name() -> None:
    lines = PEELER.peel([RawLine(1, b"E1129 12:49:11.775000 27520 torch/api.py:1002] failed"), RawLine(2, b"##[error]x")])
    assert [line.level for line in lines] == ["ERROR", "ERROR"]
