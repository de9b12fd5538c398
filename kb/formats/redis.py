"""`1:M 15 Jan 2026 10:00:00.804 * ` — the Redis server's log."""

from kb.formats import Format, Sample
from kb.formats._parts import CLOCK, MONTH

FORMAT = Format(
    name="redis",
    pattern=rf"(?P<pid>\d+):[MSCX] (?P<time>\d\d {MONTH} \d{{4}} {CLOCK}) [.\-*#] ",
    per="record",
    samples=(
        Sample(
            "1:M 15 Jan 2026 10:00:00.804 * Ready to accept connections tcp",
            "Ready to accept connections tcp",
            (("pid", "1"),),
        ),
    ),
    strangers=("1:M x",),
)
