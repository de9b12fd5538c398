"""A command whose first argument names a plug-in: each one becomes a subcommand with its own options."""

from collections.abc import Callable
from typing import Any

import click

from kb.registry import discover, load


class PluginGroup(click.Group):
    """The objects of one contract as subcommands. `make` turns such an object, which has a `name`, into its command."""

    def __init__(self, package: str, attribute: str, make: Callable[[Any], click.Command], **rest: Any) -> None:
        """`package` and `attribute` say where the objects are, as for `kb.registry.discover`."""
        super().__init__(**rest)
        self._package, self._attribute, self._make = package, attribute, make

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all objects of the contract."""
        return sorted(found.name for found in discover(self._package, self._attribute))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """The command of this name. Raises UsageError with all names where there is none."""
        try:
            return self._make(load(self._package, self._attribute, cmd_name))
        except LookupError:
            names = ", ".join(self.list_commands(ctx))
            raise click.UsageError(f"there is no {cmd_name}: choose one of {names}") from None
