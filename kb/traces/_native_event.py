"""What all native grammars share: the event of a crash, from the line that tells it and the lines that were used."""

from kb.model.event import Event, Frame, Kind, Line
from kb.traces import Cursor


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
    """The event whose message stands on `line`; it spans all lines claimed so far."""
    numbers = cursor.numbers or (line.number,)
    return Event(
        kind,
        message.strip(),
        line.number,
        (min(numbers), max(numbers)),
        cls,
        language,
        line.file,
        line.stream,
        line.rank,
        line.level,
        line.time,
        line.pid,
        frames,
        complete=complete,
        claimed=numbers,
    )
