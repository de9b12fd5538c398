"""`[2026-01-31 10:00:00 TP0] ` — sglang's logger: time and places in parallel groups; its head may be cut."""

from kb.formats import Format, Sample
from kb.formats._parts import LEVEL

_GROUP = r"(?:DP|TP|PP|EP|CP|ATTN_TP|ATTN_CP|MOE_EP|MOE_TP)\d+"

FORMAT = Format(
    name="sglang",
    pattern=rf"(?:\[(?P<time>\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?)|[\d-]{{0,9}} ?[\d:.]{{0,14}}(?= [A-Z]))"
    rf"(?: (?P<rank>{_GROUP}(?: {_GROUP}){{0,5}}))?\] (?!\[|{LEVEL}\b)",
    per="record",
    samples=(
        Sample(
            "[2026-01-31 10:00:00 TP0] Load weight begin.",
            "Load weight begin.",
            (("time", "2026-01-31 10:00:00"), ("rank", "TP0")),
        ),
        Sample("[2026-01-31 10:00:00.123] server_args=…", "server_args=…", (("time", "2026-01-31 10:00:00.123"),)),
        Sample("[2026-01-31 10:00:00 DP1 TP3 EP3] ready", "ready", (("rank", "DP1 TP3 EP3"),)),
        Sample("-31 10:00:00.123 DP0 TP1] boom", "boom", (("rank", "DP0 TP1"),)),
        Sample("31 10:00:00 TP1] boom", "boom", ()),
        Sample(" TP1] boom", "boom", ()),
    ),
    strangers=(
        "[2026-01-31 10:00:00] WARNING a.py:3: x",
        "[2026-01-31] notes",
        "2026-01-31 10:00:00 TP0 x",
        "x TP0] y",
    ),
    needs="] ",
)
