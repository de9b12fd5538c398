"""Records for dumps: each is found in its examples by `kb hang`'s own linking, not in its counter-examples."""

import pytest

from kb.evidence._read import Reader
from kb.hang.assemble import assemble
from kb.hang.case import make_case
from kb.hang.known import link, spoken_of
from kb.registry import discover
from kb.store.cache import shipped_records
from kb.store.files import Stored, read_records
from kb.store.reader import Index

KINDS = list(discover("kb.evidence", "EVIDENCE"))
STORED = [item for item in read_records([shipped_records()])
          if isinstance(item, Stored) and any(signature.when == "dump" for signature in item.record.kb.signatures)]  # fmt: skip


def found(text: str, index: Index) -> set[str]:
    return set(spoken_of(make_case(assemble(Reader(KINDS).read(text.encode(), "dump.txt"))), index))


def test_there_are_enough() -> None:
    assert len(STORED) >= 25


@pytest.mark.parametrize("stored", STORED, ids=lambda stored: stored.key)
def test_a_record_speaks_of_its_examples_only(stored: Stored, shipped_index: Index) -> None:
    for example in stored.record.kb.examples:
        assert stored.record.id in found(example.text, shipped_index), example.text
    for example in stored.record.kb.counter_examples:
        assert stored.record.id not in found(example.text, shipped_index), example.text


def test_a_record_of_another_class_is_not_linked(shipped_index: Index) -> None:
    text = next(stored for stored in STORED if stored.key == "hang/collective-stall").record.kb.examples[0].text
    case = make_case(assemble(Reader(KINDS).read(text.encode(), "dump.txt")))
    keys = {str(record["key"]) for record in link(case, "symmetric_collective_stall", shipped_index)[1]}
    assert "hang/collective-stall" in keys and "hang/busy-rank" not in keys
