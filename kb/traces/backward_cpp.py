"""backward-cpp's report of a signal: the stack first, outermost call on top, then the signal.

Source of the format: backward.hpp (Printer and SignalHandling).
"""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_frames import stack_line

_HEADER = re.compile(r"^Stack trace \(most recent call (?P<which>last|first)\)(?: in thread \d+)?:?$")
_SIGNAL = re.compile(
    r"^(?P<message>(?P<name>Segmentation fault|Aborted|Bus error|Floating point exception|Illegal instruction) \(.+\))$"
)
_SOURCE = re.compile(r"^\s*(?:>\s*)?\d+: ")
_BLOCK_LINES = 600
"""Lines that one report may have: every frame shows seven lines of source."""


def parse(cursor: Cursor) -> list[Event]:
    """The death that the report ends in; nothing for a stack without one."""
    line = cursor.line
    if line is None or (head := _HEADER.match(line.text.strip())) is None:
        return []
    cursor.claim()
    frames: list[Frame] = []
    for _ in range(_BLOCK_LINES):
        here = cursor.line
        if here is None:
            break
        text = here.text.strip()
        if found := _SIGNAL.match(text):
            cursor.claim()
            ordered = tuple(reversed(frames) if head["which"] == "last" else frames)
            return [crash(cursor, here, found["message"], found["name"], ordered)]
        shown = stack_line(text)
        if shown is None and not _SOURCE.match(here.text) and not here.text.startswith(" "):
            break
        if shown and shown.frame:
            frames.append(shown.frame)
        cursor.claim()
    return []


TRACE = Trace(
    name="backward_cpp",
    starts=r"^\s*Stack trace \(most recent call (?:last|first)\)",
    parse=parse,
    order=30,
    marks=("Stack trace (most recent call ",),
    samples=(
        TraceSample(
            'Stack trace (most recent call last):\n#1    Source "main.cpp", line 4, in main\n'
            "          3: int main() {\n      >   4:   push(0);\n"
            '#0    Source "queue.cpp", line 9, in push\nSegmentation fault (Address not mapped to object [(nil)])',
            (("crash", "Segmentation fault", "Segmentation fault (Address not mapped to object [(nil)])", 6),),
        ),
    ),
    strangers=("Stack trace (most recent call last) of a healthy process",),
)
