"""What stands on trial: distinct events with what is known of them, and the judgements on them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kb.diagnose.fold import Group
from kb.match.engine import equally_good
from kb.model.match import Match
from kb.model.report import Role

POLITE = (-15, -2, -1, -13)
"""SIGTERM, SIGINT, SIGHUP, SIGPIPE: somebody stopped the process."""

MEANINGFUL_CODES = (126, 127)
"""Exit codes that say something by themselves: not executable, not found."""

_FATAL_END = re.compile(
    r"\bSIG(?:KILL|SEGV|BUS|ABRT|ILL|FPE|TERM)\b|\bsignal (?:4|6|7|8|9|11|15)\b|\bexit ?codes? (?:132|134|135|136|137|139)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Suspect:
    """A distinct event on trial: its number (in the order of time, as far as known), the equal events, and the records that explain it."""

    id: int
    group: Group
    matches: tuple[Match, ...]
    severity: str = "error"  # of the best record
    went_on: bool = False  # ordinary lines of the same stream come after the last of the equal events
    wraps: int | None = None  # the suspect that its message carries
    symptom_of: tuple[str, ...] = ()  # ids and keys of records that its best record names as causes

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


def is_fatal(status: int | None) -> bool:
    """Whether an exit status says what happened: a signal that nobody sends politely, or a command that is not there."""
    return status is not None and (status in MEANINGFUL_CODES or (status < 0 and status not in POLITE))


def tells_fatal_end(suspect: Suspect) -> bool:
    """Whether a message tells that a process was killed: then it may be all that there is of the cause (R6)."""
    return _FATAL_END.search(suspect.group.event.message) is not None


def is_failure(suspect: Suspect) -> bool:
    """Whether an event says that something went wrong, whatever its role."""
    event = suspect.group.event
    return not event.plain and (event.kind != "error" or event.level in ("ERROR", "CRITICAL"))
