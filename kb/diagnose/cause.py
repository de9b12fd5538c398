"""Which event caused the failure: rules in a fixed order, each a function that rests on a named observation.

A rule looks at the suspects that no earlier rule has judged and gives roles with reasons. Order alone is not enough: of runs with two
errors and a decidable root the first error is right in 63 %, the last one in 35 %.
"""

from collections.abc import Sequence
from dataclasses import replace

from kb.diagnose.consequences import (
    announcements_lose,
    chains_begin_with_the_cause,
    clean_up_errors_lose,
    cut_tracebacks_lose,
    known_symptoms_lose,
    plain_exits_lose,
    recovered_errors_lose,
    stalls_are_symptoms,
    wrappers_lose,
)  # fmt: skip
from kb.diagnose.roots import (
    failed_tests_are_roots,
    fatal_exits_are_roots,
    first_real_error_wins,
    kernel_kills_win,
    lagging_ranks_are_roots,
    lone_error_lines_are_roots,
    separate_programs_fail_separately,
    the_rest_is_other,
)  # fmt: skip
from kb.diagnose.suspect import Judgement, Rule, Suspect

RULES: tuple[Rule, ...] = (
    recovered_errors_lose, lagging_ranks_are_roots, known_symptoms_lose, clean_up_errors_lose, wrappers_lose, announcements_lose,
    plain_exits_lose, cut_tracebacks_lose, stalls_are_symptoms, chains_begin_with_the_cause, kernel_kills_win, failed_tests_are_roots,
    separate_programs_fail_separately, first_real_error_wins, fatal_exits_are_roots, lone_error_lines_are_roots, the_rest_is_other,
)  # fmt: skip
"""The rules in the order in which they judge."""


def judge(suspects: Sequence[Suspect]) -> dict[int, Judgement]:
    """The role of every suspect."""
    judged: dict[int, Judgement] = {}
    for rule in RULES:
        fresh = rule([suspect for suspect in suspects if suspect.id not in judged])
        judged |= {number: replace(judgement, rule=rule.__name__) for number, judgement in fresh.items()}
    return judged
