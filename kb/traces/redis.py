"""Errors and crashes of Redis: answers of redis-cli, the bug report, refused writes.

Source of the format: src/debug.c (sigsegvHandler), src/redis-cli.c, shared.* of src/server.c.
"""

import re

from kb.model.event import Event, Line
from kb.traces import Trace, TraceSample
from kb.traces._told import one_line, told

_CRASH = re.compile(r"(?P<message>Redis \S+ crashed by signal: (?P<signal>\d+).*)$")
_ANSWER = re.compile(
    r"^\(error\) (?P<message>[A-Z]+ .*)$|(?P<server>MISCONF (?:Redis|Valkey) is configured .*|OOM command not allowed"
    r" when used memory .*|Fatal error loading the DB.*|Can't open the append-only file.*)$"
)


def _build(line: Line, _: re.Match[str]) -> Event | None:
    if found := _CRASH.search(line.text):
        return told(line, "crash", found["message"].rstrip(), exit_status=-int(found["signal"]))
    found = _ANSWER.search(line.text)
    return told(line, "error", (found["message"] or found["server"]).rstrip()) if found else None


TRACE = Trace(
    name="redis",
    starts=r"crashed by signal: \d|^\(error\) [A-Z]|MISCONF |OOM command not allowed|Fatal error loading the DB|Can't"
    r" open the append-only file",
    parse=one_line(re.compile(rf"{_CRASH.pattern}|{_ANSWER.pattern.replace('message', 'answer')}"), _build),
    order=39,
    marks=(
        "crashed by signal: ",
        "(error) ",
        "MISCONF ",
        "OOM command not allowed",
        "Fatal error loading the DB",
        "Can't open the append-only file",
    ),
    samples=(
        TraceSample(
            "Redis 7.2.1 crashed by signal: 11, si_code: 1",
            (("crash", None, "Redis 7.2.1 crashed by signal: 11, si_code: 1", 1),),
        ),
        TraceSample(
            "(error) WRONGTYPE Operation against a key holding the wrong kind of value",
            (("error", None, "WRONGTYPE Operation against a key holding the wrong kind of value", 1),),
        ),
    ),
    strangers=("Redis is ready", "(error) none"),
)
