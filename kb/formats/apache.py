"""`[Sat Jan 31 10:00:00.123456 2026] [wsgi:error] [pid 12:tid 34] [remote 10.0.0.1:44] ` — Apache's error log."""

from kb.formats import Format, Sample
from kb.formats._parts import DAY, MONTH

FORMAT = Format(
    name="apache",
    pattern=(
        rf"\[(?P<time>{DAY} {MONTH} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? \d{{4}})\] \[(?:[\w-]*:)?(?P<level>\w*)\] "
        r"(?:\[pid (?P<pid>\d+)(?::tid \d+)?\] )?(?:\[(?:remote|client) (?P<source>[^\]\n]+)\] ?)?"
    ),
    per="line",
    samples=(
        Sample(
            "[Sat Jan 31 10:00:00.123456 2026] [wsgi:error] [pid 12:tid 3456] [remote 10.0.0.1:44] boom",
            "boom",
            (
                ("level", "error"),
                ("pid", "12"),
                ("source", "10.0.0.1:44"),
            ),
        ),
        Sample("[Sat Jan 31 10:00:00 2026] [error] boom", "boom", (("level", "error"),)),
    ),
    strangers=("[Sat Jan 31] x", "[Sat Jan 31 10:00:00 2026] x"),
)
