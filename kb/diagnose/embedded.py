"""Events inside others: the error in a wrapper's message (`Capture cuda graph failed: CUDA out of memory …`), and what announces a
traceback on its own first line (`Scheduler hit an exception: Traceback …`).

Which wrappers carry a cause is knowledge, so it comes from records: a template with a hole named `cause`.
"""

import re
from collections.abc import Sequence

from kb.model.event import Event
from kb.model.match import Match
from kb.text.template import squeeze

_CLASS = re.compile(
    r"^\(?(?P<cls>(?:[A-Za-z_][\w$]*\.)*[A-Z]\w*(?:Error|Exception|Failure|Violation|Fault|Timeout)\w*)\)?(?:[:(]\s*)?(?P<message>.*)$",
    re.DOTALL,
)
_MIN_CHARS = 8
"""A shorter rest says nothing."""


def inner_event(event: Event, matches: Sequence[Match]) -> Event | None:
    """The event that the message of a wrapper carries, at the line where it begins; None where no record knows of one."""
    cause = next((text for match in matches if match.role == "wrapper" for name, text in match.captures if name == "cause"), "")
    cause = cause.strip().strip("'\"").removesuffix(", Traceback (most recent call last):").strip()
    if len(cause) < _MIN_CHARS:
        return None
    found = _CLASS.match(cause)
    line = event.line + _line_of(event.message, cause)
    return Event(
        "exception" if found else "error", found["message"].strip(" ()'\"") if found else cause, line, (line, line), found and found["cls"],
        event.language, event.file, event.stream, event.rank, event.level, event.time, event.pid,
    )  # fmt: skip


def header_event(event: Event) -> Event | None:
    """What stood before a traceback on its first line, as an event of its own; None where nothing did."""
    if not event.header or event.kind != "exception":
        return None
    first = event.span[0]
    return Event("error", event.header, first, (first, first), None, event.language, event.file, event.stream, event.rank, event.level,
                 event.time, event.pid, plain=True)  # fmt: skip


def _line_of(message: str, cause: str) -> int:
    """How many lines below the first one of a message its cause begins."""
    start = cause[:20]
    for number, line in enumerate(message.split("\n")):
        if start in squeeze(line):
            return number
    return 0
