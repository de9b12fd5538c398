"""The shipped records: each is found in its examples, not in its counter-examples, and who else speaks there is on record."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from conftest import compare

from kb.model.report import Diagnosis
from kb.pipeline import Pipeline
from kb.store.cache import shipped_records
from kb.store.files import Stored, read_records

STORED = [item for item in read_records([shipped_records()]) if isinstance(item, Stored) and not item.record.only_in_dumps]


def read(pipeline: Pipeline, text: str) -> Diagnosis:
    return pipeline.read(BytesIO(text.strip("\n").encode()), "example")


def test_there_are_enough() -> None:
    assert len(STORED) >= 60


@pytest.mark.parametrize("stored", STORED, ids=lambda stored: stored.key)
def test_a_record_is_found_in_its_examples_and_nowhere_it_warns_of(stored: Stored, pipeline: Pipeline) -> None:
    for example in stored.record.kb.examples:
        assert stored.key in {fired.key for fired in read(pipeline, example.text).fired}, example.text
    for example in stored.record.kb.counter_examples:
        assert stored.key not in {fired.key for fired in read(pipeline, example.text).fired}, example.text


def cross_talk(pipeline: Pipeline) -> Iterator[str]:
    for stored in STORED:
        for example in stored.record.kb.examples:
            others = sorted({fired.key for fired in read(pipeline, example.text).fired} - {stored.key})
            if others:
                yield f"{stored.key}: {' '.join(others)}\n"


def test_cross_talk(pipeline: Pipeline, request: pytest.FixtureRequest) -> None:
    """Who else fires on each record's examples. A new line here means that a record says too much, or that two belong together."""
    text = "".join(dict.fromkeys(cross_talk(pipeline)))
    compare(Path(__file__).parent / "golden" / "cross_talk.txt", text, request.config.getoption("--update"))
