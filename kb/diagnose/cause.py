"""Which event caused the failure: rules in a fixed order, each a function that rests on a named observation.

A rule looks at the findings that no earlier rule has judged and gives roles with reasons. Order alone is not enough: of runs with two
errors and a decidable root the first error is right in 63 %, the last one in 35 %.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from signal import Signals

from kb.diagnose.fold import Group
from kb.match.engine import equally_good
from kb.model.match import Match
from kb.model.report import Role
from kb.text.classes import last_component


@dataclass(frozen=True, slots=True)
class Suspect:
    """A distinct event on trial: its number (in the order of time, as far as known), the equal events, and the records that explain it."""

    id: int
    group: Group
    matches: tuple[Match, ...]
    severity: str = "error"  # of the best record
    went_on: bool = False  # ordinary lines of the same stream come after the last of the equal events

    @property
    def record_role(self) -> str | None:
        """What the records say: `cause` when any of the best does, None when there is none."""
        roles = [match.role for match in equally_good(self.matches)] if self.matches else []
        return next((role for role in ("cause", "wrapper", "symptom") if role in roles), None)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The role of one suspect, why, and the name of the rule that gave it."""

    role: Role
    reason: str
    rule: str = ""


Judgements = Mapping[int, Judgement]
Rule = Callable[[Sequence[Suspect]], Judgements]

_POLITE = (-15, -2, -1, -13)  # SIGTERM, SIGINT, SIGHUP, SIGPIPE: somebody stopped it
_MEANINGFUL_CODES = (126, 127)  # not executable, not found
_PROBES = {"AttributeError", "KeyError", "ImportError", "ModuleNotFoundError", "StopIteration", "StopAsyncIteration", "Empty", "LookupError"}
_RETRIED = re.compile(r"\bretr(?:y|ies|ied|ying)\b|\battempt \d+ ?(?:/|of) ?\d+|\bfall(?:ing)? back\b|\breconnect", re.IGNORECASE)
_CLEANUP = ("Exception ignored in", "--- Logging error ---", "Error in atexit", "Exception in thread Thread-1 (_shutdown")


def clean_up_errors_lose(suspects: Sequence[Suspect]) -> Judgements:
    """Errors of destructors, exit handlers and loggers come after the failure or have nothing to do with it (R12)."""
    return {s.id: Judgement("other", "an error while cleaning up or logging") for s in suspects
            if s.group.event.header.startswith(_CLEANUP) or s.group.event.message.startswith(_CLEANUP)}  # fmt: skip


def known_symptoms_lose(suspects: Sequence[Suspect]) -> Judgements:
    """A message that a record calls a consequence is never the root (R1), unless it tells a telling end of a process."""
    return {s.id: Judgement("symptom", f"{s.matches[0].key} is known as a consequence") for s in suspects
            if s.record_role == "symptom" and not _is_fatal(s.group.event.exit_status)}  # fmt: skip


def _is_fatal(status: int | None) -> bool:
    """Whether an exit status says what happened: a signal that nobody sends politely, or a command that is not there."""
    return status is not None and (status in _MEANINGFUL_CODES or status < 0 and status not in _POLITE)


def plain_exits_lose(suspects: Sequence[Suspect]) -> Judgements:
    """An exit code such as 1 says only that something failed; a polite signal says that somebody stopped the process (R6)."""
    judged = {}
    for suspect in suspects:
        status = suspect.group.event.exit_status
        if status in _POLITE:
            judged[suspect.id] = Judgement("symptom", f"stopped from outside by {Signals(-status).name}")
        elif status is not None and status > 0 and not _is_fatal(status):
            judged[suspect.id] = Judgement("symptom", f"exit code {status} only tells that something failed before")
    return judged


def cut_tracebacks_lose(suspects: Sequence[Suspect]) -> Judgements:
    """A traceback whose message is missing tells where, not what: no root can be named from it."""
    return {s.id: Judgement("symptom", "the log is cut, the message is missing") for s in suspects if not s.group.event.complete}


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


def recovered_errors_lose(suspects: Sequence[Suspect]) -> Judgements:
    """An error that a retry or a fallback announces, after which its writer goes on, was handled. So was one that is announced as a
    warning, and a quoted traceback, when nothing fails afterwards."""
    judged = {}
    for suspect in suspects:
        event = suspect.group.event
        nothing_after = not any(_is_failure(other) for other in suspects if other.id > suspect.id and not other.went_on)
        if suspect.went_on and event.kind != "exit" and _RETRIED.search(f"{event.announced} {event.header}"):
            judged[suspect.id] = Judgement("other", "it was retried or replaced, and the program went on")
        elif suspect.went_on and nothing_after and event.kind != "exit" and (event.announced_level == "WARNING" or event.quoted):
            judged[suspect.id] = Judgement("other", "it was told as a warning, the program went on, and nothing failed afterwards")
        elif suspect.went_on and event.plain and suspect.severity in ("info", "warning"):
            judged[suspect.id] = Judgement("other", "an ordinary remark, after which the program went on")
    return judged


def _is_failure(suspect: Suspect) -> bool:
    event = suspect.group.event
    return not event.plain and (event.kind != "error" or event.level in ("ERROR", "CRITICAL"))


def failed_tests_are_roots(suspects: Sequence[Suspect]) -> Judgements:
    """Each failed test is a failure of its own (R11)."""
    tests = [s for s in suspects if s.group.event.kind == "test"]
    if not tests:
        return {}
    return {s.id: Judgement("root", "a failed test") if s in tests else _beside(tests[0], s) for s in suspects}


def kernel_kills_win(suspects: Sequence[Suspect]) -> Judgements:
    """A kill by the kernel explains every error that follows or surrounds it (R3)."""
    kill = next((s for s in suspects if s.group.event.language == "kernel"), None)
    if kill is None:
        return {}
    return _root_and_rest(kill, suspects, "the kernel killed a process")


def first_real_error_wins(suspects: Sequence[Suspect]) -> Judgements:
    """Of what is left the earliest exception or crash is the root; later ones follow from it (R7, R14)."""
    real = [s for s in suspects if s.group.event.exit_status is None
            and (s.group.event.kind in ("exception", "crash", "build") or s.record_role == "cause" and not _quiet(s))]  # fmt: skip
    first = next(iter([s for s in real if s.record_role != "wrapper"] or real), None)
    killed = next((s for s in suspects if s.group.event.exit_status is not None), None)
    if first is None or killed and killed.id < first.id:
        return {}
    return _root_and_rest(first, suspects, "the first error that is no known consequence")


def fatal_exits_are_roots(suspects: Sequence[Suspect]) -> Judgements:
    """A process that a signal killed, or that was not found, is the root when no error precedes it (R6)."""
    first = next((s for s in suspects if s.group.event.exit_status is not None), None)
    return _root_and_rest(first, suspects, "a process ended so, and no error precedes it") if first else {}


def lone_error_lines_are_roots(suspects: Sequence[Suspect]) -> Judgements:
    """Where nothing else is left, the first line that calls itself an error is the root."""
    first = next((s for s in suspects if s.group.event.kind == "error" and not s.group.event.plain), None)
    return _root_and_rest(first, suspects, "the first line that calls itself an error") if first else {}


def the_rest_is_other(suspects: Sequence[Suspect]) -> Judgements:
    """What no rule speaks of is shown, not judged."""
    return {s.id: Judgement("other", "nothing makes it cause or consequence") for s in suspects}


RULES: tuple[Rule, ...] = (clean_up_errors_lose, recovered_errors_lose, known_symptoms_lose, plain_exits_lose, cut_tracebacks_lose,
                           chains_begin_with_the_cause, kernel_kills_win, failed_tests_are_roots, first_real_error_wins, fatal_exits_are_roots, lone_error_lines_are_roots, the_rest_is_other)  # fmt: skip
"""The rules in the order in which they judge."""


def judge(suspects: Sequence[Suspect]) -> dict[int, Judgement]:
    """The role of every suspect."""
    judged: dict[int, Judgement] = {}
    for rule in RULES:
        fresh = rule([suspect for suspect in suspects if suspect.id not in judged])
        judged |= {number: replace(judgement, rule=rule.__name__) for number, judgement in fresh.items()}
    return judged


def _quiet(suspect: Suspect) -> bool:
    """Whether a record made an event of an ordinary line and does not call it an error."""
    return suspect.group.event.plain and suspect.severity in ("info", "warning")


def _root_and_rest(root: Suspect, suspects: Sequence[Suspect], reason: str) -> dict[int, Judgement]:
    """The root, and the judgement on everything else that was left."""
    return {s.id: Judgement("root", reason) if s is root else _beside(root, s) for s in suspects}


def _beside(root: Suspect, suspect: Suspect) -> Judgement:
    """What an event is once the root is known."""
    line, event, later = root.group.event.line, suspect.group.event, suspect.id > root.id
    if suspect.record_role == "wrapper":
        return Judgement("symptom", f"{suspect.matches[0].key} announces or wraps another error")
    if root.group.event.language == "kernel" and event.kind in ("exception", "exit", "crash"):
        return Judgement("symptom", f"explained by the kill in line {line}")
    if later and event.kind in ("exit", "crash"):
        return Judgement("symptom", f"follows line {line}")
    return Judgement("other", f"line {line} comes first" if later else "before the root, and nothing links it to the failure")
