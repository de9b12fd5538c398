"""`2026-01-31 10:00:00,123 - name - ERROR - ` and its relatives — what Python's logging is most often told to write."""

from kb.formats import Format, Sample

_TIME = r"\[?(?P<time>\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?)\]?:?\s+"
_NAME = r"(?:[\w.<>-]+(?: - | \| |: ))?"
_LEVEL = r"[\[(]?(?P<level>DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)[\])]?"
_PLACE = r"(?:\s*(?:[-|:]\s*)?(?:\[[^\]\s]*:\d+[^\]\s]*\]|\([^)\s]*:\d+\)|[\w.<>/-]+:[\w.<>:-]*\d+))?"

FORMAT = Format(
    name="python_logging",
    pattern=rf"{_TIME}(?:- |\| )?{_NAME}{_LEVEL}{_PLACE}(?:\s+[-|] |\s*: |\s+(?=\S)|\s*$)",
    per="record",
    samples=(
        Sample("2026-01-31 10:00:00,123 - train - ERROR - loss is NaN", "loss is NaN", (("level", "ERROR"),)),
        Sample("2026-01-31 10:00:00,123 ERROR loss is NaN", "loss is NaN", (("level", "ERROR"),)),
        Sample("2026-01-31 10:00:00,123 [ERROR] loss is NaN", "loss is NaN", (("level", "ERROR"),)),
        Sample("2026-01-31 10:00:00,123 ERROR: loss is NaN", "loss is NaN", (("level", "ERROR"),)),
        Sample("[2026-01-31 10:00:00,123] [INFO] [engine.py:186:step] ready", "ready", (("level", "INFO"),)),
        Sample("2026-01-31 10:00:00.123 | ERROR    | app.main:run:41 - loss is NaN", "loss is NaN", (("level", "ERROR"),)),
    ),
    strangers=("2026-01-31 10:00:00,123 was the time", "ERROR - loss"),
)
