"""Every grammar keeps the promises of its own file and leaves the strangers of all others alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.model.event import Event, Line
from kb.read.fold import Folder
from kb.registry import discover
from kb.traces import Trace, TraceSample

TRACES: list[Trace] = list(discover("kb.traces", "TRACE"))
FOLDER = Folder(TRACES)
SAMPLES = [(trace, sample) for trace in TRACES for sample in trace.samples]


def fold(text: str) -> list[Event]:
    return list(FOLDER.fold(Line(number, line) for number, line in enumerate(text.split("\n"), 1)))


@pytest.mark.parametrize(("trace", "sample"), SAMPLES, ids=lambda x: x.name if isinstance(x, Trace) else "")
def test_samples_give_their_events(trace: Trace, sample: TraceSample) -> None:
    assert tuple((e.kind, e.cls, e.message, e.line) for e in fold(sample.text)) == sample.events


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.name)
def test_strangers_are_no_events(trace: Trace) -> None:
    assert trace.samples and trace.strangers, "a grammar needs samples and strangers"
    for text in trace.strangers:
        assert fold(text) == [], text


LINES = [line for _, sample in SAMPLES for line in sample.text.split("\n")] + ["", "loading", "  | x", "Epoch 3", "=" * 20]


@given(st.lists(st.tuples(st.sampled_from(LINES), st.sampled_from(["", "rank0", "rank1"])), max_size=60))
def test_any_mixture_is_read_without_a_fault_and_each_line_once(rows: list[tuple[str, str]]) -> None:
    lines = [Line(number, text, stream=stream) for number, (text, stream) in enumerate(rows, 1)]
    events = list(FOLDER.fold(lines))
    used = [number for event in events for number in event.claimed]
    assert len(used) == len(set(used))
    for event in events:
        assert event.span[0] <= event.line <= event.span[1]
        assert event.line in event.claimed


@given(st.text(max_size=300))
def test_any_text_is_read_without_a_fault(text: str) -> None:
    assert fold(text) == fold(text)
