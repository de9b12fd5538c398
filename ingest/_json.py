"""JSON documents and JSON Lines, told apart by content, each value with its place. No input makes it raise."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.ingest import Refusal


@dataclass(frozen=True, slots=True)
class Value:
    """One value and where it stands: a line, an item of the file's list as `[3]`, or None for the whole file."""

    place: int | str | None
    value: Any


@dataclass(frozen=True, slots=True)
class _Broken:
    """Why a text is no JSON, and its line where the parser tells it."""

    line: int | None
    sentence: str


def json_values(file: Path, text: str) -> Iterator[Value | Refusal]:
    """The values of a text: the items of a list, the lines of JSON Lines, or the one value that it is.

    A text is JSON Lines when it is no document but a line of it is an object.
    """
    whole = _parse(text)
    if not text.strip():
        yield Refusal(file, None, ("is empty",))
    elif isinstance(whole, Value):
        yield from _items(whole)
    elif text.lstrip().startswith("{") and any(_is_object(row) for _, row in _rows(text)):
        for number, row in _rows(text):
            outcome = _parse(row, number)
            yield outcome if isinstance(outcome, Value) else Refusal(file, number, (outcome.sentence,))
    else:
        yield Refusal(file, whole.line, (whole.sentence,))


def _items(whole: Value) -> Iterator[Value]:
    if isinstance(whole.value, list):
        yield from (Value(f"[{number}]", item) for number, item in enumerate(whole.value))
    else:
        yield whole


def _rows(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers; only a line feed ends one, as JSON Lines has it."""
    begin, number = 0, 0
    while begin < len(text):
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        number += 1
        if row := text[begin:end].strip():
            yield number, row
        begin = end + 1


def _is_object(row: str) -> bool:
    outcome = _parse(row) if row.startswith("{") else None
    return isinstance(outcome, Value) and isinstance(outcome.value, dict)


def _parse(text: str, place: int | None = None) -> Value | _Broken:
    try:
        return Value(place, json.loads(text, parse_constant=_no_constant))
    except json.JSONDecodeError as error:
        return _Broken(error.lineno, f"is no JSON: {error.msg} at column {error.colno}")
    except ValueError as error:  # a number of too many digits, or no number
        return _Broken(None, f"is no JSON: {error}")
    except RecursionError:
        return _Broken(None, "is nested too deep to be read")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number that JSON knows")
