"""`2026-01-31 10:00:00,123 - name - ERROR - ` and its relatives — what Python's logging is most often told to write."""

from kb.formats import Format, Sample
from kb.formats._parts import CLOCK, DATE, LEVEL, ZONE

_TIME = rf"\[?(?P<time>(?:{DATE}[ T])?{CLOCK}{ZONE})\]?:?\s{{1,20}}"
_FIELD = r"(?:\[[\w.:/ -]{1,80}\] |[\w.<>/-]{1,100}+(?: - | \| |: ))"
_LEVEL = rf"[\[(]?(?P<level>{LEVEL})\s{{0,5}}[\])]?"
_RANK = r"(?:\s{0,20}\[[Rr]ank:? ?(?P<rank>\d+)\])?"
_PLACE = (
    r"(?:\s{0,20}(?:[-|:]\s{0,20})?(?:\[[^\]\s]*:\d+[^\]\s]*\]|\([^)\s]*:\d+\)|[A-Za-z_<>/][\w.<>/-]*:[\w.<>:-]*\d+)"
    r"|\s{1,20}[-|] (?:__\w+__|\w+(?:\.\w+)+)(?= [-|] ))?"
)

FORMAT = Format(
    name="python_logging",
    pattern=(
        rf"{_TIME}(?:- |\| )?{_FIELD}{{0,3}}{_LEVEL}{_PLACE}{_RANK}(?:\s{{1,20}}(?:[-|]|--) |\s{{0,20}}: |\]? "
        rf"(?=\s{{0,20}}\S)|\s{{0,20}}$)"
    ),
    per="record",
    samples=(
        Sample("2026-01-31 10:00:00,123 - train - ERROR - loss is NaN", "loss is NaN", (("level", "ERROR"),)),
        Sample("2026-01-31 10:00:00,123 ERROR loss is NaN", "loss is NaN", (("level", "ERROR"),)),
        Sample("2026-01-31 10:00:00,123 [ERROR] loss is NaN", "loss is NaN", (("level", "ERROR"),)),
        Sample("2026-01-31 10:00:00,123 ERROR: loss is NaN", "loss is NaN", (("level", "ERROR"),)),
        Sample("[2026-01-31 10:00:00,123] [INFO] [engine.py:186:step] ready", "ready", (("level", "INFO"),)),
        Sample(
            "[2026-01-31 10:00:00,123] [INFO] [utils.py:81:log] [Rank 2] ready",
            "ready",
            (("level", "INFO"), ("rank", "2")),
        ),
        Sample(
            "2026-01-31 10:00:00.123 | ERROR    | app.main:run:41 - loss is NaN", "loss is NaN", (("level", "ERROR"),)
        ),
        Sample("01/31/2026 10:00:00 - ERROR - __main__ - loss is NaN", "loss is NaN", (("level", "ERROR"),)),
        Sample("2026-01-31 10:00:00 | ERROR | app.main | loss is NaN", "loss is NaN", (("level", "ERROR"),)),
        Sample("2026-01-31 10:00:00,123\tERROR worker.py:41 -- loss is NaN", "loss is NaN", (("level", "ERROR"),)),
        Sample("10:00:00 - INFO - ready", "ready", (("level", "INFO"),)),
        Sample(
            '2026-01-31 10:00:00 [ERROR]   File "a.py", line 1, in f',
            '  File "a.py", line 1, in f',
            (("level", "ERROR"),),
        ),
    ),
    strangers=("2026-01-31 10:00:00,123 was the time", "ERROR - loss"),
)
