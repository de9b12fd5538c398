"""`[2026-01-31 10:00:00 +0000] [72619] [ERROR] ` — gunicorn's own log."""

from kb.formats import Format, Sample
from kb.formats._parts import LEVEL, STAMP

FORMAT = Format(
    name="gunicorn",
    pattern=rf"\[(?P<time>{STAMP})\] \[(?P<pid>\d+)\] \[(?P<level>{LEVEL})\] ",
    per="record",
    samples=(
        Sample(
            "[2026-01-31 10:00:00 +0000] [72619] [ERROR] Worker (pid:7) was sent SIGKILL!",
            "Worker (pid:7) was sent SIGKILL!",
            (
                ("pid", "72619"),
                ("level", "ERROR"),
            ),
        ),
    ),
    strangers=("[2026-01-31 10:00:00 +0000] [x] [ERROR] y",),
)
