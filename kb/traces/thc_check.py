"""Old torch's check of CUDA calls: `THCudaCheck FAIL file=… line=… error=… : …`, printed before the exception is
raised.

Source of the format: aten/src/THC/THCGeneral.cpp of torch up to 1.10.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash

_LINE = re.compile(r"^(?P<cls>THC\w*Check) FAIL file=(?P<file>\S+) line=(?P<line>\d+) error=\d+ : (?P<message>\S.*)$")


def parse(cursor: Cursor) -> list[Event]:
    """The failed call, at the place that it names."""
    line = cursor.line
    if line is None or (found := _LINE.match(line.text.strip())) is None:
        return []
    cursor.claim()
    return [crash(cursor, line, line.text, found["cls"], (Frame(found["file"], int(found["line"])),), kind="error")]


TRACE = Trace(
    name="thc_check",
    starts=r"^\s*THC\w*Check FAIL file=",
    parse=parse,
    order=30,
    marks=("Check FAIL file=",),
    samples=(
        TraceSample(
            "THCudaCheck FAIL file=/src/THC/Gather.cu line=88 error=2 : out of memory",
            (("error", "THCudaCheck", "THCudaCheck FAIL file=/src/THC/Gather.cu line=88 error=2 : out of memory", 1),),
        ),
    ),
    strangers=("a THCudaCheck FAIL has a file",),
)
