"""A limit of Centipede and FuzzTest that a fuzz target ran over: `========= RSS limit exceeded: 7 > 6 (MB); exiting`.

Source of the format: fuzztest, centipede/runner.cc (`CheckWatchdogLimits`, `CheckStackLimit`).
"""

import re

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_stack import stack_of

_LINE = re.compile(
    r"^(?:CRASH LOG: )?=========+ (?P<message>(?P<what>[A-Z][\w-]*(?: \w+)*?)(?: of \d+ seconds)? exceeded"
    r"(?:: \d+ > \d+ \([\w ]+\))?); (?:exiting|aborting)$"
)
_NAMES = {"Stack limit": "stack-overflow", "RSS limit": "out of memory"}
"""What a limit's going over is called elsewhere; all others are limits of time."""


def parse(cursor: Cursor) -> list[Event]:
    """The limit told here, with the stack of the abort where one follows: there the target was."""
    line = cursor.line
    if line is None or (found := _LINE.match(line.text.strip())) is None:
        return []
    cursor.claim()
    return [crash(cursor, line, found["message"], _NAMES.get(found["what"], "timeout"), stack_of(cursor, line))]


TRACE = Trace(
    name="centipede_limit",
    starts=r"^\s*(?:CRASH LOG: )?=========+ [A-Z].{0,80} exceeded.{0,60}; (?:exiting|aborting)\s*$",
    parse=parse,
    order=30,
    marks=(" exceeded: ", " seconds exceeded; "),
    samples=(
        TraceSample(
            "========= RSS limit exceeded: 2051 > 2048 (MB); exiting",
            (("crash", "out of memory", "RSS limit exceeded: 2051 > 2048 (MB)", 1),),
        ),
        TraceSample(
            "CRASH LOG: ========= Per-input timeout exceeded: 6 > 5 (sec); exiting",
            (("crash", "timeout", "Per-input timeout exceeded: 6 > 5 (sec)", 1),),
        ),
        TraceSample(
            "========= Timeout of 20 seconds exceeded; exiting",
            (("crash", "timeout", "Timeout of 20 seconds exceeded", 1),),
        ),
    ),
    strangers=("the quota was exceeded: 3 > 2; exiting later", "=========== 3 passed, 1 skipped ==========="),
)
