"""Lines become events: per stream, with every grammar, each line in at most one event."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from kb.model.event import Event, Line
from kb.traces import Cursor, Meter, Trace

LEVELS = ("ERROR", "CRITICAL")
"""Levels of log records that grammars with `leveled` look at, whatever the text."""

NOT_EXECUTABLE = 126
"""From this exit code on the code itself says what happened."""

LAST_WORDS = 8
"""Lines of a paragraph that count as the last words of a process."""

QUOTE_INDENT = 4
"""Columns by which an example in prose is indented."""

NEAR = 8
"""Lines within which a line of the same stream counts as standing just before an event; others may interleave."""

SEGMENT = 4000
"""Lines of one stream that are parsed together; an event that is still open at the end waits for the next segment."""

OVERLAP = 400
"""Lines at the end of a segment in which an open event may begin."""

CREDIT = 4000
"""Lines that one grammar may look at in vain in a segment, whatever its length: as many as a segment has, once."""

CREDIT_A_LINE = 1
"""Lines that it may look at in vain in addition for each line of the segment that has gone by."""

DIGITS = 1400
"""Digits of one number that are kept: int() refuses more than 4300, and a parser may join a line that a terminal broke in three."""

_LONG_NUMBER = re.compile(rf"(\d{{{DIGITS}}})\d+")


@dataclass(slots=True)
class _Segment:
    """One stretch of a stream while it is parsed. All that is remembered ends with it, so memory and cost stay in proportion to lines."""

    lines: Sequence[Line]
    taken: set[int] = field(default_factory=set)  # places of the lines that events claimed
    spent: dict[str, int] = field(default_factory=dict)  # grammar -> lines that it looked at in vain
    starting: dict[tuple[str, str | None], tuple[Trace, ...]] = field(default_factory=dict)  # text and level -> grammars

    def meter(self, trace: Trace, index: int) -> Meter:
        """What a grammar may still look at in vain when it is asked at a place: nothing is left once it has searched too much before."""
        return Meter(CREDIT + CREDIT_A_LINE * index - self.spent.get(trace.name, 0))

    def pay(self, trace: Trace, cursor: Cursor, *, found: bool) -> None:
        """Remembers what the search that is over cost."""
        cost = cursor.meter.cost(len(cursor.claimed) if found else 0)
        self.spent[trace.name] = self.spent.get(trace.name, 0) + cost


class Folder:
    """Folds lines into events. Made once from all grammars; holds no state between logs."""

    def __init__(self, traces: Iterable[Trace], speaks_of: Callable[[str], bool] = lambda text: False) -> None:
        """`speaks_of` says whether a record knows an ordinary line; such a line is an event too."""
        from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

        ordered = sorted(traces, key=lambda trace: (trace.order, trace.name))
        self._traces = ordered
        self._starts: dict[int, re.Pattern[str]] = {}  # compiled when first needed: most never are
        self._leveled = [number for number, trace in enumerate(ordered) if trace.leveled]
        of_mark: dict[str, list[int]] = {}
        for number, trace in enumerate(ordered):
            for mark in dict.fromkeys(trace.marks):
                of_mark.setdefault(mark, []).append(number)
        self._marks = sorted(of_mark)
        self._of_mark = [of_mark[mark] for mark in self._marks]
        self._engine = AhoCorasick(self._marks, matchkind=MatchKind.Standard, implementation=Implementation.ContiguousNFA)
        self._speaks_of = speaks_of

    def fold(
        self, lines: Iterable[Line], calm: dict[tuple[str | None, str], int] | None = None, skipped: dict[str, int] | None = None
    ) -> Iterator[Event]:
        """The events of all streams; in one stream by their first line, streams in no useful order.

        `calm` is given the number of the last ordinary line of each (file, stream): one that no event claims and that is no error.
        `skipped` is given under "grammar_budget" how often a grammar was not asked, or its search was cut short, because it had searched
        too much in vain before; in ordinary logs that is never.
        """
        calm, skipped = {} if calm is None else calm, {} if skipped is None else skipped
        waiting: dict[tuple[str | None, str], list[Line]] = {}
        for line in lines:
            buffer = waiting.setdefault((line.file, line.stream), [])
            buffer.append(line if len(line.text) <= DIGITS else replace(line, text=_LONG_NUMBER.sub(r"\1", line.text)))
            if len(buffer) >= SEGMENT:
                events, rest = self._segment(_Segment(buffer), calm, skipped, final=False)
                waiting[line.file, line.stream] = list(rest)
                yield from events
        for buffer in waiting.values():
            yield from self._segment(_Segment(buffer), calm, skipped, final=True)[0]

    def starting(self, line: Line) -> Iterator[Trace]:
        """The grammars that could begin an event with this line, in their order."""
        numbers = {
            number for mark, _, _ in self._engine.find_matches_as_indexes(line.text, overlapping=True) for number in self._of_mark[mark]
        }
        if line.level in LEVELS:
            numbers.update(self._leveled)
        for number in sorted(numbers):
            trace = self._traces[number]
            if number not in self._starts:
                self._starts[number] = re.compile(trace.starts)
            if self._starts[number].search(line.text) or (trace.leveled and line.level in LEVELS):
                yield trace

    def _segment(
        self, segment: _Segment, calm: dict[tuple[str | None, str], int], skipped: dict[str, int], *, final: bool
    ) -> tuple[list[Event], Sequence[Line]]:
        """The events of one stretch of a stream, and the lines that wait for more."""
        lines, taken = segment.lines, segment.taken
        events: list[Event] = []
        for index, line in enumerate(lines):
            if index in taken or not line.text:
                continue
            found, cursor = self._parse(segment, index, skipped)
            if cursor and cursor.hit_end and not final and index >= len(lines) - OVERLAP:
                return events, [line for at, line in enumerate(lines) if at >= index and at not in taken]
            if cursor and found:
                if not events and _ended_badly(found[0]) and (said := _last_words(lines, index, taken)):
                    events.append(said)
                taken.update(cursor.claimed)
                events += [_in_place(event, line, lines[index - 1] if index else None) for event in found]
            elif self._speaks_of(line.text):
                events.append(_plain(line))
                taken.add(index)
            elif line.level not in LEVELS and line.text.strip():
                calm[line.file, line.stream] = line.number
        return events, ()

    def _parse(self, segment: _Segment, index: int, skipped: dict[str, int]) -> tuple[list[Event], Cursor | None]:
        """The events that the first fitting grammar finds at a line, and how far it read."""
        cursor = None
        for trace in self._starting(segment, segment.lines[index]):
            meter = segment.meter(trace, index)
            events: list[Event] = []
            if meter.credit > 0:
                cursor = Cursor(segment.lines, index, segment.taken, lambda line: bool(self._starting(segment, line)), meter)
                events = trace.parse(cursor)
                segment.pay(trace, cursor, found=bool(events))
            if meter.credit <= 0 or meter.short:
                skipped["grammar_budget"] = skipped.get("grammar_budget", 0) + 1
            if cursor and events:
                return [event if event.claimed else replace(event, claimed=cursor.numbers) for event in events], cursor
        return [], cursor

    def _starting(self, segment: _Segment, line: Line) -> tuple[Trace, ...]:
        """What `starting` gives, found once for equal lines of a segment: parsers ask it of each line that they look at."""
        known = segment.starting.get((line.text, line.level))
        if known is None:
            known = segment.starting[line.text, line.level] = tuple(self.starting(line))
        return known


def _ended_badly(event: Event) -> bool:
    """Whether a process ended by itself with a code that says nothing more."""
    return event.kind == "exit" and event.exit_status is not None and 0 < event.exit_status < NOT_EXECUTABLE


def _last_words(lines: Sequence[Line], end: int, taken: set[int]) -> Event | None:
    """What was said last before a process ended badly, where nothing of it was recognised: the paragraph above the line at `end`."""
    at = end - 1
    while at >= 0 and at not in taken and not lines[at].text.strip():
        at -= 1
    last = at
    while at >= 0 and at not in taken and last - at < LAST_WORDS and lines[at].text.strip() and lines[at].level is None:
        at -= 1
    said = lines[at + 1 : last + 1]
    if not said or lines[end].number - said[-1].number > NEAR:
        return None
    taken.update(range(at + 1, last + 1))
    numbers = tuple(line.number for line in said)
    text = "\n".join(line.text.rstrip() for line in said)
    return replace(_plain(said[0]), message=text, span=(numbers[0], numbers[-1]), claimed=numbers)


def _in_place(event: Event, line: Line, before: Line | None) -> Event:
    """An event with the program it belongs to, what was said just before it in its stream, and whether it stands indented."""
    quoted = event.kind == "exception" and len(line.text) - len(line.text.lstrip()) >= QUOTE_INDENT
    if before is None or not before.text.strip() or event.span[0] - before.number > NEAR:
        return replace(event, program=line.program, quoted=quoted)
    return replace(event, program=line.program, quoted=quoted, announced=before.text.strip(), announced_level=before.level)


def _plain(line: Line) -> Event:
    return Event("error", line.text.strip(), line.number, (line.number, line.number), file=line.file, stream=line.stream, rank=line.rank,
                 level=line.level, time=line.time, pid=line.pid, plain=True, claimed=(line.number,))  # fmt: skip
