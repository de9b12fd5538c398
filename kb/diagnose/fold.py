"""Equal events of all ranks and streams become one."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from math import inf

from kb.diagnose.stalls import work_of
from kb.model.event import Event
from kb.text.classes import last_component
from kb.text.clock import seconds
from kb.text.mask import mask
from kb.text.paths import package_path

_MIN_ECHO = 12
"""Characters that a message must have for an echo to be told from another error."""

_IMPORT_ERRORS = ("ImportError", "ModuleNotFoundError")

_KEY_CHARS = 500
"""Characters of a masked message that tell two events apart."""


@dataclass(slots=True)
class Group:
    """Equal events: the first one in the log, and where all of them stand."""

    event: Event
    lines: list[int] = field(default_factory=list)
    ranks: list[str] = field(default_factory=list)
    streams: list[str] = field(default_factory=list)
    links: list[tuple[str | None, int, int]] = field(default_factory=list)  # (file, own line, line of the cause)
    last: tuple[str | None, str, int] = (None, "", 0)  # file, stream and last line of the last one


def event_key(event: Event) -> Hashable:
    """What makes two events equal: kind, class, masked message, raise site, exit status.

    Timeouts of collectives keep the number in the sequence, which tells who lags behind. Tests that cannot even be imported fail all for
    one reason, wherever they stand.
    """
    site = next((frame for frame in event.frames if not frame.runtime), None)
    place = (package_path(site.file), site.function) if site else None
    if event.kind == "test" and last_component(event.cls or "") in _IMPORT_ERRORS:
        place = None
    message = mask(event.message[:_KEY_CHARS]) if event.complete else event.header
    return event.kind, last_component(event.cls or ""), message, place, event.exit_status, event.complete, work_of(event.message)


def fold_equal(events: Iterable[Event]) -> list[Group]:
    """The distinct events, each with the lines, ranks and streams of all equal ones, in the order of their first appearance.

    In one file that is the order of lines. Over several files it is the order of their times as far as these are printed with a date;
    what has no time comes after, by file.
    """
    groups: dict[Hashable, Group] = {}
    for event in events:
        key = event_key(event)
        group = groups.get(key)
        if group is None:
            group = groups[key] = Group(event)
        elif appearance(event) < appearance(group.event):
            group.event = event
        group.lines.append(event.line)
        if event.span[1] >= group.last[2] or event.file != group.last[0]:
            group.last = event.file, event.stream, event.span[1]
        group.links += [(event.file, event.line, cause.line) for cause in event.causes]
        if event.rank is not None:
            group.ranks.append(event.rank)
        group.streams.append(event.stream)
    return sorted(_without_echoes(groups.values()), key=lambda group: appearance(group.event))


def _without_echoes(groups: Iterable[Group]) -> list[Group]:
    """The groups, with those that only repeat the class and message of an exception, without its frames, folded into it: programs log
    an error and then die of it."""
    every = list(groups)
    told = {_telling(group.event): group for group in reversed(every) if group.event.frames}
    kept = []
    for group in every:
        whole = told.get(_telling(group.event))
        if whole is None or group.event.frames or group.event.kind != "exception" or len(group.event.message) < _MIN_ECHO:
            kept.append(group)
        else:
            _absorb(whole, group)
    return kept


def _telling(event: Event) -> Hashable:
    return last_component(event.cls or ""), mask(event.message[:_KEY_CHARS])


def _absorb(whole: Group, echo: Group) -> None:
    """Take the echo's places over; the event keeps its frames and gets the earlier line."""
    whole.ranks += echo.ranks
    whole.streams += echo.streams
    whole.last = max(whole.last, echo.last, key=lambda last: last[2])


def add_inner(groups: list[Group], inner: Event) -> Group:
    """The group that tells the same as an embedded error, else a new one, added in its place."""
    same = next((g for g in groups if mask(g.event.message[:_KEY_CHARS]) == mask(inner.message[:_KEY_CHARS])
                 and last_component(inner.cls or g.event.cls or "") == last_component(g.event.cls or "")), None)  # fmt: skip
    if same is not None:
        return same
    group = Group(inner, [inner.line], [inner.rank] if inner.rank else [], [inner.stream], [], (inner.file, inner.stream, inner.line))
    groups.append(group)
    groups.sort(key=lambda group: appearance(group.event))
    return group


def appearance(event: Event) -> tuple[float, str, int]:
    """A key that sorts events by their first appearance."""
    if event.file is None:
        return 0.0, "", event.line
    time = seconds(event.time)
    return inf if time is None else time, event.file, event.line


def natural(names: Iterable[str]) -> tuple[str, ...]:
    """Distinct names, numbers by size."""
    return tuple(sorted(set(names), key=lambda name: (not name.isdigit(), int(name) if name.isdigit() else 0, name)))


def add_header(groups: list[Group], below: Group, header: Event) -> Group:
    """The group of what announces the tracebacks of `below`, which stand as often and in the same streams."""
    offset = header.line - below.event.line
    group = Group(header, [line + offset for line in below.lines], list(below.ranks), list(below.streams), [], below.last)
    groups.append(group)
    groups.sort(key=lambda group: appearance(group.event))
    return group
