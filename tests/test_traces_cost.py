"""No grammar searches without bound: what parsers look at stays in proportion to the lines of the log, whatever it holds.

Work is counted in looks at lines, never in seconds.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from kb.model.event import Line
from kb.read.fold import CREDIT, CREDIT_A_LINE, SEGMENT, Folder
from kb.registry import discover
from kb.traces import CLAIM_PAYS, Cursor, Meter, Trace

TRACES: list[Trace] = list(discover("kb.traces", "TRACE"))
FOLDER = Folder(TRACES)
SAMPLES = [(trace, sample.text.split("\n")) for trace in TRACES for sample in trace.samples]
LINES = 1000
"""Lines of one repetition; the credit is made small beside them, so that a search that never ends would show."""


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """Counts the looks of each grammar, with a tenth of the credit that a segment has else."""
    counted: Counter[str] = Counter()

    def counting(trace: Trace) -> Trace:
        def parse(cursor: Cursor) -> list:  # type: ignore[type-arg]
            events = trace.parse(cursor)
            counted[trace.name] += cursor.meter.looked
            return events

        return Trace(trace.name, trace.starts, parse, trace.marks, trace.samples, trace.strangers, trace.order, trace.leveled)

    monkeypatch.setattr("kb.read.fold.CREDIT", CREDIT // 10)
    monkeypatch.setattr(f"{__name__}.FOLDER", Folder([counting(trace) for trace in TRACES]))
    yield counted


def fold(texts: Sequence[str], streams: int = 1) -> dict[str, int]:
    """What was skipped when these lines were folded."""
    skipped: dict[str, int] = {}
    list(FOLDER.fold((Line(at, text, stream=f"rank{at % streams}") for at, text in enumerate(texts, 1)), skipped=skipped))
    return skipped


def repeated(block: Sequence[str], lines: int = LINES) -> list[str]:
    return [block[at % len(block)] for at in range(lines)]


def most(lines: int, segments: int = 1) -> int:
    """The looks that one grammar may take at most: its credit, what its claims pay for, and one last search that overdraws it."""
    return segments * (CREDIT // 10 + SEGMENT) + (CREDIT_A_LINE + CLAIM_PAYS) * lines


BLOCKS = sorted({tuple(block) for _, text in SAMPLES for block in (text[:1], text[:2], text, [text[0], "plain words here"])})


def test_any_repetition_costs_in_proportion_to_its_lines(looks: Counter[str]) -> None:
    for block in BLOCKS:
        looks.clear()
        fold(repeated(block))
        dear = {name: count for name, count in looks.items() if count > most(LINES)}
        assert not dear, (dear, block)


@pytest.mark.parametrize("streams", [1, 8])
def test_a_mixture_of_all_samples_costs_in_proportion_to_its_lines(looks: Counter[str], streams: int) -> None:
    pool, chance = [line for _, text in SAMPLES for line in text], random.Random(7)
    fold([chance.choice(pool) for _ in range(5 * SEGMENT)], streams)
    segments = 5 if streams == 1 else 8
    assert {name: count for name, count in looks.items() if count > most(5 * SEGMENT, segments)} == {}
    assert sum(looks.values()) < 10 * 5 * SEGMENT


def test_no_sample_needs_more_than_its_credit() -> None:
    assert [trace.name for trace, text in SAMPLES if fold(text)] == []


def test_a_search_in_vain_is_not_repeated_for_ever_and_is_counted() -> None:
    asked: list[int] = []

    def parse(cursor: Cursor) -> list:  # type: ignore[type-arg]
        while cursor.line is not None:
            cursor.skip()
        asked.append(cursor.meter.looked)
        return []

    greedy = Trace("greedy", "^open", parse, ("open",), (), ())
    skipped: dict[str, int] = {}
    lines = [Line(number, "open") for number in range(1, SEGMENT)]
    list(Folder([greedy]).fold(lines, skipped=skipped))
    assert sum(asked) <= CREDIT + CREDIT_A_LINE * SEGMENT
    assert skipped["grammar_budget"] >= len(lines) - len(asked)


def test_a_line_once_shown_stays_readable_when_the_credit_is_used_up() -> None:
    lines = [Line(number, "x") for number in range(1, 9)]
    cursor = Cursor(lines, 0, set(), lambda line: False, Meter(3))
    while cursor.line is not None:
        cursor.skip()
    assert cursor.at == 3 and cursor.meter.short and not cursor.hit_end
    cursor.at = 0
    assert [cursor.claim().number for _ in range(3)] == [1, 2, 3]
    assert cursor.line is not None, "claimed lines pay for further looks"


def test_lines_taken_out_of_a_margin_are_paid_from_the_same_credit() -> None:
    lines = [Line(number, "x") for number in range(1, 9)]
    cursor = Cursor(lines, 0, set(), lambda line: False, Meter(1))
    inner = cursor.within(lines)
    assert inner.line is not None
    inner.skip()
    assert inner.line is None and cursor.meter.short


@pytest.mark.parametrize("unit", [" ", "[", "a.", "0", "a: ", "1, "])
def test_numbers_and_words_without_end_are_read_without_a_fault(unit: str) -> None:
    for _, text in SAMPLES:
        fold([text[0] + unit * (6000 // len(unit)), *text[1:]])
