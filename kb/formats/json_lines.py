"""`{"level": "error", "msg": "…", "exc_info": "…"}` — JSON records: structlog, zap, pino, bunyan, ECS, GCP.

The message and every stack trace become lines; numbers of severity (pino's and bunyan's) get their names.
"""

import json
from typing import Any

from kb.formats import Decoded, Format, Sample
from kb.formats._records import cut_fields, flat, stack_lines

_LEVEL = ("level", "levelname", "severity", "lvl", "log.level", "level_name", "loglevel", "log_level")
_TIME = ("time", "timestamp", "ts", "@timestamp", "asctime", "datetime")
_RANK = ("rank", "global_rank")
_PID = ("pid", "process", "process_id", "process.pid")
_SOURCE = (
    "pod",
    "pod_name",
    "kubernetes.pod_name",
    "kubernetes.pod.name",
    "resource.labels.pod_name",
    "container",
    "container_name",
)
_MARKS = {*_LEVEL, *_TIME, "stream", "logger", "name", "hostname", "exc_info", "stack_trace"}
_TEXT = (
    "message",
    "msg",
    "log",
    "textPayload",
    "event",
    "body",
    "short_message",
    "jsonPayload.message",
    "fields.message",
    "text",
)
_ERROR = ("error", "err", "reason", "error.message", "err.message", "jsonPayload.error", "fields.error")
_NUMBERS = {"10": "TRACE", "20": "DEBUG", "30": "INFO", "40": "WARN", "50": "ERROR", "60": "FATAL"}


def _decode(text: str) -> Decoded | None:
    """What a record says; None for JSON that is data and no record."""
    try:
        fields, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        fields, end = cut_fields(text), len(text)
    if not isinstance(fields, dict) or text[end:].strip(" \t,") or len(fields) < 2:
        return None
    record = flat(fields)
    message, stack = _first(record, _TEXT), stack_lines(record)
    if (not message and not stack) or not record.keys() & _MARKS:
        return None
    return Decoded((*_message_lines(message, _error(record), stack), *stack), tuple(_says(record)))


def _message_lines(message: str, error: str, stack: list[str]) -> list[str]:
    """The message with the error behind it, as Go programs join them; an error that the stack tells again is left to
    that.
    """
    if error and error not in message and not any(error in line for line in stack):
        message = f"{message}: {error}" if message else error
    return message.rstrip("\n").split("\n") if message else []


def _error(record: dict[str, Any]) -> str:
    error, kind = _first(record, _ERROR), _first(record, ("error.type", "err.type", "error.name"))
    return f"{kind}: {error}" if kind and error else error


def _says(record: dict[str, Any]) -> list[tuple[str, str]]:
    level = _first(record, _LEVEL)
    said = {
        "level": _NUMBERS.get(level, level),
        "time": _first(record, _TIME),
        "rank": _first(record, _RANK),
        "pid": _first(record, _PID),
        "source": _first(record, _SOURCE),
    }
    if not said["pid"].isdecimal():
        del said["pid"]
    return [(name, value) for name, value in said.items() if value]


def _first(record: dict[str, Any], keys: tuple[str, ...]) -> str:
    """The first of the fields that is text or a number."""
    values = (record.get(key) for key in keys)
    return next(
        (
            str(value)
            for value in values
            if isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""
        ),
        "",
    )


FORMAT = Format(
    name="json_lines",
    pattern=r'(?=\{\s{0,8}")',
    per="record",
    samples=(
        Sample(
            '{"level": "error", "msg": "no rows", "error": "timed out"}', "no rows: timed out", (("level", "error"),)
        ),
        Sample(
            '{"level":50,"time":1769853600000,"pid":7,"msg":"boom","err":{"stack":"Error: x\\n    at f (a.js:1:2)"}}',
            "boom\nError: x\n    at f (a.js:1:2)",
            (("level", "ERROR"), ("pid", "7")),
        ),
        Sample(
            '{"severity": "ERROR", "message": "boom", "exc_info": "Traceback\\nKeyError: 1", "rank": 3}',
            "boom\nTraceback\nKeyError: 1",
            (("rank", "3"),),
        ),
    ),
    strangers=("{'level': 1}", "{ x"),
    needs='"',
    decode=_decode,
)
