"""Fields of JSON log records: dotted names, stack traces as text or as data, and what a cut record still tells."""

import json
import re
from collections.abc import Iterator
from typing import Any

_STACKS = {
    "exc_info",
    "exception",
    "stack_trace",
    "stacktrace",
    "stackTrace",
    "stack",
    "exc_text",
    "traceback",
    "errorVerbose",
    "backtrace",
}
_DEPTH = 3
"""Levels of nested fields that are looked into; libraries nest an error's stack at two."""
_CUT = re.compile(
    r'"(level|levelname|severity|message|msg|log|event|exc_info|exception|stack_trace|stacktrace|stack'
    r'|exc_text)"\s*:\s*"((?:[^"\\]|\\.)*)'
)


def flat(fields: dict[str, Any], prefix: str = "", depth: int = _DEPTH) -> dict[str, Any]:
    """The fields with those of nested objects under dotted names; `error` is `error.stack`'s parent, and so on."""
    found: dict[str, Any] = {}
    for key, value in fields.items():
        found[prefix + key] = value
        if isinstance(value, dict) and depth:
            found |= flat(value, f"{prefix}{key}.", depth - 1)
    return found


def stack_lines(record: dict[str, Any]) -> list[str]:
    """The lines of all stack traces of a record, each once."""
    texts: dict[str, None] = {}
    for key, value in record.items():
        if key.rpartition(".")[2] not in _STACKS:
            continue
        if isinstance(value, list) and value:
            value = "\n".join(value) if all(isinstance(part, str) for part in value) else "\n".join(_structured(value))
        if isinstance(value, str) and value.strip():
            texts[value.strip("\n")] = None
    return [line for text in texts for line in text.split("\n")]


def _structured(exceptions: list[Any]) -> Iterator[str]:
    """structlog's exceptions as data, as Python would print them: the cause first."""
    chain = [each for each in exceptions if isinstance(each, dict) and "exc_type" in each]
    for number, each in enumerate(reversed(chain)):
        if number:
            direct = chain[-number].get("is_cause")
            yield "The above exception was the direct cause of the following exception:" if direct else \
                "During handling of the above exception, another exception occurred:"  # fmt: skip
        yield "Traceback (most recent call last):"
        for frame in each.get("frames") or ():
            if isinstance(frame, dict):
                yield f'  File "{frame.get("filename")}", line {frame.get("lineno") or 0}, in {frame.get("name")}'
        yield f"{each['exc_type']}: {each.get('exc_value', '')}"


def cut_fields(text: str) -> dict[str, str]:
    """The text fields of a record that lost its end; the last one may be cut itself."""
    return {key: _unescaped(value) for key, value in _CUT.findall(text)} if text.startswith("{") else {}


def _unescaped(value: str) -> str:
    try:
        return str(json.loads(f'"{value}"', strict=False))
    except ValueError:
        return value.replace("\\n", "\n").replace('\\"', '"')
