"""JSON for pipes: the same documents as `json`, one on a line."""

from collections.abc import Sequence

from kb.model.report import Diagnosis
from kb.report import Style
from kb.report.json import document, encode


class _JsonLines:
    name = "jsonl"

    def render(self, diagnoses: Sequence[Diagnosis], style: Style) -> str:
        """One compact line for each run."""
        return "".join(encode(document(diagnosis)) + "\n" for diagnosis in diagnoses)


RENDERER = _JsonLines()
