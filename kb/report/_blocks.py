"""The parts of a report, between what is said (`_story`, `_record`) and how it is drawn (`text`, `markdown`)."""

from dataclasses import dataclass
from typing import Literal

Form = Literal["headline", "quote", "fact", "known", "look", "prose", "steps", "bullets", "code", "rows", "note"]
"""headline: the verdict; quote: log text, its label the sentence on what was cut; fact: one labelled line; known: title
of a record, with key and confidence; look: where to look; prose, steps, bullets, code: labelled parts of a record;
rows: one line each; note: small print."""


@dataclass(frozen=True, slots=True)
class Block:
    """One part: plain text without any markup, visible as it stands. `detail` may be folded away."""

    form: Form
    label: str
    items: tuple[str, ...] = ()
    detail: bool = False
