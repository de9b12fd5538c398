"""`[INFO|trainer.py:12] 2026-01-31 10:00:00,123 >> ` — the transformers library's own handler."""

from kb.formats import Format, Sample
from kb.formats._parts import LEVEL, STAMP

FORMAT = Format(
    name="hf_transformers",
    pattern=rf"\[(?P<level>{LEVEL})\|[\w./-]+:\d+\](?: (?P<time>{STAMP}))? >> ",
    per="record",
    samples=(
        Sample("[WARNING|trainer.py:12] 2026-01-31 10:00:00,123 >> slow", "slow", (("level", "WARNING"),)),
        Sample("[INFO|a.py:1] >> x", "x"),
    ),
    strangers=("[INFO|x] y",),
    needs=" >> ",
)
