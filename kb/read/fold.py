"""Lines become events: per stream, with every grammar, each line in at most one event."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from kb.model.event import Event, Line
from kb.traces import Cursor, Trace

LEVELS = ("ERROR", "CRITICAL")
"""Levels of log records that grammars with `leveled` look at, whatever the text."""

SEGMENT = 4000
"""Lines of one stream that are parsed together; an event that is still open at the end waits for the next segment."""

OVERLAP = 400
"""Lines at the end of a segment in which an open event may begin."""


class Folder:
    """Folds lines into events. Made once from all grammars; holds no state between logs."""

    def __init__(self, traces: Iterable[Trace], speaks_of: Callable[[str], bool] = lambda text: False) -> None:
        """`speaks_of` says whether a record knows an ordinary line; such a line is an event too."""
        self._speaks_of = speaks_of
        self._traces = [(trace, re.compile(trace.starts)) for trace in sorted(traces, key=lambda trace: (trace.order, trace.name))]
        self.opens = re.compile("|".join(f"(?:{trace.starts})" for trace, _ in self._traces) or r"(?!)")

    def fold(self, lines: Iterable[Line]) -> Iterator[Event]:
        """The events of all streams; in one stream by their first line, streams in no useful order."""
        waiting: dict[tuple[str | None, str], list[Line]] = {}
        for line in lines:
            buffer = waiting.setdefault((line.file, line.stream), [])
            buffer.append(line)
            if len(buffer) >= SEGMENT:
                events, rest = self._segment(buffer, final=False)
                waiting[line.file, line.stream] = list(rest)
                yield from events
        for buffer in waiting.values():
            yield from self._segment(buffer, final=True)[0]

    def _segment(self, lines: Sequence[Line], *, final: bool) -> tuple[list[Event], Sequence[Line]]:
        """The events of one stretch of a stream, and the lines that wait for more."""
        taken: set[int] = set()
        events: list[Event] = []
        for index, line in enumerate(lines):
            if index in taken:
                continue
            found, cursor = self._parse(lines, index, taken)
            if cursor is None and line.text and self._speaks_of(line.text):
                events.append(_plain(line))
                taken.add(index)
            if cursor and cursor.hit_end and not final and index >= len(lines) - OVERLAP:
                return events, [line for at, line in enumerate(lines) if at >= index and at not in taken]
            if cursor and found:
                taken.update(cursor.claimed)
                events += found
        return events, ()

    def _parse(self, lines: Sequence[Line], index: int, taken: set[int]) -> tuple[list[Event], Cursor | None]:
        """The events that the first fitting grammar finds at a line."""
        if not self.opens.search(lines[index].text) and lines[index].level not in LEVELS:
            return [], None
        for trace, starts in self._traces:
            if starts.search(lines[index].text) or trace.leveled and lines[index].level in LEVELS:
                cursor = Cursor(lines, index, taken, self.opens)
                if events := trace.parse(cursor):
                    return [_claimed(event, cursor) for event in events], cursor
        return [], None


def _claimed(event: Event, cursor: Cursor) -> Event:
    return event if event.claimed else replace(event, claimed=cursor.numbers)


def _plain(line: Line) -> Event:
    return Event("error", line.text.strip(), line.number, (line.number, line.number), file=line.file, stream=line.stream, rank=line.rank,
                 level=line.level, time=line.time, pid=line.pid, plain=True, claimed=(line.number,))  # fmt: skip
