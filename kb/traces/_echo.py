"""Copies of an exception in the log record above its traceback: the same error is told twice."""

import re
from dataclasses import replace

from kb.model.event import Event, Line
from kb.traces._python import closed, event_at

_SHORTEST = 12
"""Characters of a message that cannot stand in another text by chance."""
_QUOTES = re.compile(r"[\"'\\]+")


def echo_of(event: Event, line: Line, text: str) -> Event | None:
    """The copy of an exception on the line above it, where `text` quotes its whole first line; None where it does not.

    A representation flips quotes and adds backslashes, so neither counts.
    """
    said = _plain(event.message.partition("\n")[0])
    if not event.complete or len(said) < _SHORTEST or said not in _plain(text):
        return None
    copy = replace(event_at(line, event.message, event.cls, event.kind), frames=event.frames, header=event.header)
    return closed(copy, (line.number,))


def _plain(text: str) -> str:
    return " ".join(_QUOTES.sub("", text).split())
