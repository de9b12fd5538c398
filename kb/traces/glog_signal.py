"""glog's and Abseil's failure signal handler: `*** Aborted at …`, `PC: @ …`, `*** SIGSEGV (@0x0) received by PID …`
and `@ 0x… f` lines.

Source of the format: glog src/signalhandler.cc, absl/debugging/failure_signal_handler.cc.
"""

import re

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_frames import stack_line
from kb.traces._native_stack import stack_of

_HEAD = re.compile(r"^\*\*\* Aborted at \d+ \(unix time\)")
_SIGNAL = re.compile(r"^\*\*\* (?P<name>SIG[A-Z]+) \(@0x[0-9a-f]+\) received by PID .*$")
_LOOK = 4
"""Lines between the first line and the one that names the signal."""


def parse(cursor: Cursor) -> list[Event]:
    """The death that the handler reports; its message names the signal."""
    line = cursor.line
    if line is None or not _HEAD.match(line.text.strip()):
        return []
    cursor.claim()
    for _ in range(_LOOK):
        here = cursor.line
        if here is None:
            break
        if found := _SIGNAL.match(here.text.strip()):
            cursor.claim()
            return [crash(cursor, here, here.text, found["name"], stack_of(cursor, here))]
        if stack_line(here.text) is None:
            cursor.skip()
        else:
            cursor.claim()
    return [crash(cursor, line, line.text)]


TRACE = Trace(
    name="glog_signal",
    starts=r"^\s*\*\*\* Aborted at \d+ \(unix time\)",
    parse=parse,
    order=30,
    marks=("*** Aborted at ",),
    samples=(
        TraceSample(
            '*** Aborted at 1700000000 (unix time) try "date -d @1700000000" ***\nPC: @                0x0 (unknown)\n'
            "*** SIGSEGV (@0x8) received by PID 71 (TID 0x7f) from PID 8; stack trace: ***\n"
            "    @     0x7f9e (unknown)\n    @     0x4006 queue::Push()",
            (("crash", "SIGSEGV", "*** SIGSEGV (@0x8) received by PID 71 (TID 0x7f) from PID 8; stack trace: ***", 3),),
        ),
    ),
    strangers=("*** Aborted at the request of a user",),
)
