"""`_bk;t=1769853600000` — Buildkite's time stamps, where the paste lost the escape that hides them."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="buildkite_time",
    pattern=r"_bk;t=(?P<time>\d{10,16})\x07?",
    per="line",
    samples=(
        Sample("_bk;t=1769853600123\x07make: done", "make: done", (("time", "1769853600123"),)),
        Sample("_bk;t=1769853600123", ""),
    ),
    strangers=("_bk;x", "bk;t=1769853600123"),
    needs="_bk;t=",
)
