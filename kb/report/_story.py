"""What a report tells, in its order: verdict, where to look, roots and records, consequences, the rest, small print."""

from collections.abc import Iterator, Sequence

from kb.model.report import Diagnosis, Finding
from kb.report._blocks import Block
from kb.report._finding import ROW_CHARS, row, whole_finding
from kb.report._visible import one_line
from kb.report._words import many, path_of, place, rank_words

FULL_ROOTS = 5
"""Independent failures that are told in full; of twenty failing tests nobody reads twenty pages."""

LISTED = 10
"""Lines of a list that are shown unless verbose."""

_HEADLINES = {"root-cause": "ROOT CAUSE", "symptom-only": "SYMPTOM ONLY", "clean": "CLEAN", "hang": "HANG"}
_SKIPPED = {
    "fuzzy_events": ("Not compared by wording, the budget was used up", "error"),
    "long_lines": ("Cut because they were too long", "line"),
    "grammar_budget": ("Searches for errors cut short, as too many had come to nothing", "time"),
}


def story(diagnosis: Diagnosis, verbose: bool) -> Iterator[Block]:
    """The blocks of one report, the most important first. All text in them is visible."""
    told = main_findings(diagnosis)
    yield headline(diagnosis)
    if hint := look(diagnosis):
        yield hint
    seen: set[str] = set()
    for finding in told[:FULL_ROOTS]:
        yield from whole_finding(diagnosis, finding, verbose, seen)
    ids = {finding.id for finding in told}
    rest = [finding for finding in diagnosis.findings if finding.id not in ids]
    yield from _events("More failures", diagnosis, told[FULL_ROOTS:], verbose)
    yield from _events("Consequences", diagnosis, [finding for finding in rest if finding.role == "symptom"], verbose)
    yield from _events("Other errors", diagnosis, [finding for finding in rest if finding.role != "symptom"], verbose)
    yield from _recognised(diagnosis, verbose)
    yield from _notes(diagnosis)


def headline(diagnosis: Diagnosis) -> Block:
    """The verdict in one sentence."""
    path, told = one_line(path_of(diagnosis), ROW_CHARS), main_findings(diagnosis)
    match diagnosis.verdict:
        case "root-cause" if len(told) == 1:
            at = one_line(place(told[0].event, path), ROW_CHARS)
            text = ", ".join(filter(None, (rank_words(told[0].ranks), at)))
        case "root-cause":
            text = f"{len(told)} independent failures in {path}"
        case "symptom-only":
            text = f"{path} shows only consequences, not the cause"
        case "hang":
            text = f"the job in {path} stopped moving on"
        case "clean":
            text = f"no failure found in {path} ({_read(diagnosis)}; {_knowledge(diagnosis)})"
    return Block("headline", _HEADLINES[diagnosis.verdict], (text,))


def look(diagnosis: Diagnosis) -> Block | None:
    """Where to look, if anything says so."""
    if diagnosis.hint is None:
        return None
    ranks = rank_words(diagnosis.hint.ranks)
    return Block("look", f"Look at {ranks}" if ranks else "Look further", (one_line(diagnosis.hint.detail, ROW_CHARS),))


def main_findings(diagnosis: Diagnosis) -> list[Finding]:
    """What the report is about: the roots, else the symptom that is known best."""
    by_id = {finding.id: finding for finding in diagnosis.findings}
    roots = [by_id[number] for number in diagnosis.roots if number in by_id]
    if roots or diagnosis.verdict == "clean":
        return roots
    symptoms = [finding for finding in diagnosis.findings if finding.role == "symptom"]
    return sorted(symptoms, key=lambda finding: -max((match.confidence for match in finding.matches), default=0))[:1]


def _events(label: str, diagnosis: Diagnosis, findings: Sequence[Finding], verbose: bool) -> Iterator[Block]:
    """One line for each event, the columns aligned."""
    rows = [row(diagnosis, finding) for finding in (findings if verbose else findings[:LISTED])]
    columns = [
        [cell.ljust(max(map(len, column))) for cell in column] for column in zip(*rows, strict=True) if any(column)
    ]
    yield from _list(label, ["  ".join(cells).rstrip() for cells in zip(*columns, strict=True)], len(findings))


def _recognised(diagnosis: Diagnosis, verbose: bool) -> Iterator[Block]:
    """Records that matched no event, only other lines."""
    told = {match.record for finding in diagnosis.findings for match in finding.matches}
    fired = [one for one in diagnosis.fired if one.record not in told]
    lines = []
    for one in fired if verbose else fired[:LISTED]:
        title = diagnosis.records.get(one.record, {}).get("title")
        named = f"{title} ({one.key})" if title else one.key
        lines.append(f"line {min(one.lines, default='?')}  {one_line(named, ROW_CHARS)}")
    yield from _list("Also recognised", lines, len(fired))


def _list(label: str, lines: list[str], total: int) -> Iterator[Block]:
    if lines:
        more = [f"and {total - len(lines)} more, -v lists them"] if total > len(lines) else []
        yield Block("rows", f"{label} ({total})", (*lines, *more))


def _notes(diagnosis: Diagnosis) -> Iterator[Block]:
    if diagnosis.input.truncated:
        yield Block("note", "", ("The log begins or ends in the middle: the cause may lie outside of it.",))
    if unread := diagnosis.input.unread:
        first = one_line(f"{unread[0][0]} ({unread[0][1]})", ROW_CHARS)
        yield Block("note", "", (f"Left out of the run: {many(len(unread), 'file')}, the first is {first}.",))
    for name, number in sorted(diagnosis.skipped.items()):
        if number:
            words, noun = _SKIPPED.get(name) or (f"Skipped, {one_line(name, ROW_CHARS)}", "time")
            yield Block("note", "", (f"{words}: {many(number, noun)}.",))
    if diagnosis.verdict != "clean":
        yield Block("note", "", (f"{_knowledge(diagnosis)}; {_read(diagnosis)}",))


def _knowledge(diagnosis: Diagnosis) -> str:
    known = diagnosis.knowledge
    return f"knowledge: {many(known.records, 'record')}, generation {one_line(known.generation, 40) or 'unknown'}"


def _read(diagnosis: Diagnosis) -> str:
    return f"{many(diagnosis.input.lines, 'line')} read"
