"""The verdict on a run: roles, links between cause and consequence, and where to look when the log does not tell."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kb.diagnose.cause import judge
from kb.diagnose.elastic import rank_ends
from kb.diagnose.fold import natural
from kb.diagnose.suspect import Judgement, Suspect
from kb.model.match import Fired
from kb.model.report import Finding, Hint, Verdict

_SHARD = re.compile(r"^(?:TP|PP|DP)(?=\d+$)")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What `diagnose` finds."""

    verdict: Verdict
    roots: tuple[int, ...]
    findings: tuple[Finding, ...]
    fired: tuple[Fired, ...]
    hint: Hint | None
    ranks: tuple[str, ...]


def diagnose(suspects: Sequence[Suspect], ranks: Iterable[str] = ()) -> Outcome:
    """The verdict on distinct events (in the order of the log) with their matches; `ranks` are all that the log mentions."""
    judgements = judge(suspects)
    roots = tuple(s.id for s in suspects if judgements[s.id].role == "root")
    symptoms = tuple(s.id for s in suspects if judgements[s.id].role == "symptom")
    verdict: Verdict = "root-cause" if roots else "symptom-only" if symptoms else "clean"
    findings = tuple(_finding(s, judgements, roots, symptoms, suspects) for s in suspects)
    every_rank = natural([*ranks, *(rank for s in suspects for rank in _ranks_of(s))])
    hint = _hint([f for f in findings if f.role == "root"], [f for f in findings if f.role == "symptom"], findings, every_rank)
    return Outcome(verdict, roots, findings, _fired(findings), hint, every_rank)


def _ranks_of(suspect: Suspect) -> list[str]:
    return [*suspect.group.ranks, *(end.rank for end in rank_ends(suspect.group.event.message))]


def _finding(suspect: Suspect, judgements: Mapping[int, Judgement], roots: Sequence[int], symptoms: Sequence[int],
             suspects: Sequence[Suspect]) -> Finding:  # fmt: skip
    group, judgement = suspect.group, judgements[suspect.id]
    printed = _printed_causes(suspect, suspects)
    caused_by = printed or (tuple(roots) if judgement.role == "symptom" else ())
    cause_of = tuple(other.id for other in suspects if suspect.id in _printed_causes(other, suspects))
    if judgement.role == "root":
        cause_of = tuple(sorted({*cause_of, *(i for i in symptoms if not _printed_causes(suspects[i], suspects))}))
    return Finding(suspect.id, judgement.role, group.event, len(group.lines), tuple(sorted(group.lines)), natural(group.ranks),
                   tuple(dict.fromkeys(group.streams)), cause_of, caused_by, suspect.matches, judgement.reason, judgement.rule)  # fmt: skip


def _printed_causes(suspect: Suspect, suspects: Sequence[Suspect]) -> tuple[int, ...]:
    """The findings that the log itself names as the cause."""
    wanted = {(file, line) for file, _, line in suspect.group.links}
    if not wanted:
        return ()
    return tuple(s.id for s in suspects if s is not suspect and any((s.group.event.file, line) in wanted for line in s.group.lines))


def _fired(findings: Sequence[Finding]) -> tuple[Fired, ...]:
    """Every record that matched, the surest first; a line goes to the best record of its event."""
    found: dict[tuple[str, str | None], Fired] = {}
    order: dict[tuple[str, str | None], tuple[float, int]] = {}
    for finding in findings:
        for place, match in enumerate(finding.matches):
            key = (match.record, finding.event.file)
            lines = found[key].lines if key in found else ()
            found[key] = Fired(match.record, match.key, match.tier, tuple(sorted({*lines, *finding.lines})), finding.event.file)
            order[key] = min(order.get(key, (9.0, 9)), (-match.confidence + place, place))
    return tuple(sorted(found.values(), key=lambda fired: (order[fired.record, fired.file], fired.key)))


def _hint(roots: Sequence[Finding], symptoms: Sequence[Finding], findings: Sequence[Finding], ranks: Sequence[str]) -> Hint | None:
    """Which rank to look at: the one that does not show what the others show."""
    if roots and any(root.ranks for root in roots):
        return None
    told = max((s for s in symptoms if len(s.ranks) > 1), key=lambda s: len(s.ranks), default=None)
    silent = _silent(told, ranks) if told else ()
    if told and silent and len(silent) < len(told.ranks):
        return Hint(_why_look_there(silent, told, findings), silent)
    if roots or not symptoms:
        return None
    if (ended := _ended_first(symptoms)) is not None:
        how = f"it ended with exit code {ended.event.exit_status} (line {ended.event.line}) and printed no error of its own"
        return Hint(f"{how}; the others only tell that a peer was gone or that they were stopped.", (str(ended.event.rank),))
    first = symptoms[0]
    return Hint(f"what happened before line {first.event.line}, the logs of the other processes, and how these ended (exit codes, dmesg): "
                "this log holds only consequences.")  # fmt: skip


def _ended_first(symptoms: Sequence[Finding]) -> Finding | None:
    """The end of a rank that no error of that rank explains, as its launcher tells it."""
    explained = {rank for s in symptoms if s.event.kind != "exit" for rank in s.ranks}
    ends = (s for s in symptoms if s.event.kind == "exit" and s.event.rank is not None and (s.event.exit_status or 0) > 0)
    return next((end for end in ends if end.event.rank not in explained), None)


def _silent(told: Finding, ranks: Sequence[str]) -> tuple[str, ...]:
    """The ranks that do not tell what the others tell. Some writers call rank 2 `TP2`: where a plain number is known, that is meant."""
    plain = all(rank.isdigit() for rank in told.ranks)
    names = (_SHARD.sub("", rank) if plain else rank for rank in ranks)
    return tuple(rank for rank in dict.fromkeys(names) if rank not in told.ranks and rank.isdigit() == plain)


def _why_look_there(silent: Sequence[str], told: Finding, findings: Sequence[Finding]) -> str:
    one = len(silent) == 1
    parts = [
        f"{'it is the only one' if one else 'they are the only ones'} without the error of line {told.event.line} that all others show"
    ]
    own = next((f for f in findings if f.event.rank in silent and f.event.exit_status is None), None)
    stopped = [end for f in findings for end in rank_ends(f.event.message) if end.rank in silent]
    if own:
        parts.append(f"{'its' if one else 'their'} own error (line {own.event.line}) comes "
                     f"{'later' if own.event.line > told.event.line else 'earlier'}")  # fmt: skip
    else:
        parts.append("it printed no error of its own" if one else "they printed no error of their own")
    if stopped and stopped[0].status < 0:
        parts.append(f"{'it was' if one else 'they were'} stopped by signal {-stopped[0].status}")
    return f"{', '.join(parts[:-1])}, and {parts[-1]}."
