"""Rust's end for want of memory: `memory allocation of N bytes failed`.

Source of the format: library/alloc/src/alloc.rs of Rust.
"""

import re

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_stack import stack_of

_LINE = re.compile(r"^memory allocation of \d+ bytes failed")


def parse(cursor: Cursor) -> list[Event]:
    """The failed allocation, with the stack of the abort where one follows."""
    line = cursor.line
    if line is None or (found := _LINE.match(line.text.strip())) is None:
        return []
    cursor.claim()
    return [crash(cursor, line, found[0], "out of memory", stack_of(cursor, line), language="rust")]


TRACE = Trace(
    name="rust_alloc",
    starts=r"^\s*memory allocation of \d+ bytes failed",
    parse=parse,
    order=30,
    marks=("memory allocation of ",),
    samples=(
        TraceSample(
            "memory allocation of 4096 bytes failed",
            (("crash", "out of memory", "memory allocation of 4096 bytes failed", 1),),
        ),
    ),
    strangers=("the memory allocation of the job failed once",),
)
