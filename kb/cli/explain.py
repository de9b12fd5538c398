"""`kb explain`: why this event is the root, what lost to it and by which rule; why a record matched, or why not."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli._options import knowledge_options, open_knowledge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kb.model.report import Diagnosis, Finding
    from kb.pipeline import Pipeline

_CHARS = 100
"""Characters of a message that are shown in one row."""


@click.command()
@click.argument("log", metavar="LOG|DIR|-")
@click.argument("record", required=False)
@knowledge_options
def command(log: str, record: str | None, db: Path | None, records: tuple[Path, ...]) -> None:
    """Say how the verdict on LOG came about: the rules in their order, and for each event the rule that judged it.

    With RECORD (an id, a key or its unique end): what each of its signatures asks of each event, and whether it is there. Exit code 0,
    with RECORD 1 when it matches nothing.
    """
    from kb.errors import KbError
    from kb.pipeline import Pipeline
    from kb.text.ansi import printable

    pipeline = Pipeline(open_knowledge(db, records))
    diagnosis = pipeline.run(log)
    if record is None:
        lines = list(_verdict(diagnosis))
    else:
        found = pipeline.index.find(record)
        if len(found) != 1:
            keys = ", ".join(str(each["key"]) for each in found[:5])
            raise KbError(f"{record} names {len(found)} records" + (f" ({keys})" if keys else ""), "`kb search` finds their keys")
        lines = list(_match(pipeline, diagnosis, found[0]))
    for line in lines:
        click.echo(printable(line))
    sys.exit(int(record is not None and not any(line.lstrip().startswith("matches") for line in lines)))


def _verdict(diagnosis: "Diagnosis") -> "Iterator[str]":
    from kb.diagnose.cause import RULES

    yield f"verdict: {diagnosis.verdict}"
    yield "rules, in the order in which they judge:"
    for number, rule in enumerate(RULES, 1):
        yield f"  {number:2}. {rule.__name__}: {' '.join((rule.__doc__ or '').split())}"
    yield "events:"
    for finding in diagnosis.findings:
        yield f"  {_row(finding)}"
        yield f"      by {finding.rule}: {finding.reason}"
        for match in finding.matches:
            yield f"      {match.key} ({match.role}), {match.tier}, {match.confidence:.2f}"
            yield from (f"        line {e.line}, {e.kind}: {e.detail[:_CHARS]}" for e in match.evidence)
    if diagnosis.hint:
        yield f"hint: {diagnosis.hint.detail}"


def _match(pipeline: "Pipeline", diagnosis: "Diagnosis", record: dict[str, object]) -> "Iterator[str]":
    yield f"{record['key']}: {record['title']}"
    if not diagnosis.findings:
        yield "the log has no event that it could match"
    last = -1
    for finding, known, asked in pipeline.why(diagnosis, str(record["id"])):
        if finding.id != last:
            yield f"  {_row(finding)}"
            last = finding.id
            here = next((match for match in finding.matches if match.record == record["id"]), None)
            yield f"      matches by its {here.tier}, {here.confidence:.2f}" if here else "      does not match:"
        if here is None:
            yield f"      signature {known.id}:"
            yield from (f"        {'yes' if there else 'NO '} {sentence[: 2 * _CHARS]}" for there, sentence in asked)


def _row(finding: "Finding") -> str:
    event = finding.event
    place = f"{event.file}:{event.line}" if event.file else f"line {event.line}"
    said = " ".join(": ".join(filter(None, (event.cls, event.message))).split())
    return f"{finding.role:7} {place}  {said[:_CHARS]}"
