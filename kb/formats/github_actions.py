"""`2026-01-31T10:00:00.1234567Z ` — GitHub Actions puts it on each line of a job's log."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="github_actions",
    pattern=r"\ufeff?(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z)(?: |$)",
    per="line",
    samples=(
        Sample(
            "2026-01-31T10:00:00.1234567Z ##[group]Run make",
            "##[group]Run make",
            (("time", "2026-01-31T10:00:00.1234567Z"),),
        ),
        Sample("2026-01-31T10:00:00.1234567Z", "", ()),
        Sample("\ufeff2026-01-31T10:00:00.1234567Z Run", "Run", ()),
    ),
    strangers=("2026-01-31T10:00:00.123Z x", "at 2026-01-31T10:00:00.1234567Z"),
    needs="Z",
)
