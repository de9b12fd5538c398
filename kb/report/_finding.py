"""What a report says of one event."""

from collections.abc import Iterator

from kb.model.event import Event
from kb.model.report import Diagnosis, Finding
from kb.report._blocks import Block
from kb.report._record import brief_record, same_record, title_of, whole_record
from kb.report._visible import one_line, visible
from kb.report._words import exit_words, frame_words, many, place, raise_site, rank_words, user_frame, what, where_words

QUOTED_LINES = 12
"""Lines of a message that are quoted unless verbose."""

QUOTED_CHARS = 1200
"""Characters of a message that are quoted unless verbose: fifteen full lines."""

RANK_CHARS = 24
"""Characters of ranks on one line; with more, their number says more than their names."""

ROW_CHARS = 300
"""Characters of an error on one line: a terminal shows fewer, a browser as many."""


def whole_finding(diagnosis: Diagnosis, finding: Finding, verbose: bool, seen: set[str]) -> Iterator[Block]:
    """One event with its best record. `seen` holds the records told so far, and is added to."""
    yield quote(finding.event, verbose)
    for label, text in _facts(diagnosis, finding):
        yield Block("fact", label, (one_line(text, ROW_CHARS),))
    if not finding.matches:
        yield Block("known", "No known record", (_unknown(diagnosis, finding),))
        return
    best, *others = finding.matches
    if best.record in seen:
        yield same_record(best, diagnosis.records)
        return
    seen.add(best.record)
    yield from whole_record(best, diagnosis.records, verbose)
    sure = f"{best.confidence:.2f}"  # as it is shown
    equal = [match for match in others if f"{match.confidence:.2f}" == sure and match.record != best.record]
    for match in equal[:1]:
        yield from brief_record(match, diagnosis.records)


def quote(event: Event, verbose: bool) -> Block:
    """What the program said. The label says what was cut, and is empty where nothing was."""
    lines = visible(what(event)).strip("\n").split("\n")
    shown = lines if verbose else "\n".join(lines[:QUOTED_LINES])[:QUOTED_CHARS].split("\n")
    lost = len("\n".join(lines)) - len("\n".join(shown))
    cut = f"{many(lost, 'more character')} of {many(len(lines), 'line')} in all, -v shows them" if lost else ""
    return Block("quote", cut, tuple(shown))


def row(diagnosis: Diagnosis, finding: Finding) -> tuple[str, str, str, str]:
    """One event in four cells: how often, which ranks, where, and the title of its record or what was said."""
    event = finding.event
    ranks = rank_words(finding.ranks)
    return (
        f"{finding.count}x" if finding.count > 1 else "",
        ranks if len(ranks) <= RANK_CHARS else many(len(finding.ranks), "rank"),
        one_line(place(event, ""), ROW_CHARS) if event.file else f"line {event.line}",
        title_of(finding.matches[0], diagnosis.records) if finding.matches else one_line(what(event), ROW_CHARS),
    )


def _facts(diagnosis: Diagnosis, finding: Finding) -> Iterator[tuple[str, str]]:
    event, site, user = finding.event, raise_site(finding.event), user_frame(finding.event)
    yield "where", where_words(finding)
    if finding.ranks:
        yield "who", rank_words(finding.ranks, diagnosis.ranks)
    if (ended := exit_words(event)) and ended != what(event):
        yield "end", ended
    if site:
        yield "raised", f"in {frame_words(site)}"
    if user and user is not site:
        yield "called", f"from {frame_words(user)}"
    if finding.reason:
        yield "because", finding.reason


def _unknown(diagnosis: Diagnosis, finding: Finding) -> str:
    """What to do where no record helps."""
    site = user_frame(finding.event) or raise_site(finding.event)
    start = f"at {one_line(frame_words(site), ROW_CHARS)}" if site else f"at line {finding.event.span[0]} of the log"
    return f"none of {many(diagnosis.knowledge.records, 'record')} describes this error; start reading {start}"
