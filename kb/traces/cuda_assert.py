"""A failed `assert` inside a CUDA or HIP kernel: one line for every thread, often thousands.

Source of the format: the CUDA runtime's and HIP's `__assertfail`; torch's CUDA_KERNEL_ASSERT prints through it.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_frames import bare_function

_LINE = re.compile(
    r"(?P<file>(?:[A-Za-z]:[\\/])?[^\s:]+):(?P<line>\d+): (?P<function>[^:]*(?:::[^:]+)*): block: \[[\d,]+\], "
    r"thread: \[[\d,]+\] (?P<message>Assertion [`'].*)$"
)
_DEVICE = re.compile(
    r"^(?P<file>[^\s:]+):(?P<line>\d+): (?P<function>\S.*?): Device-side assertion (?P<message>[`'].+['\"] failed\.?)$"
)

_REACH = 2000
"""Characters before and behind `: block: [` that are looked at: a path and a signature, a condition."""


def parse(cursor: Cursor) -> list[Event]:
    """The assertion of one thread of the device; equal ones become one event later."""
    line = cursor.line
    if line is None:
        return []
    at = line.text.find(": block: [")
    found = _LINE.search(line.text[max(0, at - _REACH) : at + _REACH]) if at >= 0 else None
    found = found or _DEVICE.match(line.text.strip())
    if found is None:
        return []
    cursor.claim()
    function = bare_function(found["function"]) if found["function"] else None
    frame = Frame(found["file"], int(found["line"]), function)
    return [crash(cursor, line, found["message"], "device-side assert", (frame,), language="cuda")]


TRACE = Trace(
    name="cuda_assert",
    starts=r": block: \[[\d,]+\], thread: \[|: Device-side assertion ",
    parse=parse,
    order=15,
    marks=(": block: [", ": Device-side assertion "),
    samples=(
        TraceSample(
            "/src/kernels/Gather.cu:88: take_rows: block: [0,0,0], thread: [7,0,0] Assertion `row < rows` failed.",
            (("crash", "device-side assert", "Assertion `row < rows` failed.", 1),),
        ),
        TraceSample(
            "kernel.cpp:9: void scale(float*): Device-side assertion `n > 0' failed.",
            (("crash", "device-side assert", "`n > 0' failed.", 1),),
        ),
    ),
    strangers=("the size of a block: [32,1,1]", "Device-side assertions were explicitly omitted for this error check"),
)
