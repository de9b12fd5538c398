"""All grammars without importing them: a hundred of them are known by their marks, and imported where one of these stands in a log."""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from kb.model.event import Event
from kb.registry import Points, foreign, module_names
from kb.traces import Cursor, Trace

_FIELDS = ("name", "starts", "marks", "order", "leveled")


def describe() -> list[dict[str, Any]]:
    """What is to be known of each of our grammars before it is imported, as plain values. Imports them all."""
    found = []
    for module in module_names("kb.traces"):
        trace: Trace | None = getattr(import_module(module), "TRACE", None)
        if trace is not None:
            found.append({"module": module} | {name: getattr(trace, name) for name in _FIELDS})
    return found


def late(descriptions: Iterable[dict[str, Any]], points: Points) -> list[Trace]:
    """Grammars that import their module when they are first asked to parse, and those of other distributions."""
    ours = [Trace(d["name"], d["starts"], _parser(d["module"]), tuple(d["marks"]), (), (), d["order"], d["leveled"]) for d in descriptions]
    return [*ours, *foreign("TRACE", points)]


def _parser(module: str) -> Callable[[Cursor], list[Event]]:
    def parse(cursor: Cursor) -> list[Event]:
        trace: Trace = import_module(module).TRACE
        return trace.parse(cursor)

    return parse
