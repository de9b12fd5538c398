"""All formats and grammars without importing them: what must be known of each before it is used, as plain values.

A hundred grammars and sixty formats cost a quarter of a second to import, and a log needs a few of them. So a catalogue is made once and
remembered; a grammar is imported where one of its marks stands, a format's decoder where such a line comes.
"""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

from kb.formats import Decoded, Format, Sample
from kb.model.event import Event
from kb.read.prefix import specific_first
from kb.registry import Points, foreign, module_names
from kb.traces import Cursor, Trace

_TRACE = ("name", "starts", "marks", "order", "leveled")
_FORMAT = ("name", "pattern", "per", "strangers", "shy", "run", "beside", "program", "needs", "marks")


def describe() -> dict[str, list[Any]]:
    """Our formats, in the order in which they are asked, and our grammars. Imports them all."""
    modules = {object_.name: module for module, object_ in _objects("kb.formats", "FORMAT")}
    formats = specific_first([object_ for _, object_ in _objects("kb.formats", "FORMAT")])
    return {
        "formats": [_described(each, _FORMAT, modules[each.name]) | _samples(each) for each in formats],
        "traces": [_described(trace, _TRACE, module) for module, trace in _objects("kb.traces", "TRACE")],
    }


def formats(described: Mapping[str, list[Any]], points: Points) -> list[Format]:
    """The formats, those of other distributions behind ours."""
    ours = []
    for each in described["formats"]:
        samples = tuple(Sample(line, rest) for line, rest in each["samples"])
        rest: dict[str, Any] = {name: tuple(each[name]) if isinstance(each[name], list) else each[name] for name in _FORMAT}
        ours.append(Format(samples=samples, decode=_decoder(each["module"]) if each["decodes"] else None, **rest))
    return [*ours, *foreign("FORMAT", points)]


def traces(described: Mapping[str, list[Any]], points: Points) -> list[Trace]:
    """The grammars, and those of other distributions."""
    ours = [
        Trace(each["name"], each["starts"], _parser(each["module"]), tuple(each["marks"]), (), (), each["order"], each["leveled"])
        for each in described["traces"]
    ]
    return [*ours, *foreign("TRACE", points)]


def _objects(package: str, attribute: str) -> Iterable[tuple[str, Any]]:
    for module in module_names(package):
        found = getattr(import_module(module), attribute, None)
        if found is not None:
            yield module, found


def _described(found: Any, fields: Iterable[str], module: str) -> dict[str, Any]:
    return {"module": module} | {name: getattr(found, name) for name in fields}


def _samples(each: Format) -> dict[str, Any]:
    return {"samples": [(sample.line, sample.rest) for sample in each.samples], "decodes": each.decode is not None}


def _parser(module: str) -> Callable[[Cursor], list[Event]]:
    def parse(cursor: Cursor) -> list[Event]:
        trace: Trace = import_module(module).TRACE
        return trace.parse(cursor)

    return parse


def _decoder(module: str) -> Callable[[str], Decoded | None]:
    def decode(text: str) -> Decoded | None:
        found: Format = import_module(module).FORMAT
        return found.decode(text) if found.decode else None

    return decode
