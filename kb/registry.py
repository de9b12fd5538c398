"""One door for plug-ins: the modules of our own packages and the entry points of other distributions.

Each contract is a module-level object: `FORMAT`, `TRACE`, `EVIDENCE`, `TIER`, `RENDERER`, and `SOURCE` in ingest. A module whose name
begins with `_` holds none.
"""

import pkgutil
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoints, entry_points
from typing import Any


def discover(package: str, attribute: str) -> Iterator[Any]:
    """The objects named `attribute` of a package's modules, then those of entry points in the group `faultbook.<attribute>`.

    A foreign object that cannot be loaded is named on stderr and passed over; a broken module of ours raises.
    """
    for name in sorted(_modules(package)):
        found = getattr(import_module(f"{package}.{name}"), attribute, None)
        if found is not None:
            yield found
    for point in _entry_points().select(group=f"faultbook.{attribute.lower()}"):
        try:
            yield point.load()
        except Exception as error:  # foreign code may fail in any way
            print(f"kb: plug-in {point.name} ({point.value}) is passed over: {error!r}", file=sys.stderr)


def load(package: str, attribute: str, name: str) -> Any:
    """The one object whose `name` is `name`; our own module of that name is imported alone. Raises LookupError where there is none."""
    if name.isidentifier() and name in _modules(package):
        return getattr(import_module(f"{package}.{name}"), attribute)
    for found in discover(package, attribute):
        if found.name == name:
            return found
    raise LookupError(name)


def _modules(package: str) -> list[str]:
    path = import_module(package).__path__
    return [module.name for module in pkgutil.iter_modules(path) if not module.name.startswith("_")]


@cache
def _entry_points() -> EntryPoints:
    return entry_points()
