"""Go's race detector: `WARNING: DATA RACE` between two rulers, with both accesses and where their goroutines began.

Source of the format: runtime/race and compiler-rt's tsan/go of LLVM.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces.go_panic import place_of

_HEADER = "WARNING: DATA RACE"
_ACCESS = re.compile(
    r"^(?:Previous )?(?:(?:[Aa]tomic )?[Rr]ead|[Ww]rite|(?:[Aa]tomic )?[Ww]rite) (?:at|of size) \S+ by .+:$"
    r"|^Goroutine \d+ .*created at:$"
)
_CALL = re.compile(r"^ {2,}(?P<function>[\w./*()\[\]-]+)\(.*\)$")
_BLOCK_LINES = 200
"""Lines that one report may have."""


def parse(cursor: Cursor) -> list[Event]:
    """The race reported here, at the access that came second; the other stacks are claimed."""
    line = cursor.line
    if line is None or line.text.strip() != _HEADER:
        return []
    cursor.claim()
    parts, frames, stacks, call = ["DATA RACE"], list[Frame](), 0, None
    for _ in range(_BLOCK_LINES):
        here = cursor.line
        if here is None:
            break
        text = here.text.strip()
        if _ACCESS.match(text):
            stacks += 1
            parts += [text] if stacks == 1 else []
        elif (place := place_of(here.text)) and call:
            frames += [Frame(place[0], place[1], call)] if stacks == 1 else []
            call = None
        elif found := _CALL.match(here.text):
            call = found["function"]
        elif text and not text.startswith("=="):
            break
        cursor.claim()
        if text.startswith("=="):
            break
    return [crash(cursor, line, "\n".join(parts), "DATA RACE", tuple(frames), language="go")]


TRACE = Trace(
    name="go_race",
    starts=r"^\s*WARNING: DATA RACE\s*$",
    parse=parse,
    order=25,
    marks=("WARNING: DATA RACE",),
    samples=(
        TraceSample(
            "WARNING: DATA RACE\nWrite at 0x00c0 by goroutine 7:\n  example.org/app.(*Box).Put()\n"
            "      /srv/app/box.go:12 +0x3c\n\n"
            "Previous read at 0x00c0 by main goroutine:\n  main.main()\n      /srv/app/main.go:9 +0x4\n"
            "==================",
            (("crash", "DATA RACE", "DATA RACE\nWrite at 0x00c0 by goroutine 7:", 1),),
        ),
    ),
    strangers=("a WARNING: DATA RACE would be shown here",),
)
