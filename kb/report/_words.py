"""Facts of a diagnosis in words."""

from collections.abc import Iterable, Iterator

from kb.model.event import Event, Frame
from kb.model.match import Match
from kb.model.report import Diagnosis, Finding
from kb.report._visible import one_line
from kb.text.paths import is_installed, package_path

SHOWN_RANKS = 12
"""Ranks or ranges of ranks that are named; more would fill the screen."""

NAME_CHARS = 24
"""Characters of a rank's name that is no number."""

_SURE = ((0.9, "very likely"), (0.75, "likely"), (0.5, "possible"), (0.0, "a guess"))
_TIERS = {
    "code": "by its exit status or error code",
    "template": "by its message",
    "pattern": "by a pattern of its message",
    "condition": "by several lines together",
    "frame": "by its raise site",
    "fuzzy": "by similar wording",
}
_SIGNALS = {
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL",
    11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM",
}  # fmt: skip
_NAMELESS = {"exit": "process ended", "build": "build error", "test": "failed test"}


def what(event: Event) -> str:
    """The class and the message, as the program said them; the kind of the event where it said nothing."""
    said = ": ".join(filter(None, (event.cls, event.message)))
    return said or exit_words(event) or _NAMELESS.get(event.kind, event.kind)


def place(event: Event, path: str) -> str:
    """File and line in the form that editors and terminals make clickable."""
    return f"{event.file or path}:{event.line}"


def path_of(diagnosis: Diagnosis) -> str:
    """The name of the run."""
    return "standard input" if diagnosis.input.path == "-" else diagnosis.input.path


def many(number: int, noun: str) -> str:
    """A number with its noun: `1 line`, `2 lines`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def rank_words(ranks: Iterable[str], everyone: Iterable[str] = ()) -> str:
    """Ranks in words, runs of numbers as ranges: `rank 2`, `ranks 0-1, 3 (3 of 4)`; empty for none."""
    names, total = set(ranks), len(set(everyone))
    if not names:
        return ""
    numbers = sorted(int(name) for name in names if _is_number(name))
    parts = [*_ranges(numbers), *sorted(one_line(name, NAME_CHARS) for name in names if not _is_number(name))]
    more = f", ... {len(parts) - SHOWN_RANKS} more" if len(parts) > SHOWN_RANKS else ""
    share = f" ({len(names)} of {total})" if total > len(names) > 1 else ""
    return f"{'rank' if len(names) == 1 else 'ranks'} {', '.join(parts[:SHOWN_RANKS])}{more}{share}"


def where_words(finding: Finding) -> str:
    """The lines of an event and of its repetitions."""
    event, lines = finding.event, finding.lines or (finding.event.line,)
    text = f"{event.file}, line {event.line}" if event.file else f"line {event.line}"
    if event.span[0] != event.span[1]:
        text += f" (lines {event.span[0]}-{event.span[1]})"
    if finding.count > 1:
        text += f", {finding.count} times"
    if max(lines) != event.line and not event.file:
        text += f", last in line {max(lines)}"
    return text if event.complete else f"{text}; the log is cut here"


def exit_words(event: Event) -> str:
    """How a process ended; empty where nothing tells."""
    status = event.exit_status
    if status is None:
        return ""
    if status >= 0:
        return f"exit status {status}"
    name = _SIGNALS.get(-status)
    return f"ended by signal {-status}" + (f" ({name})" if name else "")


def raise_site(event: Event) -> Frame | None:
    """The innermost frame that is not the runtime's own."""
    return next((frame for frame in event.frames if not frame.runtime), None)


def user_frame(event: Event) -> Frame | None:
    """The innermost frame of code that is not installed."""
    return next((frame for frame in event.frames if not frame.runtime and not is_installed(frame.file)), None)


def frame_words(frame: Frame) -> str:
    """Function and place of a frame, the path from its package's root."""
    at = package_path(frame.file) + (f":{frame.line}" if frame.line is not None else "")
    return f"{frame.function}, {at}" if frame.function else at


def confidence_words(match: Match) -> str:
    """How sure a match is, as words and number, and what it rests on."""
    word = next((word for least, word in _SURE if match.confidence >= least), "a guess")
    return f"{word} ({match.confidence:.2f}), {_TIERS[match.tier]}"


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) < 10 and str(int(name)) == name


def _ranges(numbers: list[int]) -> Iterator[str]:
    """Runs of consecutive numbers, `3` or `0-2`."""
    start = 0
    for at, number in enumerate(numbers):
        if at + 1 == len(numbers) or numbers[at + 1] != number + 1:
            yield f"{numbers[start]}-{number}" if at > start else str(number)
            start = at + 1
