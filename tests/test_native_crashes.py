"""What native crashes are called, and which of their frames belong to the harness."""

import pytest

from kb.model.event import Frame
from kb.traces import _crash_names
from kb.traces._harness import settled


def _shown(*frames: Frame, cls: str | None = None) -> list[str | None]:
    return [frame.function for frame in settled(frames, cls) if not frame.runtime]


def test_a_fuzz_target_is_named_by_its_file_and_its_callers_are_harness() -> None:
    entry, main = Frame("/src/rows_fuzzer.cc", 7, "LLVMFuzzerTestOneInput"), Frame("main.cc", 3, "main")
    assert _shown(Frame("row.cc", 1, "split"), entry, main) == ["split", "rows_fuzzer.cc"]


def test_a_fuzz_target_without_source_is_harness() -> None:
    assert _shown(Frame("/out/rows_fuzzer", None, "LLVMFuzzerTestOneInput"), Frame("", None, "main")) == []


def test_main_below_a_test_runner_is_harness() -> None:
    runner = Frame("", None, "testing::UnitTest::Run", runtime=True)
    assert _shown(Frame("row.cc", 1, "split"), runner, Frame("main.cc", 3, "main")) == ["split"]


def test_main_without_a_runner_is_the_program() -> None:
    assert _shown(Frame("row.cc", 1, "split"), Frame("main.cc", 3, "main")) == ["split", "main"]


def test_what_a_fatal_record_runs_on_its_way_out_is_machinery() -> None:
    abort = Frame("", None, "abort", runtime=True)
    flush = Frame("", None, "logging::LogMessage::Flush", runtime=True)
    assert _shown(abort, Frame("log.cc", 2, "print"), flush, Frame("row.cc", 1, "split")) == ["split"]


def test_a_stack_overflow_begins_at_its_cycle() -> None:
    calls = ["hash", *["read", "item", "list"] * 5, "main"]
    frames = [Frame("a.c", at, name) for at, name in enumerate(calls)]
    assert _shown(*frames, cls="stack-overflow")[:4] == ["read", "item", "list", "read"]
    assert _shown(*frames, cls="heap-buffer-overflow")[0] == "hash"


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("SEGV on unknown address 0x000000000018 (pc 0x7f)\nThe signal is caused by a READ memory access.",
         "Null-dereference READ"),
        ("SEGV on unknown address 0x7f0000001018 (pc 0x7f)\nThe signal is caused by a WRITE memory access.",
         "UNKNOWN WRITE"),
        ("SEGV on unknown address (pc 0x7f)", "SEGV"),
    ],
)  # fmt: skip
def test_the_address_of_a_fault_tells_its_name(message: str, name: str) -> None:
    assert _crash_names.sanitizer("SEGV", message) == name


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("index 9 out of bounds for type 'int[8]'", "Index-out-of-bounds"),
        ("member call on address 0x2a which does not point to an object of type 'Row'", "Bad-cast"),
        ("member call on null pointer of type 'Row'", "Null-dereference"),
        ("load of misaligned address 0x2b for type 'int'", "Misaligned-address"),
        ("a kind of error that does not exist yet", None),
    ],
)
def test_undefined_behavior_has_the_name_of_its_check(message: str, name: str | None) -> None:
    assert _crash_names.undefined_behavior(message) == name
