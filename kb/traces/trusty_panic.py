"""Crashes of apps under Android's Trusty: `panic notifier - trusty version …`, the fault, and `uSP+0x…` frames.

Source of the format: the log of Trusty's kernel (a fork of Little Kernel), symbolized by Android's tools.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import PATIENCE, Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_frames import stack_line
from kb.traces._runtime_frames import is_runtime

_HEADER = re.compile(r"^panic notifier - trusty version\b")
_TOLD = re.compile(r"^(?:\w[\w ]{0,40} (?:fault|abort)\b|fault code |app: )")
_FRAME = re.compile(r"^(?P<side>[ku]SP)\+0x[0-9a-f]+: (?P<call>0x[0-9a-f]+ in .+)$")
_KERNEL = "kSP"
_BLOCK_LINES = 200
"""Lines that one report may have."""


def parse(cursor: Cursor) -> list[Event]:
    """The crash reported here. Frames on the kernel's stack are its fault handler."""
    line = cursor.line
    if line is None or not _HEADER.match(line.text.strip()):
        return []
    cursor.claim()
    carrier, parts, frames, foreign = line, list[str](), list[Frame](), 0
    for _ in range(_BLOCK_LINES):
        here = cursor.line
        if here is None or foreign > PATIENCE:
            break
        text = here.text.strip()
        if found := _FRAME.match(text):
            frames += _frame(found["side"], found["call"])
        elif not frames and _TOLD.match(text):
            carrier = here if not parts else carrier
            parts.append(text)
        elif frames:
            break
        else:
            foreign += 1
            cursor.skip()
            continue
        foreign = 0
        cursor.claim()
    return [crash(cursor, carrier, "\n".join(parts) or line.text, "Trusted app crash", tuple(frames))]


def _frame(side: str, call: str) -> list[Frame]:
    found = stack_line(f"#0 {call}")
    if found is None or found.frame is None:
        return []
    name, file = found.frame.function, found.frame.file
    inside = side == _KERNEL or is_runtime(name, file)
    return [Frame(file, found.frame.line, name, runtime=inside)]


TRACE = Trace(
    name="trusty_panic",
    starts=r"^\s*panic notifier - trusty version\b",
    parse=parse,
    order=20,
    marks=("panic notifier - trusty",),
    samples=(
        TraceSample(
            "panic notifier - trusty version Project: demo, Build: 1\ndata fault writing to 0x10, PC at 0x8000(0x10)\n"
            "app: keys\n\nBacktrace for thread: app_3\n(app: keys)\nkSP+0x0df0: 0xffff000000022f5c in app_exit lk.c:3\n"
            "uSP+0x01d0: 0x000000000001b048 in sign_key /srv/keys.c:9\n"
            "uSP+0x05f0: 0x00000000000123dc in main /srv/a.c:1",
            (("crash", "Trusted app crash", "data fault writing to 0x10, PC at 0x8000(0x10)\napp: keys", 2),),
        ),
    ),
    strangers=("the panic notifier of trusty was registered",),
)
