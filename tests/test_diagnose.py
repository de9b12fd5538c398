"""Each rule of the diagnosis on the smallest case that shows it."""

from dataclasses import replace

import pytest

from kb.diagnose.cause import RULES, judge
from kb.diagnose.elastic import rank_ends
from kb.diagnose.fold import Group, fold_equal, natural
from kb.diagnose.suspect import Suspect
from kb.diagnose.verdict import diagnose
from kb.model.event import Event, Frame, Link
from kb.model.match import Match


def error(line: int, cls: str = "ValueError", message: str = "bad", **rest: object) -> Event:
    return Event("exception", message, line, (line, line), cls, "python", **rest)  # type: ignore[arg-type]


def ended(line: int, status: int, **rest: object) -> Event:
    return Event("exit", f"exit {status}", line, (line, line), exit_status=status, **rest)  # type: ignore[arg-type]


def known(role: str) -> tuple[Match, ...]:
    return (Match("0" * 16, f"x/{role}", role, "template", 0.9),)


def suspects(*events: Event | tuple[Event, str]) -> list[Suspect]:
    found = []
    for number, item in enumerate(events):
        event, role = item if isinstance(item, tuple) else (item, "")
        group = fold_equal([event])[0]
        found.append(Suspect(number, group, known(role) if role else ()))
    return found


def roles(*events: Event | tuple[Event, str]) -> list[str]:
    judged = judge(suspects(*events))
    return [judged[number].role for number in range(len(events))]


@pytest.mark.parametrize(("events", "wanted"), [
    ([error(1), error(9, "KeyError")], ["root", "symptom"]),
    ([(error(1), "symptom"), error(9)], ["symptom", "root"]),
    ([(error(1), "symptom")], ["symptom"]),
    ([(error(1), "wrapper"), error(9)], ["symptom", "root"]),
    ([(error(1), "wrapper")], ["symptom"]),
    ([(error(1, message="lost: signal 9 (SIGKILL)"), "wrapper")], ["root"]),
    ([ended(3, -9), (error(9, message="lost: signal 9 (SIGKILL)"), "wrapper")], ["root", "symptom"]),
    ([error(1), ended(9, -9)], ["root", "symptom"]),
    ([ended(1, -9), error(9)], ["root", "symptom"]),
    ([ended(1, 1)], ["symptom"]),
    ([ended(1, 127)], ["root"]),
    ([ended(1, -15), error(9)], ["symptom", "root"]),
    ([error(1), ended(9, -9, language="kernel")], ["symptom", "root"]),
    ([error(1, complete=False)], ["symptom"]),
    ([error(1), error(5, "B", causes=(Link(1, "direct"),))], ["root", "symptom"]),
    ([error(1, "KeyError"), error(5, "B", causes=(Link(1, "context"),))], ["other", "root"]),
    ([(error(1, "KeyError"), "cause"), error(5, "B", causes=(Link(1, "context"),))], ["root", "symptom"]),
    ([error(1), error(5, "E", header="Exception ignored in: <function f>")], ["root", "other"]),
    ([error(1, header="--- Logging error ---"), error(5, "E")], ["other", "root"]),
    ([Event("error", "disk full", 3, (3, 3))], ["root"]),
    ([Event("error", "disk full", 3, (3, 3)), error(9)], ["other", "root"]),
    ([Event("error", "ready", 3, (3, 3), plain=True)], ["other"]),
])  # fmt: skip
def test_roles(events: list, wanted: list[str]) -> None:
    assert roles(*events) == wanted


def test_every_rule_says_what_it_rests_on() -> None:
    assert all(rule.__doc__ for rule in RULES)


def test_every_suspect_gets_a_role_and_a_reason() -> None:
    judged = judge(suspects(error(1), ended(2, 1), (error(3), "symptom"), Event("error", "x", 4, (4, 4), plain=True)))
    assert sorted(judged) == [0, 1, 2, 3] and all(j.reason for j in judged.values())


def test_equal_events_fold_over_ranks() -> None:
    events = [error(9 * n, message=f"no rows in shard {n}", rank=str(n), stream=f"rank{n}") for n in (3, 1, 10)]
    (group,) = fold_equal(events)
    assert (group.event.line, sorted(group.lines), natural(group.ranks)) == (9, [9, 27, 90], ("1", "3", "10"))


def test_another_raise_site_is_another_event() -> None:
    one, two = (error(n, frames=(Frame(f"/srv/{name}.py", 3, "f"),)) for n, name in ((1, "a"), (2, "b")))
    assert len(fold_equal([one, two])) == 2 and len(fold_equal([one, replace(one, line=5, span=(5, 5))])) == 1


def peers(*ranks: str) -> Suspect:
    event = error(10, "RuntimeError", "timed out", rank=ranks[0])
    return Suspect(0, Group(event, list(range(10, 10 + len(ranks))), list(ranks), [f"rank{rank}" for rank in ranks]), known("symptom"))


def test_the_silent_rank_is_named() -> None:
    outcome = diagnose([peers("0", "1", "3")], ["0", "1", "2", "3"])
    assert outcome.verdict == "symptom-only" and outcome.hint is not None
    assert outcome.hint.ranks == ("2",) and "printed no error of its own" in outcome.hint.detail


def test_the_odd_rank_is_named_with_its_own_error() -> None:
    own = Suspect(1, Group(error(40, "OSError", rank="2"), [40], ["2"], ["rank2"]), known("symptom"))
    outcome = diagnose([peers("0", "1", "3"), own], ["0", "1", "2", "3"])
    assert outcome.hint is not None and outcome.hint.ranks == ("2",) and "(line 40) comes later" in outcome.hint.detail


def test_without_ranks_the_hint_says_where_else_to_look() -> None:
    outcome = diagnose(suspects((error(7), "symptom")))
    assert outcome.hint is not None and outcome.hint.ranks == () and "line 7" in outcome.hint.detail


def test_nothing_is_clean() -> None:
    outcome = diagnose([])
    assert (outcome.verdict, outcome.roots, outcome.hint) == ("clean", (), None)


def test_root_and_consequence_are_linked() -> None:
    outcome = diagnose(suspects(error(1), (error(5, "B"), "symptom")))
    assert outcome.findings[0].cause_of == (1,) and outcome.findings[1].caused_by == (0,)


def test_a_failure_block_tells_how_each_rank_ended() -> None:
    block = "x FAILED\n[1]:\n  rank      : 4 (local_rank: 0)\n  exitcode  : -15 (pid: 77)\n"
    (end,) = rank_ends(block)
    assert (end.rank, end.status, end.pid) == ("4", -15, 77)


def test_a_rank_that_just_ended_is_named() -> None:
    victim = Suspect(0, Group(error(22, "RuntimeError", "closed by peer", rank="3"), [22], ["3"], ["rank3"]), known("symptom"))
    launcher = Suspect(1, Group(ended(26, 7, rank="0"), [26], ["0"], [""]), known("symptom"))
    outcome = diagnose([victim, launcher], ["0", "3"])
    assert outcome.verdict == "symptom-only" and outcome.hint is not None
    assert outcome.hint.ranks == ("0",) and "exit code 7 (line 26)" in outcome.hint.detail
