"""`E, [2026-01-31T10:00:00.123456 #1234] ERROR -- : ` — Ruby's Logger."""

from kb.formats import Format, Sample
from kb.formats._parts import LEVEL, STAMP

FORMAT = Format(
    name="ruby",
    pattern=rf"[DIWEFA], \[(?P<time>{STAMP}) #(?P<pid>\d+)\]\s{{1,20}}(?P<level>{LEVEL}|ANY) -- [^:\n]{{0,80}}: ",
    per="record",
    samples=(
        Sample(
            "E, [2026-01-31T10:00:00.123456 #1234] ERROR -- : boom",
            "boom",
            (
                ("level", "ERROR"),
                ("pid", "1234"),
            ),
        ),
    ),
    strangers=("E, x",),
    needs=" -- ",
)
