"""`2026-01-31T10:00:00.123456789Z stderr F ` — container runtimes; after `P` the next line continues."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="cri",
    pattern=(
        r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) std(?:out|err) (?:F|(?P<more>P))"
        r"(?::\S*)?(?: |$)"
    ),
    per="line",
    samples=(
        Sample("2026-01-31T10:00:00.123456789Z stdout F ready", "ready", (("time", "2026-01-31T10:00:00.123456789Z"),)),
        Sample("2026-01-31T10:00:00.123456789+00:00 stderr P a very lo", "a very lo", (("more", "P"),)),
        Sample("2026-01-31T10:00:00.123456789Z stderr F", ""),
    ),
    strangers=("2026-01-31T10:00:00.123456789Z stdout ready", "2026-01-31T10:00:00Z F x"),
    needs=" std",
)
