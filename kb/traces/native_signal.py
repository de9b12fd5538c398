"""Signal handlers that print why a process dies: Chromium and V8, glog, Abseil, UCX, Julia, Android's libc, Xcode and
GDB.

Source of the formats: base/debug/stack_trace_posix.cc, glog src/signalhandler.cc, absl/debugging, ucs/debug/debug.c,
bionic's linker/debuggerd, GDB's infrun.c.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_frames import stack_line
from kb.traces._native_stack import stack_of
from kb.traces.check_failed import failed_check

_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        r"^\W*(?:Received|Caught|Got|Fatal) signal:? (?P<number>\d+)\b.*$",
        r"^\*\*\* (?P<name>SIG[A-Z]+) (?:received |\(@0x).*$",
        r"^(?:\[\d+\] )?signal \((?P<number>\d+)(?:\.\d+)?\)(?:: .*|, .*)$",
        r"^(?:\[?\d+\]? )?signal (?P<number>\d+) \((?P<name>SIG[A-Z]+)\)(?:, code|: ).*$",
        r"^(?:Program|Thread \d+.*?) (?:received|terminated with) signal (?P<name>SIG[A-Z]+), .*$",
        r"^(?:Process \d+ stopped|\* thread #\d+.*)?.*stop reason = (?P<name>signal SIG[A-Z]+|EXC_[A-Z_]+).*$",
        r"^(?:Uncaught signal|Native crash|Unhandled signal|FATAL SIGNAL)\b:? .*$",
    )
)
_NAMES = {4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 11: "SIGSEGV", 31: "SIGSYS"}
_ABORT_MESSAGE = re.compile(r"^Abort message: ['\"]?(?P<message>.*?)['\"]?$")
_TOMBSTONE_LINES = 40
"""Lines between a tombstone's signal and its abort message: registers, maps."""


def parse(cursor: Cursor) -> list[Event]:
    """The death told here, with the stack that the handler printed."""
    line = cursor.line
    if line is None:
        return []
    text = line.text.strip()
    found = next(filter(None, (shape.match(text) for shape in _SHAPES)), None)
    if found is None:
        return []
    groups = found.groupdict()
    name = groups.get("name") or _NAMES.get(int(groups.get("number") or 0))
    if name is None and groups.get("number"):
        return []
    cursor.claim()
    said = _abort_message(cursor)
    cls = failed_check(said.strip()) or (name and name.removeprefix("signal "))
    return [crash(cursor, line, text + said, cls, _stack(cursor))]


def _abort_message(cursor: Cursor) -> str:
    """What the program said when it aborted, where a tombstone quotes it; claimed."""
    start = cursor.at
    for _ in range(_TOMBSTONE_LINES):
        line = cursor.line
        if line is None or stack_line(line.text) is not None:
            break
        if found := _ABORT_MESSAGE.match(line.text.strip()):
            cursor.claim()
            return "\n" + found["message"]
        cursor.skip()
    cursor.at = start
    return ""


def _stack(cursor: Cursor) -> tuple[Frame, ...]:
    line = cursor.line
    return stack_of(cursor, line) if line is not None else ()


TRACE = Trace(
    name="native_signal",
    starts=r"(?:Received|Caught|Got|Fatal) signal:? \d|^\*\*\* SIG[A-Z]+ |^\s*(?:\[?\d+\]? )?signal \(?\d+"
    r"|(?:received|terminated with) signal SIG"
    r"|stop reason = (?:signal|EXC_)|^(?:Uncaught signal|Native crash|Unhandled signal|FATAL SIGNAL)\b",
    parse=parse,
    order=31,
    marks=(
        "signal 1",
        "signal: 1",
        "signal 4",
        "signal 5",
        "signal 6",
        "signal 7",
        "signal 8",
        "*** SIG",
        "signal (",
        "signal SIG",
        "stop reason = ",
        "Uncaught signal",
        "Native crash",
        "Unhandled signal",
        "FATAL SIGNAL",
    ),
    samples=(
        TraceSample(
            "Received signal 11 SEGV_MAPERR 000000000010\n#0 0x7f48 base::debug::StackTrace::StackTrace()\n"
            "#1 0x7f49 Queue::Push(int)\n[end of stack trace]",
            (("crash", "SIGSEGV", "Received signal 11 SEGV_MAPERR 000000000010", 1),),
        ),
        TraceSample(
            "signal 6 (SIGABRT), code -6 (SI_TKILL), fault addr --------\nAbort message: 'queue closed'\nbacktrace:\n"
            "    #00 pc 00022988  /system/lib/libc.so (abort+160)\n    #01 pc 00000988  /system/lib/libq.so (push+16)",
            (("crash", "SIGABRT", "signal 6 (SIGABRT), code -6 (SI_TKILL), fault addr --------\nqueue closed", 1),),
        ),
        TraceSample(
            "signal 6 (SIGABRT), code -6 (SI_TKILL), fault addr --------\nAbort message: '[FATAL:q.cc(9)] Check failed: n.'\n"
            "backtrace:\n    #00 pc 00000988  /system/lib/libq.so (push+16)",
            (
                (
                    "crash",
                    "CHECK failure",
                    "signal 6 (SIGABRT), code -6 (SI_TKILL), fault addr --------\n[FATAL:q.cc(9)] Check failed: n.",
                    1,
                ),
            ),
        ),
        TraceSample(
            "Program received signal SIGSEGV, Segmentation fault.\n0x00005 in push (q=0x0) at queue.c:9\n"
            "#0  0x00005 in push (q=0x0) at queue.c:9",
            (("crash", "SIGSEGV", "Program received signal SIGSEGV, Segmentation fault.", 1),),
        ),
    ),
    strangers=("the process got signal 1 of its watcher and reloaded", "a handler waits for signal 11"),
)
