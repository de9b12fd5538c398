"""What all native grammars share: the event of a crash, from the line that tells it and the lines that were used."""

import re

from kb.model.event import Event, Frame, Kind, Line
from kb.traces import Cursor
from kb.traces._harness import settled
from kb.traces._told import told

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
"""What a terminal would not show: a message that quotes the bytes of an input may hold any of it."""


def crash(
    cursor: Cursor,
    line: Line,
    message: str,
    cls: str | None = None,
    frames: tuple[Frame, ...] = (),
    *,
    language: str = "c++",
    kind: Kind = "crash",
    complete: bool = True,
) -> Event:
    """The event whose message stands on `line`; it spans all lines claimed so far. Its frames tell harness from
    program (`_harness`)."""
    shown = frames if language == "go" else settled(frames, cls)
    shown_message = _CONTROLS.sub("", message).strip()
    return told(line, kind, shown_message, cls, language=language, frames=shown, complete=complete, claimed=cursor.numbers)
