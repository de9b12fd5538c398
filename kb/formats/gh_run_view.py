"""`build\tRun make\t2026-01-31T10:00:00.1234567Z ` — `gh run view --log` puts job and step before each line."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="gh_run_view",
    pattern=r"(?P<source>[^\t]{1,200}\t[^\t]{1,200})\t(?=\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)",
    per="line",
    samples=(
        Sample(
            "build\tRun make\t2026-01-31T10:00:00.1234567Z cc -c a.c",
            "2026-01-31T10:00:00.1234567Z cc -c a.c",
            (("source", "build\tRun make"),),
        ),
        Sample(
            "Unit tests (3.12)\tUNKNOWN STEP\t\ufeff2026-01-31T10:00:00.1234567Z x",
            "\ufeff2026-01-31T10:00:00.1234567Z x",
            (("source", "Unit tests (3.12)\tUNKNOWN STEP"),),
        ),
        Sample(
            "3.12\tTest\t2026-01-31T10:00:00.1234567Z x", "2026-01-31T10:00:00.1234567Z x", (("source", "3.12\tTest"),)
        ),
    ),
    strangers=("a\tb\tc", "2026-01-31T10:00:00.1234567Z a\tb"),
    needs="\t",
)
