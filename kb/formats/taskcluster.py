"""`[task 2026-01-31T10:00:00.123Z] ` — Taskcluster's docker-worker and generic-worker put it before each line of a task."""

from kb.formats import Format, Sample
from kb.formats._parts import CLOCK, DATE, ZONE

FORMAT = Format(
    name="taskcluster",
    pattern=rf"\[(?:task|fetches|vcs|cache|setup) (?P<time>{DATE}T{CLOCK}{ZONE})\](?: |$)",
    per="line",
    samples=(
        Sample("[task 2026-01-31T10:00:00.123Z] boom", "boom", (("time", "2026-01-31T10:00:00.123Z"),)),
        Sample("[vcs 2026-01-31T10:00:00.123Z] boom", "boom"),
    ),
    strangers=("[task 3] boom", "[taskcluster:error] boom"),
)
