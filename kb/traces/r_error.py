"""Errors of R scripts: `Error in call : message`, also on the next line, with rlang's backtrace.

Source of the format: verrorcall_dflt in R's src/main/errors.c, rlang's cnd-message.
"""

import re

from kb.model.event import Event
from kb.settings import MESSAGE_CHARS
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import told

_HEAD = re.compile(r"^Error in (?P<call>\S.*?) ?:(?: (?P<message>\S.*)| ?)$")
_MORE = re.compile(r"^(?:  \S|[!✖xℹi•] |Caused by error)")
_AFTER = re.compile(
    r"^(?:Calls: |Execution halted|Backtrace:|In addition: |Warning message|Traceback:| *▆| +\d+\. |  +[├└│])"
)
_LINES = 40


def parse(cursor: Cursor) -> list[Event]:
    """The error that begins here; nothing where the line has neither a message nor one below it."""
    line = cursor.line
    if line is None or (found := _HEAD.match(line.text)) is None:
        return []
    cursor.claim()
    parts = [found["message"]] if found["message"] else []
    carrier = line
    after = False
    for _ in range(_LINES):
        here = cursor.line
        if here is None or not (_AFTER.match(here.text) or (_MORE.match(here.text) and not after)):
            break
        after = after or _AFTER.match(here.text) is not None
        if not after:
            carrier = here if not parts else carrier
            parts.append(here.text.strip().removeprefix("! "))
        cursor.claim()
    if not parts or (not after and found["message"] is None and not here_is_indented(carrier.text)):
        return []
    message = "\n".join(parts)[:MESSAGE_CHARS]
    return [
        told(carrier, "exception", message, language="r", claimed=cursor.numbers, header=f"Error in {found['call']}")
    ]


def here_is_indented(text: str) -> bool:
    """Whether a line is set in as R and rlang set in messages."""
    return text.startswith(("  ", "! "))


TRACE = Trace(
    name="r_error",
    starts=r"^Error in \S.* ?:",
    parse=parse,
    order=60,
    marks=("Error in ",),
    samples=(
        TraceSample(
            "Error in moor(boat) : no berth\nCalls: run -> moor\nExecution halted",
            (("exception", None, "no berth", 1),),
        ),
        TraceSample(
            "Error in library(pier) :\n  there is no package called 'pier'\nExecution halted",
            (("exception", None, "there is no package called 'pier'", 2),),
        ),
    ),
    strangers=("Error in the harbour", "Error in atexit._run_exitfuncs:"),
)
