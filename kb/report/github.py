"""Annotations for GitHub Actions as workflow commands, and the outputs of a step."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import PurePosixPath

from kb.model.event import Event
from kb.model.report import Diagnosis, Finding, Verdict
from kb.report import Style
from kb.report._finding import ROW_CHARS
from kb.report._record import first_advice, title_of
from kb.report._story import headline, look, main_findings
from kb.report._visible import one_line, powerless, visible
from kb.report._words import confidence_words, many, rank_words, user_frame, what, where_words
from kb.settings import ANNOTATION_CHARS, ANNOTATIONS

TITLE_CHARS = 120
"""Characters of an annotation's title: GitHub shows it on one line."""

MESSAGE_CHARS = 2000
"""Characters of the program's own message in an annotation, so that there is room for what is known about it."""

_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}
_WORST_FIRST: tuple[Verdict, ...] = ("root-cause", "hang", "symptom-only", "clean")


class _GitHub:
    name = "github"

    def render(self, diagnoses: Sequence[Diagnosis], style: Style) -> str:
        """At most `ANNOTATIONS` annotations, roots first, then a plain line for each run. Nothing of a log commands."""
        found = [("error", diagnosis, finding) for diagnosis in diagnoses for finding in main_findings(diagnosis)]
        found += [("warning", diagnosis, finding) for diagnosis in diagnoses for finding in _consequences(diagnosis)]
        commands = [_annotation(*one) for one in found[:ANNOTATIONS]]
        notes = [": ".join((block.label, *block.items)) for block in map(headline, diagnoses)]
        if len(found) > ANNOTATIONS:
            notes.append(f"{many(len(found) - ANNOTATIONS, 'more error')} without an annotation: see the step summary")
        return "".join(f"{line}\n" for line in (*commands, *map(powerless, notes)))


RENDERER = _GitHub()


def outputs(diagnoses: Sequence[Diagnosis]) -> dict[str, str]:
    """The outputs of a step, one line each: worst `verdict`, first `root` or nothing, whether any is `known`."""
    verdicts = {diagnosis.verdict for diagnosis in diagnoses}
    roots = [finding for diagnosis in diagnoses for finding in main_findings(diagnosis) if finding.role == "root"]
    return {
        "verdict": next((verdict for verdict in _WORST_FIRST if verdict in verdicts), "clean"),
        "root": one_line(what(roots[0].event), ROW_CHARS) if roots else "",
        "known": "true" if any(diagnosis.known for diagnosis in diagnoses) else "false",
    }


def render_outputs(values: Mapping[str, str], delimiter: str) -> str:
    """The text to append to `$GITHUB_OUTPUT`; `delimiter` is a random word and grows until no value holds it."""
    while any(delimiter in value for value in values.values()):
        delimiter += "_"
    return "".join(f"{name}<<{delimiter}\n{value}\n{delimiter}\n" for name, value in values.items())


def annotation_text(diagnosis: Diagnosis, finding: Finding) -> str:
    """What an annotation says: the message, where and who, the record and its first advice."""
    said = visible(what(finding.event))
    facts = ", ".join(filter(None, (where_words(finding), rank_words(finding.ranks, diagnosis.ranks))))
    parts = [said if len(said) <= MESSAGE_CHARS else f"{said[:MESSAGE_CHARS]}...", one_line(facts, ROW_CHARS)]
    if finding.matches:
        best = finding.matches[0]
        parts += [f"{title_of(best, diagnosis.records)} ({one_line(best.key, ROW_CHARS)}): {confidence_words(best)}"]
        parts += filter(None, [first_advice(best, diagnosis.records)])
    else:
        parts.append("No known record.")
    if (hint := look(diagnosis)) and finding in main_findings(diagnosis):
        parts.append(": ".join((hint.label, *hint.items)))
    return "\n".join(parts)


def escape_data(text: str, limit: int) -> str:
    """`text` as the message of a workflow command: at most `limit` units of UTF-16, never cut inside of an escape.

    Dots stand for what was cut; `limit` must leave room for them.
    """
    whole = [_DATA.get(char, char) for char in text]
    if sum(map(_units, whole)) <= limit:
        return "".join(whole)
    ends = accumulate(map(_units, whole))
    return "".join(piece for piece, end in zip(whole, ends, strict=True) if end <= limit - 3) + "..."


def escape_property(text: str) -> str:
    """`text` as the value of a property of a workflow command."""
    return "".join(_PROPERTY.get(char, char) for char in text)


def source_place(event: Event) -> dict[str, str]:
    """`file` and `line` of the user's innermost frame, where its path is relative and stays in the checkout."""
    frame = user_frame(event)
    if frame is None or visible(frame.file) != frame.file:
        return {}
    path = PurePosixPath(frame.file.replace("\\", "/"))
    if not path.parts or path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
        return {}
    return {"file": str(path)} | ({"line": str(frame.line)} if frame.line is not None else {})


def _annotation(level: str, diagnosis: Diagnosis, finding: Finding) -> str:
    event, role = finding.event, "Root cause" if finding.role == "root" else "Consequence"
    named = title_of(finding.matches[0], diagnosis.records) if finding.matches else event.cls or event.kind
    properties = {"title": one_line(f"{role}: {named}", TITLE_CHARS), **source_place(event)}
    listed = ",".join(f"{name}={escape_property(value)}" for name, value in properties.items())
    return f"::{level} {listed}::{escape_data(annotation_text(diagnosis, finding), ANNOTATION_CHARS)}"


def _consequences(diagnosis: Diagnosis) -> list[Finding]:
    told = {finding.id for finding in main_findings(diagnosis)}
    return [finding for finding in diagnosis.findings if finding.role == "symptom" and finding.id not in told]


def _units(text: str) -> int:
    """The length of `text` as GitHub counts it, in UTF-16."""
    return len(text) + sum(char > "\uffff" for char in text)
