"""JSON for programs: one document for each run, as the contract has it."""

import json
import re
from collections.abc import Sequence
from typing import Any

from kb import __version__
from kb.model.event import Frame
from kb.model.match import Fired, Match
from kb.model.report import Diagnosis, Finding, Input
from kb.report import Style
from kb.report._visible import encodable

SCHEMA_VERSION = 1

DECIMALS = 3
"""Of a confidence: more would pretend to know more."""

_UNFIT = re.compile(
    "[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]|#(?=#(?:\\[|vso\\[|teamcity\\[))"
)


class _Json:
    name = "json"

    def render(self, diagnoses: Sequence[Diagnosis], style: Style) -> str:
        """One indented document after the other."""
        return "".join(encode(document(diagnosis), indent=1) + "\n" for diagnosis in diagnoses)


RENDERER = _Json()


def document(diagnosis: Diagnosis) -> dict[str, Any]:
    """One diagnosis as the value that the contract describes, its keys in the contract's order."""
    knowledge, hint = diagnosis.knowledge, diagnosis.hint
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "faultbook", "version": __version__, "confidence": "heuristic"},
        "input": _input(diagnosis.input),
        "knowledge": {"db": knowledge.db, "records": knowledge.records, "generation": knowledge.generation},
        "verdict": diagnosis.verdict,
        "roots": list(diagnosis.roots),
        "events": [_event(finding) for finding in diagnosis.findings],
        "fired": [_fired(fired) for fired in diagnosis.fired],
        "hang": _hang(diagnosis),
        "skipped": dict(sorted(diagnosis.skipped.items())),
        "hint": {"detail": hint.detail, "ranks": list(hint.ranks)} if hint else None,
        "records": {name: dict(record) for name, record in sorted(diagnosis.records.items())},
    }


def _hang(diagnosis: Diagnosis) -> dict[str, Any] | None:
    if diagnosis.hang is None:
        return None
    from kb.report import hang_json

    return hang_json.document(diagnosis.hang)


def encode(value: object, indent: int | None = None) -> str:
    """`value` as JSON: on one line without `indent`, readable by every parser, harmless to terminals and CI runners.

    What steers or hides is escaped and reads back equal. A lone surrogate, which no UTF-8 holds, becomes text: `\\xNN`
    for its byte.
    """
    separators = (",", ": ") if indent else (",", ":")
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)
    return _UNFIT.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    shown = encodable(found[0])
    return f"\\u{ord(shown):04x}" if shown == found[0] else f"\\{shown}"


def _input(given: Input) -> dict[str, Any]:
    out: dict[str, Any] = {"path": given.path, "bytes": given.bytes, "lines": given.lines, "truncated": given.truncated}
    if given.files:
        out["files"] = list(given.files)
    if given.unread:
        out["unread"] = [{"file": file, "reason": reason} for file, reason in given.unread]
    return out


def _event(finding: Finding) -> dict[str, Any]:
    event, lines = finding.event, finding.lines or (finding.event.line,)
    return {
        "id": finding.id, "role": finding.role, "kind": event.kind, "language": event.language,
        "class": event.cls, "message": event.message,
        "file": event.file, "line": event.line, "span": list(event.span),
        "count": finding.count, "first": min(lines), "last": max(lines),
        "ranks": list(finding.ranks), "streams": list(finding.streams), "lines": list(lines),
        "frames": [_frame(frame) for frame in event.frames],
        "cause_of": list(finding.cause_of), "caused_by": list(finding.caused_by),
        "matches": [_match(match) for match in finding.matches],
        "reason": finding.reason, "exit_status": event.exit_status, "complete": event.complete,
    }  # fmt: skip


def _frame(frame: Frame) -> dict[str, Any]:
    out = {"file": frame.file, "line": frame.line, "function": frame.function, "code": frame.code}
    return {**out, "runtime": True} if frame.runtime else out


def _match(match: Match) -> dict[str, Any]:
    return {
        "record": match.record,
        "key": match.key,
        "tier": match.tier,
        "confidence": round(match.confidence, DECIMALS),
        "captures": dict(match.captures),
        "evidence": [{"kind": one.kind, "detail": one.detail, "line": one.line} for one in match.evidence],
    }


def _fired(fired: Fired) -> dict[str, Any]:
    out = {"record": fired.record, "key": fired.key, "lines": list(fired.lines), "tier": fired.tier}
    return {**out, "file": fired.file} if fired.file else out
