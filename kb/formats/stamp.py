"""`2026-01-31T10:00:00.123Z `, `[10:00:00] `, `10:00:00  ` — a time alone: CI servers, `docker logs -t`, Go."""

from kb.formats import Format, Sample
from kb.formats._parts import CLOCK, DATE, DAY, MONTH, ZONE

FORMAT = Format(
    name="stamp",
    pattern=(
        rf"(?:\[(?:(?P<time>(?:{DATE}[ T_])?{CLOCK}{ZONE})|{DAY} {MONTH} "
        rf"[ \d]\d {CLOCK} \d{{4}}|\d\d-{MONTH}-\d{{4}} {CLOCK}{ZONE})\]"
        rf"|{DATE}[ T_]{CLOCK}{ZONE}|{CLOCK} )(?::? (?:[\w/-]+\.go:\d+: )?|$)"
    ),
    per="line",
    samples=(
        Sample("2026-01-31T10:00:00.123Z boom", "boom"),
        Sample("[2026-01-31T10:00:00.123Z] boom", "boom", (("time", "2026-01-31T10:00:00.123Z"),)),
        Sample("[10:00:00] boom", "boom", (("time", "10:00:00"),)),
        Sample("10:00:00  boom", "boom"),
        Sample("2026/01/31 10:00:00 app.go:12: boom", "boom"),
        Sample("2026-01-31 10:00:00", ""),
        Sample("[31-Jan-2026 10:00:00 UTC] PHP Fatal error:  x", "PHP Fatal error:  x"),
    ),
    strangers=("2026-01-31 is a date", "[2026-01-31] notes", "10:00:00 GET /slots"),
)
