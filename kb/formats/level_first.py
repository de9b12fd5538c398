"""`ERROR 2026-01-31 10:00:00,123 app.py:41 -- ` — the level, then the time: Ray Serve, and many a small logger."""

from kb.formats import Format, Sample
from kb.formats._parts import LEVEL, STAMP

FORMAT = Format(
    name="level_first",
    pattern=(
        rf"\[?(?P<level>{LEVEL})\]?:?\s{{1,8}}[\[(]?(?P<time>{STAMP})[\])]?"
        r"(?:(?: [^\s-]{1,100}){1,3} --| [\w./-]+:\d+\]?| \[[\w.:-]{1,80}\])?(?: -|:)?(?: |$)"
    ),
    per="record",
    samples=(
        Sample("ERROR 2026-01-31 10:00:00,123 app.py:41 -- boom", "boom", (("level", "ERROR"),)),
        Sample("[INFO] 2026-01-31 10:00:00 - ready", "ready", (("level", "INFO"),)),
        Sample("WARNING: 2026-01-31T10:00:00Z slow", "slow", (("level", "WARNING"),)),
    ),
    strangers=("ERROR 01-31 10:00:00 x", "ERROR at 2026-01-31 10:00:00"),
)
