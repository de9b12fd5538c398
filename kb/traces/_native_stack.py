"""Stacks of native frames: reading one, and finding the one that belongs to a message printed before it."""

import re

from kb.model.event import Frame, Line
from kb.traces import Cursor
from kb.traces._native_frames import stack_line

_STACK_LINES = 600
"""Frame lines that one stack may have: a stack overflow shows 250 to 512 of them."""

_LOOK_AHEAD = 60
"""Foreign lines between a message and its stack: registers, environment, memory maps."""

_INSIDE = 3
"""Foreign lines inside a stack: a frame that was wrapped, a line of another thread."""

_FULL = 3
"""What `_tells` says of a stack that no other can better."""

_REPORT_BEGINS = re.compile(
    r"\*\*\* (?:SIG|Check failure stack trace|Aborted at)|(?:Caught|Received|Fatal) signal \d"
    r"|signal \d+ \(SIG|Abort message:|SUMMARY: |Aborted\b|Trace/breakpoint trap|Illegal instruction"
    r"|\w*ABORTING|=+ *(?:Backtrace|C stack trace)"
)
_REPORT_INSIDE = re.compile(
    r"\wSanitizer: ?(?:ABRT|ILL|TRAP|BUS|SEGV|FPE|breakpoint|illegal-instruction|access-violation|int-divide)\b"
    r"|\wSan(?:itizer)?: ?(?:DEADLY ?SIGNAL|SIG[A-Z]+)"
    r"|ERROR: libFuzzer: (?:deadly signal|fuzz target exited)"
)
_REPORT_WORDS = ("San", "ERROR: libFuzzer: ")
"""One of these stands in every line in which `_REPORT_INSIDE` is found; to look for words is much quicker."""

_DEATH_LINES = 3
"""Lines below a message in which the death that it announces is told."""

_ABORTED = re.compile(r"^(?:Aborted|Abort trap(?:: 6)?)(?: \(core dumped\))?$")
_BESIDE = re.compile(r"=+$|SCARINESS|==\d+==|\s*$|\w+(?:Sanitizer|SAN): ?[A-Z]|\+-|#\s*$|#FailureMessage")
"""Lines that stand between a message and its stack and say nothing of their own."""


def take_stack(cursor: Cursor) -> list[Frame]:
    """The frames of the stack whose first line is here; its lines are claimed. A second stack (after a gap its
    numbers begin again) is left.

    Frames of which only the module is known are dropped where others have names.
    """
    frames: list[Frame] = []
    last, foreign, read = -1, 0, 0
    number = 0
    while (line := cursor.line) is not None and foreign <= _INSIDE and read < _STACK_LINES:
        found = stack_line(line.text)
        if found is None:
            if _reports_signal(line.text):
                break
            foreign += 1
            cursor.skip()
            continue
        if foreign and found.number is not None and found.number < max(last, 1) and number:
            break
        cursor.claim()
        number = line.number
        read, foreign, last = read + 1, 0, found.number if found.number is not None else last
        if found.frame is not None:
            frames.append(found.frame)
    named = [frame for frame in frames if frame.function]
    return named or frames


def stack_of(cursor: Cursor, carrier: Line) -> tuple[Frame, ...]:
    """The frames of the crash that a message just claimed announced, from whichever report names them first.

    An abort is often told twice: by the program, which knows why, and by a sanitizer or a signal handler, which knows
    where. Reports of the signal are claimed up to the stack that names a function of the program; without one nothing
    is claimed.
    """
    start, claimed = cursor.at, len(cursor.claimed)
    passed, reported = 0, False
    best: tuple[Frame, ...] = ()
    kept = (start, claimed)
    while (line := cursor.line) is not None and passed <= _LOOK_AHEAD:
        found = stack_line(line.text)
        if found is not None:
            frames = tuple(take_stack(cursor))
            if _tells(frames) > _tells(best):
                best, kept = frames, (cursor.at, len(cursor.claimed))
            if _tells(best) == _FULL:
                break
            passed, reported = 0, False
        elif best and _tells(best) > 1 and not reported and passed > _INSIDE:
            break
        elif _reports_signal(line.text):
            cursor.claim()
            reported = True
        elif _BESIDE.match(line.text) or "DEADLYSIGNAL" in line.text:
            cursor.skip()
        elif cursor.begins_event(line) and passed:
            break
        else:
            passed += 1
            cursor.skip()
    cursor.at, last = kept
    del cursor.claimed[last:]
    return best


def dies_here(cursor: Cursor) -> bool:
    """Whether the next lines tell that the process died of a signal. Nothing is claimed."""
    start, found = cursor.at, False
    for _ in range(_DEATH_LINES):
        line = cursor.line
        if line is None or found:
            break
        found = _reports_signal(line.text) or _ABORTED.match(line.text.strip()) is not None
        cursor.skip()
    cursor.at = start
    return found


def take_aborted(cursor: Cursor) -> None:
    """Claims the shell's word on the abort where it stands right below: it tells the same death."""
    if (line := cursor.line) is not None and _ABORTED.match(line.text.strip()):
        cursor.claim()


def _reports_signal(text: str) -> bool:
    """Whether a line begins or ends a report of the signal that a process died of."""
    if _REPORT_BEGINS.match(text):
        return True
    return any(word in text for word in _REPORT_WORDS) and _REPORT_INSIDE.search(text) is not None


def _tells(frames: tuple[Frame, ...]) -> int:
    """How much a stack tells: 3 names a function of the program and its line, 2 a function of the program, 1
    something, 0 nothing."""
    own = [frame for frame in frames if not frame.runtime and frame.function not in (None, "main")]
    if own:
        return _FULL if own[0].line else 2
    return int(bool(frames))
