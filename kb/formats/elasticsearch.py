"""`[2026-01-31T10:00:00,123][ERROR][o.e.b.Bootstrap ] [node-1] ` — Elasticsearch's and OpenSearch's layout."""

from kb.formats import Format, Sample
from kb.formats._parts import LEVEL, STAMP

FORMAT = Format(
    name="elasticsearch",
    pattern=rf"\[(?P<time>{STAMP})\]\[(?P<level>{LEVEL})\s{{0,20}}\]\[[^\]\n]{{1,80}}\] ?(?:\[[^\]\n]{{1,80}}\] ?)?",
    per="record",
    samples=(
        Sample(
            "[2026-01-31T10:00:00,123][ERROR][o.e.b.Bootstrap          ] [node-1] boom", "boom", (("level", "ERROR"),)
        ),
    ),
    strangers=("[2026-01-31T10:00:00,123][x] y",),
    needs="][",
)
