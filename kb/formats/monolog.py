"""`[2026-01-31 10:00:00] production.ERROR: ` — Monolog, thus Laravel and Symfony."""

from kb.formats import Format, Sample
from kb.formats._parts import LEVEL, STAMP

FORMAT = Format(
    name="monolog",
    pattern=rf"\[(?P<time>{STAMP})\] [\w-]+\.(?P<level>{LEVEL}): ",
    per="record",
    samples=(
        Sample("[2026-01-31 10:00:00] production.ERROR: boom", "boom", (("level", "ERROR"),)),
        Sample("[2026-01-31T10:00:00.123456+00:00] app.INFO: ok [] []", "ok [] []"),
    ),
    strangers=("[2026-01-31 10:00:00] production: x",),
)
