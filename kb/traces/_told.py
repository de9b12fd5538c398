"""What most grammars need: an event told by a line, one-line grammars, and stacks of frame lines."""

import re
from collections.abc import Callable

from kb.model.event import Event, Frame, Kind, Line, Link
from kb.traces import PATIENCE, Cursor

STACK_LINES = 2000
"""Frame lines that one stack may have: a stack overflow prints about a thousand."""


def told(
    line: Line,
    kind: Kind,
    message: str,
    cls: str | None = None,
    *,
    language: str | None = None,
    frames: tuple[Frame, ...] = (),
    claimed: tuple[int, ...] = (),
    causes: tuple[Link, ...] = (),
    exit_status: int | None = None,
    rank: str | None = None,
    pid: int | None = None,
    complete: bool = True,
    plain: bool = False,
    header: str = "",
) -> Event:
    """The event whose message stands on `line`; `claimed` are the numbers of all lines that it used, that one among
    them."""
    numbers = claimed or (line.number,)
    return Event(
        kind,
        message,
        line.number,
        (min(numbers), max(numbers)),
        cls,
        language,
        line.file,
        line.stream,
        rank or line.rank,
        line.level,
        line.time,
        line.pid if pid is None else pid,
        frames,
        exit_status,
        causes,
        complete,
        plain=plain,
        header=header,
        claimed=numbers,
    )


def one_line(
    pattern: re.Pattern[str], build: Callable[[Line, re.Match[str]], Event | None]
) -> Callable[[Cursor], list[Event]]:
    """A parser for events that are told in one line: `build` makes the event of a match, or None where it is none."""

    def parse(cursor: Cursor) -> list[Event]:
        line = cursor.line
        if line is None or (found := pattern.search(line.text)) is None or (event := build(line, found)) is None:
            return []
        cursor.claim()
        return [event]

    return parse


def take_frames(
    cursor: Cursor, frame: Callable[[str], Frame | None], also: re.Pattern[str] | None = None
) -> tuple[Frame, ...]:
    """The frames of the stack that begins here, their lines claimed; lines that `also` matches belong to it too.

    Up to PATIENCE foreign lines in a row are left to others; the cursor stops behind the last line that was claimed.
    """
    frames: list[Frame] = []
    end, passed, read = cursor.at, 0, 0
    while passed <= PATIENCE and read < STACK_LINES and (line := cursor.line) is not None:
        read += 1
        found = frame(line.text)
        if found is not None or (also is not None and also.search(line.text)):
            if found is not None:
                frames.append(found)
            cursor.claim()
            end, passed = cursor.at, 0
        elif line.text.strip() and cursor.begins_event(line):
            break
        else:
            cursor.skip()
            passed += 1
    cursor.at = end
    return tuple(frames)


def take_text(cursor: Cursor, first: Line, ends: Callable[[str], bool], limit: int) -> list[str]:
    """The lines from here up to the one that `ends` the text, claimed; none where the text does not end within
    `limit` lines.

    A line with another prefix than both the `first` line and the line behind it ends the search: the text was cut off.
    """
    start, claimed, parts = cursor.at, len(cursor.claimed), list[str]()
    while len(parts) <= limit and (line := cursor.line) is not None:
        if ends(line.text):
            return parts
        if line.formats and line.formats != first.formats:
            break
        cursor.claim()
        parts.append(line.text.rstrip())
    cursor.at = start
    del cursor.claimed[claimed:]
    return []


def peek(cursor: Cursor, matches: Callable[[str], bool], limit: int) -> bool:
    """Whether one of the next `limit` lines matches; nothing is claimed and the cursor stays."""
    start = cursor.at
    try:
        for _ in range(limit):
            line = cursor.line
            if line is None:
                return False
            if matches(line.text):
                return True
            cursor.skip()
        return False
    finally:
        cursor.at = start


def give_back(cursor: Cursor, at: int, count: int) -> None:
    """Put the cursor back to `at`, with only the first `count` claims."""
    cursor.at = at
    del cursor.claimed[count:]
