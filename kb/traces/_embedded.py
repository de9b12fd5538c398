"""Causes that a message quotes: wrappers say `… raised:` or `… stderr:` and print the cause on the lines below.

Source of the wordings: torch's dynamo, transformers' lazy import, triton's calls of ptxas.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from kb.model.event import Event, Link
from kb.traces import Cursor
from kb.traces._message import take_message
from kb.traces._python import closed, event_at, frame_of, named

_OPENS = re.compile(
    r"(?:\braised|\(look up to see its traceback\)|\bbecause of the following error|`?\bptxas`? stderr"
    r"|\bcodegen error):\s*$"
    r"|^ray::\S+\(\) \(pid=[^\n]*$"
)
_TOOL = re.compile(r"^\w[\w.+-]* (?:fatal|error)\s*:")


def closing(text: str) -> bool:
    """Whether a message stops at the end of this line because the cause stands below."""
    return _OPENS.search(text.rpartition("\n")[2]) is not None


def read_embedded(cursor: Cursor, outer: Event, parse: Callable[[Cursor], list[Event]]) -> tuple[Event, ...]:
    """The cause below a message that announces one, innermost first; nothing where none is announced or none comes."""
    if not closing(outer.message):
        return ()
    at, line = cursor.at, cursor.line
    if line is not None and not line.text.strip():  # some consoles double every line end
        cursor.skip()
        line = cursor.line
    if line is None or not line.text.strip() or (outer.stream == "" and line.number > outer.span[1] + 2):
        cursor.at = at
        return ()
    if frame_of(line.text) is not None:
        return tuple(parse(cursor))
    before, found, text = len(cursor.claimed), named(line.text), line.text.strip()
    if outer.message.startswith("ray::") and found is None:
        return ()
    kind = "exception" if found or not _TOOL.match(text) else "build"
    cursor.claim()
    said = found.message if found else text
    message = said if closing(said) else take_message(cursor, line, said)
    event = event_at(line, message, found.cls if found else None, "build" if kind == "build" else "exception")
    event = closed(event, cursor.since(before))
    deeper = read_embedded(cursor, event, parse)
    return (*deeper, replace(event, causes=(Link(deeper[-1].line, "embedded"),))) if deeper else (event,)
