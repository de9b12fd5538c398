"""Outputs: one file each, with a module-level `RENDERER`. A renderer sees values of `kb.model` only, returns text and prints nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from kb.model.report import Diagnosis


@dataclass(frozen=True, slots=True)
class Style:
    """How to draw. `width` is in columns."""

    color: bool = False
    width: int = 80
    verbose: bool = False


class Renderer(Protocol):
    """The contract of `RENDERER`."""

    name: str

    def render(self, diagnoses: Sequence[Diagnosis], style: Style) -> str:
        """All diagnoses of one call as the text to print, ending in a line end unless empty."""
        ...
