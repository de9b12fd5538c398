"""Chains of Python exceptions, whatever form each of them is printed in.

A module `python*.py` with a `READER` reads one form of one exception; a chain may go from one form to another (a
worker's plain traceback, then the parent's in IPython's form).
"""

import pkgutil
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module

import kb.traces
from kb.model.event import Event, Line, Link, Relation
from kb.traces import PATIENCE, Cursor
from kb.traces._python import relation_of, rewind

_DASHES = re.compile(r"^-{20,}$")


@dataclass(frozen=True, slots=True)
class Found:
    """What one form of one exception gave: all its events, and which of them the chain goes on from."""

    events: tuple[Event, ...]
    final: Event


@dataclass(frozen=True, slots=True)
class Reader:
    """One printed form: `read` is called where `starts` is found and gives None when it turns out to be something else.
    """

    starts: re.Pattern[str]
    read: Callable[[Cursor], Found | None]
    order: int = 50


def parse_chain(cursor: Cursor) -> list[Event]:
    """The exceptions of the chain that begins here, in the order in which they are printed; none where nothing begins.
    """
    events: list[Event] = []
    last: Event | None = None
    relation: Relation | None = None
    while (found := _read(cursor)) is not None:
        if last is not None and relation is not None:
            linked = replace(found.final, causes=(*found.final.causes, Link(last.line, relation)))
            found = Found(tuple(linked if event is found.final else event for event in found.events), linked)
        events += found.events
        last = found.final
        relation = _next_of_chain(cursor) if last.complete else None
        if relation is None:
            break
    return events


def parse_lines(lines: Sequence[Line], around: Cursor) -> list[Event]:
    """The exceptions in lines that were taken out of a quotation, a box or a margin, which the cursor `around` has read."""
    cursor = around.within(lines)
    events: list[Event] = []
    while cursor.line is not None:
        at = cursor.at
        events += parse_chain(cursor)
        if cursor.at == at:
            cursor.skip()
    return events


@cache
def _readers() -> tuple[Reader, ...]:
    names = sorted(each.name for each in pkgutil.iter_modules(kb.traces.__path__) if each.name.startswith("python"))
    modules = [import_module(f"kb.traces.{name}") for name in names]
    readers = [module.READER for module in modules if hasattr(module, "READER")]
    return tuple(sorted(readers, key=lambda reader: reader.order))


def _read(cursor: Cursor) -> Found | None:
    """The exception that begins on the line here, in the first form that fits."""
    line = cursor.line
    if line is None:
        return None
    at, claimed = cursor.at, len(cursor.claimed)
    for reader in _readers():
        if reader.starts.search(line.text):
            if (found := reader.read(cursor)) is not None:
                return found
            rewind(cursor, at, claimed)
    return None


def _next_of_chain(cursor: Cursor) -> Relation | None:
    """The relation to the next exception when a chain marker follows; the marker is claimed, the cursor stands on the
    next one.
    """
    at, claimed = cursor.at, len(cursor.claimed)
    relation: Relation | None = None
    passed = 0
    while (line := cursor.line) is not None and passed <= PATIENCE:
        text = line.text.strip()
        starts = any(reader.starts.search(line.text) for reader in _readers())
        if relation and starts:
            return relation
        if relation is None and (relation := relation_of(text)) is not None:
            cursor.claim()
            continue
        if starts or (relation is None and text and not _DASHES.match(text) and cursor.begins_event(line)):
            break
        passed += bool(text)
        cursor.skip()
    rewind(cursor, at, claimed)
    return None
