"""`2026-01-31 10:00:00.123  INFO 83 --- [  main] o.s.Foo : ` — Spring Boot's default layout."""

from kb.formats import Format, Sample
from kb.formats._parts import LEVEL, STAMP, THREAD

FORMAT = Format(
    name="spring",
    pattern=(
        rf"(?P<time>{STAMP})\s{{1,20}}(?P<level>{LEVEL})\s{{1,20}}(?P<pid>\d+) --- "
        rf"(?:{THREAD} ?){{1,3}}\s{{0,20}}\S+\s{{0,20}}: "
    ),
    per="record",
    samples=(
        Sample(
            "2026-01-31 10:00:00.123  INFO 83 --- [           main] o.s.b.Starter       : ready",
            "ready",
            (
                ("level", "INFO"),
                ("pid", "83"),
            ),
        ),
        Sample(
            "2026-01-31T10:00:00.123Z ERROR 83 --- [app] [  main] o.s.b.Starter : boom", "boom", (("level", "ERROR"),)
        ),
    ),
    strangers=("2026-01-31 10:00:00.123  INFO 83 - x",),
    needs=" --- ",
)
