"""How supervisord says that a program ended: `exited: web (terminated by SIGKILL; not expected)`, `gave up: …`.

Source of the format: supervisor/process.py.
"""

import re

from kb.model.event import Event, Line
from kb.traces import Trace, TraceSample
from kb.traces._told import one_line, told
from kb.traces.exits import signal_number

_ENDED = re.compile(
    r"\b(?:exited|gave up): (?P<name>\S+) (?:\((?:exit status (?P<status>\d+)|terminated by"
    r" (?P<signal>SIG[A-Z0-9]+)(?: \(core dumped\))?); (?P<how>not expected|expected)\)"
    r"|entered FATAL state, (?P<why>.*))"
)


def _build(line: Line, found: re.Match[str]) -> Event | None:
    if found["how"] == "expected":
        return None
    number = int(found["status"] or 1)
    status = -signal_number(found["signal"]) if found["signal"] else -(number - 128) if 128 < number < 193 else number
    return told(line, "exit", line.text.strip()[found.start() :].strip(), exit_status=status) if status else None


TRACE = Trace(
    name="supervisord",
    starts=r"\bexited: \S+ \(|\bgave up: \S+ entered FATAL state",
    parse=one_line(_ENDED, _build),
    order=18,
    marks=("exited: ", "gave up: "),
    samples=(
        TraceSample(
            "exited: web (terminated by SIGKILL; not expected)",
            (("exit", None, "exited: web (terminated by SIGKILL; not expected)", 1),),
        ),
        TraceSample(
            "gave up: web entered FATAL state, too many start retries too quickly",
            (("exit", None, "gave up: web entered FATAL state, too many start retries too quickly", 1),),
        ),
    ),
    strangers=("exited: web (exit status 0; expected)",),
)
