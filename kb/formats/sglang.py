"""`[2026-01-31 10:00:00 TP0] ` — sglang's logger: time and the ranks of the process in its parallel groups."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="sglang",
    pattern=r"\[(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?)(?P<source>(?: (?:DP|TP|PP|EP|CP|ATTN_TP|MOE_EP)\d+)*)\] ",
    per="record",
    samples=(
        Sample("[2026-01-31 10:00:00 TP0] Load weight begin.", "Load weight begin.", (("time", "2026-01-31 10:00:00"), ("source", " TP0"))),
        Sample("[2026-01-31 10:00:00.123] server_args=…", "server_args=…", (("time", "2026-01-31 10:00:00.123"), ("source", ""))),
        Sample("[2026-01-31 10:00:00 DP1 TP3 EP3] ready", "ready", (("source", " DP1 TP3 EP3"),)),
    ),
    strangers=("[2026-01-31] notes", "2026-01-31 10:00:00 TP0 x"),
)
