"""Equal events of all ranks and streams become one."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from kb.model.event import Event
from kb.text.classes import last_component
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


def event_key(event: Event) -> Hashable:
    """What makes two events equal: kind, class, masked message, raise site, exit status."""
    site = next((frame for frame in event.frames if not frame.runtime), None)
    place = (package_path(site.file), site.function) if site else None
    message = mask(event.message[:_KEY_CHARS]) if event.complete else event.header
    return event.kind, last_component(event.cls or ""), message, place, event.exit_status, event.complete


def fold_equal(events: Iterable[Event]) -> list[Group]:
    """The distinct events in order of their first place, each with the lines, ranks and streams of all equal ones."""
    groups: dict[Hashable, Group] = {}
    for event in events:
        key = event_key(event)
        group = groups.get(key)
        if group is None:
            group = groups[key] = Group(event)
        elif _place(event) < _place(group.event):
            group.event = event
        group.lines.append(event.line)
        group.links += [(event.file, event.line, cause.line) for cause in event.causes]
        if event.rank is not None:
            group.ranks.append(event.rank)
        group.streams.append(event.stream)
    return sorted(groups.values(), key=lambda group: _place(group.event))


def natural(names: Iterable[str]) -> tuple[str, ...]:
    """Distinct names, numbers by size."""
    return tuple(sorted(set(names), key=lambda name: (not name.isdigit(), int(name) if name.isdigit() else 0, name)))


def _place(event: Event) -> tuple[str, int]:
    return event.file or "", event.line
