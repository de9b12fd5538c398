"""`[2026-01-31 10:00:00,123: ERROR/ForkPoolWorker-3] ` — Celery's worker log."""

from kb.formats import Format, Sample
from kb.formats._parts import LEVEL, STAMP

FORMAT = Format(
    name="celery",
    pattern=rf"\[(?P<time>{STAMP}): (?P<level>{LEVEL})/(?P<source>[^\]\n]{{1,80}})\] (?:[\w.]+\[[0-9a-f-]{{36}}\]: )?",
    per="record",
    samples=(
        Sample(
            "[2026-01-31 10:00:00,123: ERROR/MainProcess] boom",
            "boom",
            (
                ("level", "ERROR"),
                ("source", "MainProcess"),
            ),
        ),
    ),
    strangers=("[2026-01-31 10:00:00,123: x] y",),
    needs="/",
)
