"""The case goes through the decision table; what comes out is the verdict."""

from collections.abc import Iterable

from kb.hang.advice import NEXT, REFUTED, SECOND, UNDECIDED, WORDS
from kb.hang.case import Case, Confidence, Finding, make_case
from kb.hang.frames import bare, shown
from kb.hang.group import groups, tree
from kb.hang.ranges import order, ordered, ranges
from kb.hang.table import RULES, Rule
from kb.model.snapshot import HangVerdict, Proof, Scene

INSUFFICIENT = "insufficient_evidence"
MAX_PROOFS = 5
MAX_NAMED = 12
"""Files and process ids that a command names."""
_ASKS_FOR_RECORDERS = "FLIGHT_RECORDER_FILES"
_WEAKER: dict[Confidence, Confidence] = {"high": "medium", "medium": "low", "low": "low"}


def judge(scene: Scene, rules: Iterable[Rule] = RULES) -> HangVerdict:
    """The verdict on a scene. Order of files and ranks in it never matters."""
    case = make_case(scene)
    found = [(rule, finding) for rule in rules if (finding := rule.find(case))]
    if not found:
        return _undecided(case)
    rule, finding = found[0]
    name = finding.name or rule.name
    against = (*finding.against, *_contradictions(case, name, finding))
    sure = _WEAKER[finding.confidence] if against else finding.confidence
    others = [other.name or row.name for row, other in found[1:]]
    divergent = ordered(finding.ranks)
    return HangVerdict(
        name,
        sure,
        finding.summary,
        _ranks(case),
        case.scene.missing,
        divergent,
        shown(finding.frame) if finding.frame else None,
        groups(case),
        tree(case),
        finding.evidence[:MAX_PROOFS],
        against,
        tuple(text for text in REFUTED.get(name, ()) if not (case.flights and text.startswith("Flight recorders"))),
        _commands(case, name, finding),
        tuple(dict.fromkeys(other for other in others if other != name)),
        _known_by(case),
    )


def _ranks(case: Case) -> tuple[str, ...]:
    return ordered(stand.rank for stand in case.stands if order(stand.rank)[0] == 0) or ordered(stand.rank for stand in case.stands)


def _known_by(case: Case) -> str:
    """How ranks are known, most common way first."""
    ways: dict[str, list[str]] = {}
    for stand in case.stands:
        ways.setdefault(stand.snapshot.known_by or "order", []).append(stand.rank)
    said = sorted(ways.items(), key=lambda item: (-len(item[1]), item[0]))
    return "; ".join(f"{ranges(ranks, 4)} by {way}" if len(ways) > 1 else f"by {way}" for way, ranks in said)


def _contradictions(case: Case, name: str, finding: Finding) -> list[Proof]:
    """Evidence that speaks against a verdict: a rank that is said to stand still and moved, or one called blocked that runs."""
    if name in ("slow_not_hung", "busy_rank_never_reaches_sync", "gil_contention", "crash_not_hang", "collective_mismatch"):
        return []
    found = []
    for stand in case.stands:
        if stand.rank in finding.ranks and stand.moved and stand.telling:
            found.append(Proof(f"rank {stand.rank} moved between its {stand.samples} dumps", stand.telling.file, stand.telling.line))
    return found[:2]


def _commands(case: Case, name: str, finding: Finding) -> tuple[str, ...]:
    pids = _pids(case, finding)
    frame = bare(finding.frame.function) if finding.frame else "FUNCTION"
    values = {"pids": " ".join(pids), "pid": pids[0], "function": frame, "files": " ".join(_files(case))}
    commands = [command.format_map(values) for command in NEXT.get(name, ()) if not (case.flights and _ASKS_FOR_RECORDERS in command)]
    judged = [stand for stand in case.alive if stand.snapshot.stacks]
    if judged and all(stand.samples < 2 for stand in judged) and name not in ("slow_not_hung", "rank_stopped", "uninterruptible_wait"):
        commands.append(SECOND.format_map(values))
    if case.scene.missing and name not in ("rendezvous_missing_rank", "peer_dead"):
        commands.append(f"kb capture PID   # of rank {ranges(case.scene.missing)}, of which there is nothing here")
    return tuple(commands)


def _pids(case: Case, finding: Finding) -> list[str]:
    known = {stand.rank: str(stand.snapshot.pid) for stand in case.stands if stand.snapshot.pid}
    pids = [known[rank] for rank in finding.ranks if rank in known] or list(known.values())[:1]
    return pids[:MAX_NAMED] or ["PID"]


def _files(case: Case) -> list[str]:
    return list(dict.fromkeys(note.file for note in case.notes))[:MAX_NAMED] or ["LOG"]


def _undecided(case: Case) -> HangVerdict:
    """Nothing was proved: what there is, what the tools complained of, and what would decide."""
    troubles = [*case.scene.troubles, *(trouble for stand in case.stands for trouble in stand.snapshot.troubles)]
    advice = [WORDS[trouble.kind] for trouble in troubles if trouble.kind in WORDS]
    headers = [(stand, stack) for stand in case.stands for stack in stand.snapshot.stacks if not stack.threads]
    proofs = [Proof(trouble.text[:200], trouble.file, trouble.line) for trouble in troubles[:3]]
    proofs += [
        Proof(f"rank {stand.rank}: a heading and no thread: the dump hung or was cut", stack.file, stack.line)
        for stand, stack in headers[:2]
    ]
    if troubles and not case.alive:
        summary = f"the tool could not take a dump: {troubles[0].kind}"
    elif not case.stands:
        summary = "no stack, trace, flight record or telling log line was recognised"
    elif not case.alive:
        summary = "there is no stack to look at"
    else:
        summary = "what is there fits no row of the decision table"
    return HangVerdict(
        INSUFFICIENT,
        "low",
        summary,
        _ranks(case),
        case.scene.missing,
        groups=groups(case),
        tree=tree(case),
        evidence=tuple(proofs),
        next=tuple(dict.fromkeys((*advice, *UNDECIDED))),
        known_by=_known_by(case),
    )
