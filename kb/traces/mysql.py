"""Errors of MySQL's and MariaDB's clients and servers.

Source of the format: client/mysql.cc (put_info), the server's error log.
"""

import re

from kb.model.event import Event, Line
from kb.traces import Trace, TraceSample
from kb.traces._told import one_line, told

_CLIENT = re.compile(
    r"^(?:mysql(?:dump|admin|import)?: )?(?:\[?ERROR\]? )(?P<code>\d{4})(?: \((?P<state>[0-9A-Z]{5})\))?(?: at line"
    r" \d+(?: in file: '[^']*')?)?: (?P<message>\S.*)$"
)
_TOOL = re.compile(r"^mysql(?:dump|admin|import|check)?: (?:\[ERROR\] |Got error: )(?P<message>\S.*)$")
_SERVER = re.compile(r"\[ERROR\] \[MY-\d+\] \[\w+\] (?P<message>\S.*)$")


def _build(line: Line, _: re.Match[str]) -> Event | None:
    text = line.text.strip()
    found = _CLIENT.match(text) or _TOOL.match(text) or _SERVER.search(text)
    return told(line, "error", text if _CLIENT.match(text) else found["message"]) if found else None


TRACE = Trace(
    name="mysql",
    starts=r"\bERROR\]? \d{4}(?: \(| at line |: )|^mysql\w*: (?:\[ERROR\] |Got error: )|\[ERROR\] \[MY-",
    parse=one_line(re.compile(r"\bERROR\]? |Got error: "), _build),
    order=37,
    marks=("ERROR ", "mysql: ", "mysqldump: ", "mysqladmin: ", "[MY-"),
    samples=(
        TraceSample(
            "ERROR 1064 (42000) at line 3: You have an error in your SQL syntax",
            (("error", None, "ERROR 1064 (42000) at line 3: You have an error in your SQL syntax", 1),),
        ),
        TraceSample(
            "mysqldump: Got error: 1045: Access denied for user 'pier'",
            (("error", None, "1045: Access denied for user 'pier'", 1),),
        ),
    ),
    strangers=("ERROR 42 boats", "mysql: [Warning] Using a password on the command line interface can be insecure."),
)
