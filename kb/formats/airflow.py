"""`[2026-01-31T10:00:00.123+0000] {taskinstance.py:12} ERROR - ` — Airflow's task log."""

from kb.formats import Format, Sample
from kb.formats._parts import CLOCK, DATE, LEVEL, ZONE

FORMAT = Format(
    name="airflow",
    pattern=rf"\[(?P<time>{DATE},? ?T?{CLOCK}{ZONE})\] \{{[^}}\n]{{1,200}}\}} (?P<level>{LEVEL}) - ",
    per="record",
    samples=(
        Sample(
            "[2026-01-31T10:00:00.123+0000] {taskinstance.py:12} ERROR - Task failed",
            "Task failed",
            (("level", "ERROR"),),
        ),
        Sample("[2026-01-31, 10:00:00 UTC] {a.py:12} ERROR - boom", "boom", (("level", "ERROR"),)),
        Sample("[2026-01-31 10:00:00,123] {bash.py:63} INFO - ok", "ok", (("level", "INFO"),)),
    ),
    strangers=("[2026-01-31T10:00:00.123+0000] {a.py:1} x",),
    needs="} ",
)
