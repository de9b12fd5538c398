"""Open MPI's signal handler: `*** Process received signal ***`, the signal, its reason and a stack, every line with
host and pid.

Source of the format: opal/util/stacktrace.c of Open MPI.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_frames import stack_line

_HOST = re.compile(r"^\[[\w.-]+:\d+\] ")
_HEADER = "*** Process received signal ***"
_SIGNAL = re.compile(r"^Signal: (?P<name>[^()]+?) \((?P<number>\d+)\)$")
_DETAIL = re.compile(r"^(?:Signal code|Failing at address|Associated errno): ")
_LEVEL = re.compile(r"^\[ ?\d+\] ")
_NAMES = {4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 11: "SIGSEGV"}
_BLOCK_LINES = 200
"""Lines that one report may have."""


def parse(cursor: Cursor) -> list[Event]:
    """The death that the handler reports; its message names the signal and the reason."""
    line = cursor.line
    if line is None or _HEADER not in line.text:
        return []
    cursor.claim()
    carrier, cls, parts, frames = line, None, list[str](), list[Frame]()
    for _ in range(_BLOCK_LINES):
        here = cursor.line
        if here is None:
            break
        text = _HOST.sub("", here.text.strip())
        if found := _SIGNAL.match(text):
            carrier, cls, parts = here, _NAMES.get(int(found["number"])), [text]
        elif _DETAIL.match(text):
            parts.append(text)
        elif _LEVEL.match(text):
            shown = stack_line(_LEVEL.sub("", text))
            frames += [shown.frame] if shown and shown.frame else []
        elif not text.startswith("*** End of error message"):
            break
        cursor.claim()
    return [crash(cursor, carrier, "\n".join(parts) or _HEADER, cls, tuple(frames))]


TRACE = Trace(
    name="open_mpi_signal",
    starts=r"\*\*\* Process received signal \*\*\*",
    parse=parse,
    order=30,
    marks=("*** Process received signal ***",),
    samples=(
        TraceSample(
            "[n1:71] *** Process received signal ***\n[n1:71] Signal: Segmentation fault (11)\n"
            "[n1:71] Failing at address: 0x10\n"
            "[n1:71] [ 0] /lib/libpthread.so.0(+0x12b20)[0x7f01]\n[n1:71] [ 1] ./app(push+0x1a)[0x4006]\n"
            "[n1:71] *** End of error message ***",
            (("crash", "SIGSEGV", "Signal: Segmentation fault (11)\nFailing at address: 0x10", 2),),
        ),
    ),
    strangers=("*** Process received signals: none",),
)
