"""Whether class and stack of an event agree with a signature."""

from dataclasses import dataclass

from kb.model.event import Event, Frame
from kb.model.match import Evidence, FrameSite, Known
from kb.settings import LINE_DRIFT
from kb.text.classes import same_class
from kb.text.paths import suffix_agrees


@dataclass(frozen=True, slots=True)
class Agreement:
    """What class and frames say: `refuted` when something demanded is different, else the evidence in favour."""

    refuted: bool
    cls: bool = False
    frame: bool = False
    near_line: bool = False  # the raise site's line is about the record's: breaks ties, no more
    evidence: tuple[Evidence, ...] = ()


_REFUTED = Agreement(True)


def agreement(known: Known, event: Event) -> Agreement:
    """Compare an event with what a signature demands (class, frames) and with what its record mentions."""
    if event.cls and known.classes and not any(same_class(event.cls, name) for name in known.classes):
        return _REFUTED
    if known.classes and not event.cls and event.kind == "exit":
        return _REFUTED
    demanded = [found for site in known.frames if (found := find_frame(site, event.frames))]
    if known.frames and event.frames and not demanded:
        return _REFUTED
    mentioned = find_frame(known.site, event.frames) if known.site and not demanded else None
    evidence: list[Evidence] = []
    cls = event.cls is not None and any(same_class(event.cls, name) for name in (*known.classes, known.error_class or ""))
    if cls:
        evidence.append(Evidence("class", event.cls or "", event.line))
    frame = demanded[0] if demanded else mentioned
    if frame:
        evidence.append(Evidence("frame", f"{frame.file}:{frame.line} in {frame.function}", event.line))
    near = bool(frame and known.site and known.site.line and frame.line and abs(frame.line - known.site.line) <= LINE_DRIFT)
    return Agreement(False, cls, frame is not None, near, tuple(evidence))


def find_frame(site: FrameSite, frames: tuple[Frame, ...]) -> Frame | None:
    """The innermost frame at a site: the file from its package's root, and the function and words of the source line where given."""
    for frame in frames:
        if not suffix_agrees(frame.file, site.file):
            continue
        if site.function and frame.function and site.function.rpartition(".")[2] != frame.function.rpartition(".")[2]:
            continue
        if site.code and frame.code and site.code not in frame.code:
            continue
        return frame
    return None
