"""`2026-01-31 10:00:00,123 ERROR [main] c.e.Foo - ` — log4j and logback, with a dash before the message."""

from kb.formats import Format, Sample
from kb.formats._parts import CLOCK, DATE, LEVEL, THREAD, ZONE

FORMAT = Format(
    name="log4j",
    pattern=(
        rf"(?:\[?(?P<time>(?:{DATE}|\d\d/\d\d/\d\d)[ T]{CLOCK}{ZONE}|{CLOCK})\]?\s{{1,20}})?"
        rf"(?:{THREAD}\s{{1,20}})?\[?(?P<level>{LEVEL})\s{{0,20}}\]?\s{{1,20}}(?:{THREAD}\s{{1,20}})?"
        r"(?![\w.$]*(?:Error|Exception|\.py)\b)"
        r"(?:(?:[\w$-]+\.){0,12}[A-Z][\w$]*|(?:[\w$-]+\.){1,12}[\w$]+)(?:[:@]\d+)?"
        r"(?: ?\[[^\]\n]{0,80}\])?(?: ?\([\w$.]+:\d+\))?\s{0,20} --? "
    ),
    per="record",
    samples=(
        Sample("2026-01-31 10:00:00,123 ERROR [main] c.e.Foo - boom", "boom", (("level", "ERROR"),)),
        Sample("10:00:00.123 [main] ERROR c.e.Foo - boom", "boom", (("level", "ERROR"),)),
        Sample("[main] ERROR c.e.Foo - boom", "boom", (("level", "ERROR"),)),
        Sample("10:00:00.123 [main] ERROR c.e.Foo -- boom", "boom", (("level", "ERROR"),)),
        Sample("ERROR c.e.Foo - boom", "boom", (("level", "ERROR"),)),
    ),
    strangers=("ERROR: boom", "2026-01-31 10:00:00,123 ERROR boom is here", "[main] x", "ERROR Error - x"),
    needs=" -",
)
