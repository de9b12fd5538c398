"""Rules that name the root among what no other rule has judged."""

from collections.abc import Sequence

from kb.diagnose.stalls import lagging, work_of
from kb.diagnose.suspect import MEANINGFUL_CODES, Judgement, Judgements, Suspect, is_failure, tells_fatal_end


def lagging_ranks_are_roots(suspects: Sequence[Suspect]) -> Judgements:
    """Of ranks that wait in collectives, the one that lags behind or does something else keeps the others waiting; so does the one that
    torch's desync report names (R7)."""
    stalls = [s for s in suspects if s.group.event.kind == "stall"]
    named = next((s for s in stalls if "didn't join" in s.group.event.message or "never joined" in s.group.event.message), None)
    if named:
        return _root_and_rest(named, suspects, "torch's desync report names it")
    told = [(s, work) for s in stalls for work in [work_of(s.group.event.message)] if work for _ in s.group.lines]
    found = lagging([work for _, work in told])
    return _root_and_rest(told[found[0]][0], suspects, found[1]) if found else {}


def kernel_kills_win(suspects: Sequence[Suspect]) -> Judgements:
    """A kill by the kernel explains every error that follows or surrounds it (R3)."""
    kill = next((s for s in suspects if s.group.event.language == "kernel"), None)
    if kill is None:
        return {}
    return _root_and_rest(kill, suspects, "the kernel killed a process")


def failed_tests_are_roots(suspects: Sequence[Suspect]) -> Judgements:
    """Each failed test is a failure of its own (R11)."""
    tests = [s for s in suspects if s.group.event.kind == "test"]
    if not tests:
        return {}
    return {s.id: Judgement("root", "a failed test") if s in tests else _beside(tests[0], s) for s in suspects}


def separate_programs_fail_separately(suspects: Sequence[Suspect]) -> Judgements:
    """Uncaught errors of programs that do not belong together (containers, jobs, pods) are roots of their own (R11)."""
    firsts: dict[str, Suspect] = {}
    for suspect in suspects:
        event = suspect.group.event
        if event.program and event.kind == "exception" and event.frames and not suspect.went_on:
            firsts.setdefault(event.program, suspect)
    if len(firsts) < 2:
        return {}
    roots = {s.id for s in firsts.values()}
    first = next(iter(firsts.values()))
    return {
        s.id: Judgement("root", f"the first error of {s.group.event.program}") if s.id in roots else _beside(first, s) for s in suspects
    }


def first_real_error_wins(suspects: Sequence[Suspect]) -> Judgements:
    """Of what is left the earliest exception or crash is the root; later ones follow from it (R7, R14)."""
    real = [s for s in suspects if s.group.event.exit_status is None and not (s.record_role == "wrapper" and tells_fatal_end(s))
            and (s.group.event.kind in ("exception", "crash", "build") or s.record_role == "cause")]  # fmt: skip
    first = next(iter(real), None)
    killed = next((s for s in suspects if s.group.event.exit_status is not None), None)
    if first is None or (killed and killed.id < first.id and first.group.event.kind != "crash"):
        return {}
    return _root_and_rest(first, suspects, "the first error that is no known consequence")


def fatal_exits_are_roots(suspects: Sequence[Suspect]) -> Judgements:
    """A process that a signal killed, or that was not found, is the root when no error precedes it (R6)."""
    ended = [s for s in suspects if s.group.event.exit_status is not None] or [s for s in suspects if tells_fatal_end(s)]
    if not ended:
        return {}
    missing = next((s for s in suspects if s.group.event.language == "shell" and s.id < ended[0].id), None)
    if missing and ended[0].group.event.exit_status in MEANINGFUL_CODES:
        return _root_and_rest(missing, suspects, "a command could not be run")
    return _root_and_rest(ended[0], suspects, "a process ended so, and no error precedes it")


def lone_error_lines_are_roots(suspects: Sequence[Suspect]) -> Judgements:
    """Where nothing else is left, the first line that calls itself an error is the root."""
    first = next((s for s in suspects if s.group.event.kind == "error" and not s.group.event.plain), None)
    return _root_and_rest(first, suspects, "the first line that calls itself an error") if first else {}


def the_rest_is_other(suspects: Sequence[Suspect]) -> Judgements:
    """What no rule speaks of is shown, not judged."""
    return {s.id: Judgement("other", "nothing makes it cause or consequence") for s in suspects}


def _root_and_rest(root: Suspect, suspects: Sequence[Suspect], reason: str) -> dict[int, Judgement]:
    """The root, and the judgement on everything else that was left."""
    return {s.id: Judgement("root", reason) if s is root else _beside(root, s) for s in suspects}


def _beside(root: Suspect, suspect: Suspect) -> Judgement:
    """What an event is once the root is known."""
    line, event, later = root.group.event.line, suspect.group.event, suspect.id > root.id
    if event.kind == "stall" or suspect.record_role in ("symptom", "wrapper"):
        return Judgement("symptom", f"explained by line {line}")
    if root.group.event.language == "kernel" and event.kind in ("exception", "exit", "crash"):
        return Judgement("symptom", f"explained by the kill in line {line}")
    if later and (is_failure(suspect) or (suspect.record_role == "cause" and suspect.severity in ("error", "critical"))):
        return Judgement("symptom", f"follows line {line}")
    return Judgement("other", f"line {line} comes first" if later else "before the root, and nothing links it to the failure")
