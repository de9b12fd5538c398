"""`2026-01-31T10:00:00.123456Z 01O ` — GitLab's job logs: time, stream number, O or E, `+` where a line goes on."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="gitlab",
    pattern=r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) [0-9a-f]{2}[OE](?:\+| |$) ?",
    per="line",
    samples=(
        Sample(
            "2026-01-31T10:00:00.123456Z 00O Running with gitlab-runner 17",
            "Running with gitlab-runner 17",
            (("time", "2026-01-31T10:00:00.123456Z"),),
        ),
        Sample("2026-01-31T10:00:00.123456Z 01E+ at the end", "at the end"),
        Sample("2026-01-31T10:00:00.123456Z 01O", ""),
    ),
    strangers=("2026-01-31T10:00:00.123456Z 01 x", "2026-01-31T10:00:00Z 01O x"),
    needs="Z 0",
)
