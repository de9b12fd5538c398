"""`10:00:00.123 [error] ` — Elixir, Serilog, structlog's console, MySQL, nginx: a time, a level in brackets."""

from kb.formats import Format, Sample
from kb.formats._parts import CLOCK, DATE, ZONE

_LEVEL = (
    r"(?:trace|debug|info|notice|note|warn|warning|err|error|crit|critical|fatal|alert|emerg"
    r"|TRC|VRB|DBG|INF|WRN|ERR|FTL|Note|Warning|Error|System)"
)

FORMAT = Format(
    name="bracket_level",
    pattern=(
        rf"\[?(?P<time>(?:{DATE}[ T])?{CLOCK}{ZONE}) (?:\[?(?P<level>{_LEVEL})\s{{0,20}}\]) ?"
        r"(?:(?P<pid>\d+)#\d+: (?:\*\d+ )?)?"
    ),
    per="record",
    samples=(
        Sample("10:00:00.123 [error] boom", "boom", (("level", "error"),)),
        Sample("[10:00:00 ERR] boom", "boom", (("level", "ERR"),)),
        Sample("2026-01-31 10:00:00.123 +00:00 [ERR] boom", "boom", (("level", "ERR"),)),
        Sample("2026-01-31T10:00:00Z [error    ] boom", "boom", (("level", "error"),)),
        Sample(
            "2026/01/31 10:00:00 [error] 31#31: *1 connect() failed",
            "connect() failed",
            (
                ("level", "error"),
                ("pid", "31"),
            ),
        ),
    ),
    strangers=("10:00:00 [errors] x", "10:00:00 error x"),
)
