"""PostgreSQL's reports: `ERROR:  message` with its DETAIL, HINT, CONTEXT and STATEMENT, of the server and of psql.

Source of the format: src/backend/utils/error/elog.c, libpq's fe-protocol3.c. That the server is starting up or
shutting down is an answer, not a fault.
"""

import re

from kb.model.event import Event, Line
from kb.settings import MESSAGE_CHARS
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import told

_HEAD = re.compile(r"(?:^|[\]\s:])(?P<level>ERROR|FATAL|PANIC):  (?:(?P<state>[0-9A-Z]{5}): )?(?P<message>\S.*)$")
_PART = re.compile(r"(?:^|[\]\s:])(?P<name>DETAIL|HINT|CONTEXT|STATEMENT|QUERY|LOCATION|LINE \d+): +(?P<text>.*)$")
_NOT_YET = re.compile(
    r"^the database system is (?:starting up|shutting down|in recovery mode|not (?:yet )?accepting connections)"
)
_FORMAT = "postgres"
"""The prefix of the server's log, which takes the level off the line."""
_LEVELS = ("ERROR", "CRITICAL")
_PARTS = ("DETAIL", "HINT", "CONTEXT", "STATEMENT", "QUERY", "LOCATION")
_SHOWN = ("DETAIL", "HINT", "CONTEXT")
_LINES = 60


def parse(cursor: Cursor) -> list[Event]:
    """The report that begins here, or nothing."""
    line = cursor.line
    if line is None:
        return []
    found = _HEAD.search(line.text)
    served = _FORMAT in line.formats and line.level in _LEVELS
    said = found["message"] if found else line.text
    if not (found or served) or not said.strip() or _NOT_YET.match(said):
        return []
    cursor.claim()
    parts = [said.rstrip()]
    caret = False
    for _ in range(_LINES):
        here = cursor.line
        if here is None:
            break
        part = _part(here, line)
        if part is None and not _continues(here, caret=caret):
            break
        caret = part is not None and part[0].startswith("LINE")
        if part and part[0] in _SHOWN:
            parts.append(f"{part[0]}:  {part[1]}".rstrip())
        cursor.claim()
    message = "\n".join(parts)[:MESSAGE_CHARS]
    return [told(line, "error", message, found["state"] if found else None, claimed=cursor.numbers)]


def _part(line: Line, head: Line) -> tuple[str, str] | None:
    """Name and text of a further part of the report of `head`, None for any other line."""
    if _FORMAT in line.formats and line.level in _PARTS and line.pid == head.pid:
        return line.level or "", line.text
    found = _PART.search(line.text)
    return (found["name"], found["text"]) if found else None


def _continues(line: Line, *, caret: bool) -> bool:
    """Whether a line goes on with a statement (the server indents it by a tab) or marks a place in it."""
    return line.text.startswith("\t") or (caret and line.text.strip() == "^")


TRACE = Trace(
    name="postgres",
    starts=r"(?:^|[\]\s:])(?:ERROR|FATAL|PANIC):  \S",
    parse=parse,
    order=37,
    leveled=True,
    marks=("ERROR:  ", "FATAL:  ", "PANIC:  "),
    samples=(
        TraceSample(
            'ERROR:  duplicate key value violates unique constraint "pier_pkey"\n'
            "DETAIL:  Key (id)=(3) already exists.\n"
            "STATEMENT:  INSERT INTO pier\n\tVALUES (3)",
            (
                (
                    "error",
                    None,
                    'duplicate key value violates unique constraint "pier_pkey"\nDETAIL:  Key (id)=(3) already exists.',
                    1,
                ),
            ),
        ),
        TraceSample(
            'psql:pier.sql:3: ERROR:  relation "boat" does not exist\n'
            "LINE 1: SELECT * FROM boat\n                      ^",
            (("error", None, 'relation "boat" does not exist', 1),),
        ),
    ),
    strangers=("FATAL:  the database system is starting up", "LOG:  database system is ready"),
)
