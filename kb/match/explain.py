"""Why a record matches an event, or why not."""

from collections.abc import Iterator
from dataclasses import replace

from kb.match.agree import agreement
from kb.match.lookup import Lookup
from kb.match.pattern import compiled, search
from kb.match.template import applies
from kb.model.event import Event
from kb.model.match import Known
from kb.text.template import Template, squeeze


def explain(event: Event, known: Known, lookup: Lookup) -> Iterator[tuple[bool, str]]:
    """Each thing that a signature asks of an event: whether it is there, and a sentence that shows it."""
    text = squeeze(event.message)
    if not applies(known, event):
        yield False, f"the signature is for {known.when} only"
    if known.exit_status is not None:
        yield event.exit_status == known.exit_status, f"exit status {known.exit_status} is asked, the event has {event.exit_status}"
    if (template := lookup.template(known)) is not None:
        yield _of_template(template, text)
    if known.pattern is not None:
        refused = "; RE2 refuses it" if compiled(known.pattern) is None else ""
        yield search(known.pattern, text) is not None, f"pattern {known.pattern}{refused}"
    if known.classes:
        yield (
            event.cls is None or not _refuted_by_class(known, event),
            f"class {' or '.join(known.classes)} is asked, the event has {event.cls}",
        )
    agreed = agreement(known, event)
    if known.frames:
        wanted = ", ".join(f"{site.file} in {site.function or 'any function'}" for site in known.frames)
        yield agreed.frame or not event.frames, f"frame {wanted}" + ("" if event.frames else " (the event shows no frames)")
    if template is not None and template.weak:
        yield agreed.cls or agreed.frame, f"{template.literal} literal characters are too few to match without class or frame"


def _of_template(template: Template, text: str) -> tuple[bool, str]:
    """Whether the template stands in the text; if not, the first piece that is missing."""
    if (hit := template.find(text)) is not None:
        filled = ", ".join(f"{name}={value!r}" for name, value in hit.captures)
        return True, "the message is there" + (f" ({filled})" if filled else "")
    at = 0
    for piece in template.pieces:
        found = text.find(piece, at)
        if found < 0:
            return False, f"the message lacks {piece!r}" + (f" after {text[:at][-40:]!r}" if at else "")
        at = found + len(piece)
    return False, "a hole of the message has nothing in it"


def _refuted_by_class(known: Known, event: Event) -> bool:
    return agreement(replace(known, frames=(), site=None), event).refuted
