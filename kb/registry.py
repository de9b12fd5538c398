"""One door for plug-ins: the modules of our own packages and the entry points of other distributions.

Each contract is a module-level object: `FORMAT`, `TRACE`, `EVIDENCE`, `TIER`, `RENDERER`, `EXPORT`, and `SOURCE` in ingest. A module
whose name begins with `_` holds none. Entry points stand in groups named `faultbook.format`, `faultbook.trace` and so on.
"""

import os
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

Points = Mapping[str, list[list[str]]]
"""Entry points by group, each as [name, `module:attribute`]."""


def discover(package: str, attribute: str, points: Points | None = None) -> Iterator[Any]:
    """The objects named `attribute` of a package's modules, then those of entry points.

    `points` are entry points that are known already; looking them up costs more than many a command. A foreign object that cannot be
    loaded is named on stderr and passed over; a broken module of ours raises.
    """
    for module in module_names(package):
        found = getattr(import_module(module), attribute, None)
        if found is not None:
            yield found
    yield from foreign(attribute, entry_points() if points is None else points)


def foreign(attribute: str, points: Points) -> Iterator[Any]:
    """The objects that entry points bring for one contract."""
    for name, value in points.get(f"faultbook.{attribute.lower()}", ()):
        module, _, path = value.partition(":")
        try:
            found = import_module(module)
            for part in path.split("."):
                found = getattr(found, part)
            yield found
        except Exception as error:  # foreign code may fail in any way
            print(f"kb: plug-in {name} ({value}) is passed over: {error!r}", file=sys.stderr)


def load(package: str, attribute: str, name: str) -> Any:
    """The one object whose `name` is `name`; our own module of that name is imported alone. Raises LookupError where there is none."""
    if name.isidentifier() and f"{package}.{name}" in module_names(package):
        return getattr(import_module(f"{package}.{name}"), attribute)
    for found in discover(package, attribute):
        if found.name == name:
            return found
    raise LookupError(name)


def module_names(package: str) -> list[str]:
    """The full names of a package's modules that may hold an object, sorted."""
    path = import_module(package).__path__
    return sorted(f"{package}.{module.name}" for module in pkgutil.iter_modules(path) if not module.name.startswith("_"))


def entry_points() -> Points:
    """The entry points that installed distributions bring for our contracts."""
    from importlib.metadata import entry_points as installed

    groups = sorted(group for group in installed().groups if group.startswith("faultbook."))
    return {group: [[point.name, point.value] for point in installed(group=group)] for group in groups}


def stamp(*packages: str) -> str:
    """A text that changes when a distribution is installed or removed, or a file of the packages changes."""
    folders = [str(folder) for package in packages for folder in import_module(package).__path__]
    parts = [f"{folder} {os.stat(folder).st_mtime_ns}" for folder in sys.path if folder and os.path.isdir(folder)]  # noqa: PTH112, PTH116
    for folder in folders:
        with os.scandir(folder) as entries:
            parts += sorted(f"{e.name} {e.stat().st_size} {e.stat().st_mtime_ns}" for e in entries if e.name.endswith(".py"))
    return "\n".join(parts)
