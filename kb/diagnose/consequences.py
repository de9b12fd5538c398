"""Rules that say what is not the root: consequences, wrappers, what was handled, what was cut."""

import re
from collections.abc import Sequence
from signal import Signals

from kb.diagnose.suspect import POLITE, Judgement, Judgements, Suspect, is_failure, is_fatal, tells_fatal_end
from kb.text.classes import last_component

_PROBES = {
    "AttributeError",
    "KeyError",
    "ImportError",
    "ModuleNotFoundError",
    "StopIteration",
    "StopAsyncIteration",
    "Empty",
    "LookupError",
}
_RETRIED = re.compile(r"\bretr(?:y|ies|ied|ying)\b|\battempt \d+ ?(?:/|of) ?\d+|\bfall(?:ing)? back\b|\breconnect", re.IGNORECASE)
_CLEANUP = ("Exception ignored in", "--- Logging error ---", "Error in atexit", "Exception in thread Thread-1 (_shutdown")


def recovered_errors_lose(suspects: Sequence[Suspect]) -> Judgements:
    """An error that a retry or a fallback announces, after which its writer goes on, was handled. So was one that is announced as a
    warning, a quoted traceback, and a remark that no record calls an error, when nothing fails afterwards."""
    judged: dict[int, Judgement] = {}
    failed_later = False
    for suspect in reversed(suspects):
        if reason := _recovery(suspect, failed_later):
            judged[suspect.id] = Judgement("other", reason)
        else:
            failed_later = failed_later or is_failure(suspect)
    return judged


def _recovery(suspect: Suspect, failed_later: bool) -> str:
    """Why an error did no harm, empty where that is not known."""
    event = suspect.group.event
    remark = event.plain and suspect.severity in ("info", "warning")
    if remark and not failed_later and (suspect.went_on or suspect.record_role == "cause"):
        return "an ordinary remark, after which nothing failed"
    if not suspect.went_on or event.kind == "exit":
        return ""
    if event.kind == "exception" and _RETRIED.search(f"{event.announced} {event.header}"):
        return "it was retried or replaced, and the program went on"
    if failed_later:
        return ""
    if suspect.record_role is None and (event.announced_level == "WARNING" or event.quoted):
        return "it was told as a warning or an example, the program went on, and nothing failed afterwards"
    return ""


def known_symptoms_lose(suspects: Sequence[Suspect]) -> Judgements:
    """A message that a record calls a consequence is never the root (R1), unless it tells a telling end of a process."""
    return {s.id: Judgement("symptom", f"{s.matches[0].key} is known as a consequence") for s in suspects
            if s.record_role == "symptom" and not is_fatal(s.group.event.exit_status)}  # fmt: skip


def clean_up_errors_lose(suspects: Sequence[Suspect]) -> Judgements:
    """Errors of destructors, exit handlers and loggers come after the failure or have nothing to do with it, where anything else failed
    (R12)."""
    aside = [s for s in suspects if s.group.event.header.startswith(_CLEANUP) or s.group.event.message.startswith(_CLEANUP)]
    if not any(is_failure(s) for s in suspects if s not in aside):
        return {}
    return {s.id: Judgement("other", "an error while cleaning up or logging") for s in aside}


def wrappers_lose(suspects: Sequence[Suspect]) -> Judgements:
    """A message that carries another error, or only announces one, is not the root; neither is one whose known cause was seen (R2)."""
    judged, seen = {}, {name for s in suspects for match in s.matches[:1] for name in (match.key, match.record)}
    for suspect in suspects:
        if suspect.wraps is not None:
            judged[suspect.id] = Judgement("symptom", "its message carries the error that caused it")
        elif suspect.record_role == "wrapper" and not tells_fatal_end(suspect):
            judged[suspect.id] = Judgement("symptom", f"{suspect.matches[0].key} announces or wraps another error")
        elif cause := next((name for name in suspect.symptom_of if name in seen), None):
            judged[suspect.id] = Judgement("symptom", f"{cause} causes it, and it was seen")
    return judged


def announcements_lose(suspects: Sequence[Suspect]) -> Judgements:
    """A line that a traceback follows at once announces it: programs log that something crashed, then what."""
    events = {s.id: s.group.event for s in suspects}
    told = {(e.file, e.stream, e.announced) for e in events.values() if e.kind == "exception"}
    return {
        s.id: Judgement("symptom", "it announces the traceback below it")
        for s in suspects
        for e in [events[s.id]]
        if e.kind == "error" and s.record_role != "cause" and (e.file, e.stream, e.message.strip()) in told
    }


def plain_exits_lose(suspects: Sequence[Suspect]) -> Judgements:
    """An exit code such as 1 says only that something failed; a polite signal says that somebody stopped the process (R6)."""
    judged = {}
    for suspect in suspects:
        status = suspect.group.event.exit_status
        if status in POLITE:
            judged[suspect.id] = Judgement("symptom", f"stopped from outside by {Signals(-status).name}")
        elif status is not None and status > 0 and not is_fatal(status):
            judged[suspect.id] = Judgement("symptom", f"exit code {status} only tells that something failed before")
    return judged


def cut_tracebacks_lose(suspects: Sequence[Suspect]) -> Judgements:
    """A traceback whose message is missing tells where, not what: no root can be named from it."""
    return {s.id: Judgement("symptom", "the log is cut, the message is missing") for s in suspects if not s.group.event.complete}


def stalls_are_symptoms(suspects: Sequence[Suspect]) -> Judgements:
    """A watchdog tells that something stands still, not why."""
    return {s.id: Judgement("symptom", "a watchdog tells that something stands still, not why") for s in suspects
            if s.group.event.kind == "stall" and s.record_role != "cause"}  # fmt: skip


def chains_begin_with_the_cause(suspects: Sequence[Suspect]) -> Judgements:
    """In a printed chain the first exception is the cause, unless it was a probe that the program expected to fail (R4)."""
    at = {(s.group.event.file, line): s for s in suspects for line in s.group.lines}
    judged: dict[int, Judgement] = {}
    for suspect in suspects:
        for file, _, line in suspect.group.links:
            cause = at.get((file, line))
            if cause is None or cause is suspect or suspect.id in judged:
                continue
            if _is_probe(cause, suspect):
                judged[cause.id] = Judgement("other", "a probe that was expected to fail")
            else:
                judged[suspect.id] = Judgement("symptom", f"raised because of line {line}")
    return judged


def _is_probe(cause: Suspect, consequence: Suspect) -> bool:
    relation = consequence.group.event.causes[0].relation if consequence.group.event.causes else "direct"
    known = cause.record_role == "cause"
    return relation == "context" and not known and last_component(cause.group.event.cls or "") in _PROBES
