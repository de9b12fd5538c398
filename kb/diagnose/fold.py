"""Equal events of all ranks and streams become one."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from math import inf

from kb.model.event import Event
from kb.text.classes import last_component
from kb.text.clock import seconds
from kb.text.mask import mask
from kb.text.paths import package_path

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
    """What makes two events equal: kind, class, masked message, raise site, exit status."""
    site = next((frame for frame in event.frames if not frame.runtime), None)
    place = (package_path(site.file), site.function) if site else None
    message = mask(event.message[:_KEY_CHARS]) if event.complete else event.header
    return event.kind, last_component(event.cls or ""), message, place, event.exit_status, event.complete


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
    return sorted(groups.values(), key=lambda group: appearance(group.event))


def appearance(event: Event) -> tuple[float, str, int]:
    """A key that sorts events by their first appearance."""
    if event.file is None:
        return 0.0, "", event.line
    time = seconds(event.time)
    return inf if time is None else time, event.file, event.line


def natural(names: Iterable[str]) -> tuple[str, ...]:
    """Distinct names, numbers by size."""
    return tuple(sorted(set(names), key=lambda name: (not name.isdigit(), int(name) if name.isdigit() else 0, name)))

