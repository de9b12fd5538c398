"""Records -> foreign formats: one file each, with a module-level `EXPORT`.

An export takes and yields values: text for files, and a `Loss` for what the format cannot hold. It opens no file.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kb.store.files import Stored


@dataclass(frozen=True, slots=True)
class Text:
    """Text for the file at `path` below the output folder, or for the one output stream where `path` is empty."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Loss:
    """What is not in the export: a whole record for a reason, or a field of ours (`what`) of an exported record."""

    key: str
    what: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """One way in which a format is written; with `folder` it needs one and makes several files."""

    name: str
    summary: str
    folder: bool = False


@dataclass(frozen=True, slots=True)
class Export:
    """One foreign format. `write` gives texts and losses in the records' order; the first layout is the default."""

    name: str
    summary: str
    layouts: tuple[Layout, ...]
    write: Callable[[Sequence[Stored], Layout], Iterator[Text | Loss]]
