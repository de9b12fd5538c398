"""Bytes to lines: blocks, cut lines, the scan, and that nothing is lost or told twice."""

import io

from hypothesis import given
from hypothesis import strategies as st

from kb.read.scan import LiteralScanner, RawLine, interesting
from kb.read.source import Block, Tally, read_blocks
from kb.settings import CHUNK_BYTES, CONTEXT_AFTER, CONTEXT_BEFORE, HEAD_LINES, MAX_LINE_BYTES, TAIL_LINES


def lines_of(data: bytes) -> tuple[list[bytes], Tally]:
    tally = Tally()
    blocks = list(read_blocks(io.BytesIO(data), "x", tally))
    assert [block.first for block in blocks] == [1 + sum(len(b.lines) for b in blocks[:i]) for i in range(len(blocks))]
    return [line for block in blocks for line in block.lines], tally


@given(st.lists(st.text(alphabet="ab \r\t", max_size=8), max_size=30), st.booleans())
def test_lines_come_out_as_they_went_in(lines: list[str], ends: bool) -> None:
    data = "\n".join(lines).encode() + (b"\n" if ends and lines else b"")
    wanted = data.removesuffix(b"\n").split(b"\n") if data else []
    if data == b"\n":
        wanted = [b""]
    found, tally = lines_of(data)
    assert found == wanted and tally.lines == len(wanted) and tally.bytes == len(data)


def test_lines_may_cross_chunks() -> None:
    data = b"".join(b"%d " % number * 50 + b"\n" for number in range(20_000))
    assert len(data) > 3 * CHUNK_BYTES
    assert lines_of(data)[0] == data.splitlines()


def test_a_long_line_keeps_head_and_tail() -> None:
    (short, long), tally = lines_of(b"a\nBEGIN" + b"x" * (9 * MAX_LINE_BYTES) + b"END\n")
    assert short == b"a" and long.startswith(b"BEGINx") and long.endswith(b"xEND") and len(long) < 2 * MAX_LINE_BYTES
    assert tally.long_lines == 1


def numbers(total: int, *marked: int) -> list[int]:
    rows = [b"boom" if number in marked else b"calm" for number in range(1, total + 1)]
    blocks = [Block(at + 1, rows[at : at + 700]) for at in range(0, total, 700)]
    return [line.number for line in interesting(blocks, LiteralScanner(["boom"]))]


def test_head_tail_and_surroundings_of_marks_are_given() -> None:
    middle = 5000
    wanted = {*range(1, HEAD_LINES + 1), *range(middle - CONTEXT_BEFORE, middle + CONTEXT_AFTER + 1), *range(10_001 - TAIL_LINES, 10_001)}
    assert numbers(10_000, middle) == sorted(wanted)


@given(st.integers(0, 3000), st.sets(st.integers(1, 3000), max_size=6))
def test_lines_are_given_in_order_and_once(total: int, marked: set[int]) -> None:
    found = numbers(total, *marked)
    assert found == sorted(set(found))
    assert {number for number in marked if number <= total} <= set(found)


def test_without_literals_head_and_tail_remain() -> None:
    rows = [RawLine(1, b"x")]
    assert list(interesting([Block(1, [b"x"])], LiteralScanner([]))) == rows
