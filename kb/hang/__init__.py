"""Why a job hangs: facts of `kb.evidence` -> scene -> case -> verdict.

    scene = assemble(facts)
    verdict = judge(scene)

`from_log` answers from log lines alone, for `kb match`.
"""

from collections.abc import Iterable

from kb.model.snapshot import Fact, HangVerdict, Note

TELLING = frozenset({"timeout", "stuck", "dump", "desync", "no gil", "barrier", "horovod"})
"""Kinds of log lines in which a watcher says that something stands still."""


def diagnose_hang(facts: Iterable[Fact]) -> HangVerdict:
    """The verdict on all facts, whatever their order."""
    from kb.hang.assemble import assemble
    from kb.hang.verdict import judge

    return judge(assemble(facts))


def from_log(notes: Iterable[Note]) -> HangVerdict | None:
    """The verdict that a log's own watchers allow; None where it holds no word of a watchdog, heartbeat monitor or desync report.

    `notes` are what `kb.evidence.collective_log.notes_of(lines)` makes of the peeled lines (`kb.model.event.Line`) of one run, all ranks
    together. The answer may be `insufficient_evidence`: then the log ends in a hang of which it does not say why. A caller says
    "hang" only where no root cause was found that happened before the first of these lines (`verdict.evidence` names them).
    """
    kept = list(notes)
    return diagnose_hang(kept) if any(note.kind in TELLING for note in kept) else None
