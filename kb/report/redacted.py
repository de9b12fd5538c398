"""A diagnosis that can be shown to others: secrets out of everything that came from the log."""

from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from kb.model.report import Diagnosis
from kb.text.redact import redact

T = TypeVar("T")


def redacted(diagnosis: Diagnosis) -> Diagnosis:
    """The same diagnosis with each text that the log gave redacted; what comes from records stays."""
    return replace(
        diagnosis,
        input=_clean(diagnosis.input),
        findings=_clean(diagnosis.findings),
        hint=_clean(diagnosis.hint),
        hang=_clean(diagnosis.hang),
    )


def _clean(value: T) -> T:
    """A value with every text inside it redacted."""
    if isinstance(value, str):
        return redact(value)  # type: ignore[return-value]
    if isinstance(value, tuple):
        return tuple(map(_clean, value))  # type: ignore[return-value]
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{each.name: _clean(getattr(value, each.name)) for each in fields(value)})
    return value
