"""A hang verdict for programs: one document, as the contract has it."""

from typing import Any

from kb.model.snapshot import HangVerdict, Proof
from kb.report import Style
from kb.report.json import encode

SCHEMA_VERSION = 1


class _HangJson:
    name = "json"

    def render(self, verdict: HangVerdict, style: Style) -> str:
        """One indented document."""
        return encode(document(verdict), indent=1) + "\n"


HANG_RENDERER = _HangJson()


def document(verdict: HangVerdict) -> dict[str, Any]:
    """The verdict as the value that the contract describes, its keys in the contract's order, then what we add."""
    return {
        "schema_version": SCHEMA_VERSION,
        "class": verdict.name,
        "confidence": verdict.confidence,
        "ranks": list(verdict.ranks),
        "missing_ranks": list(verdict.missing_ranks),
        "divergent_ranks": list(verdict.divergent_ranks),
        "divergent_frame": verdict.divergent_frame,
        "groups": [{"ranks": list(g.ranks), "frames": list(g.frames), "waits_on": g.waits_on} for g in verdict.groups],
        "evidence": [_proof(proof) for proof in verdict.evidence],
        "refuted_by": list(verdict.refuted_by),
        "next": list(verdict.next),
        "records": list(verdict.records),
        "summary": verdict.summary,
        "against": [_proof(proof) for proof in verdict.against],
        "alternatives": list(verdict.alternatives),
        "ranks_known_by": verdict.known_by,
        "files": verdict.files,
        "skipped": list(verdict.skipped),
        "known": dict(zip(verdict.records, verdict.known, strict=True)),
    }


def _proof(proof: Proof) -> dict[str, Any]:
    return {"detail": proof.detail, "file": proof.file, "line": proof.line}
