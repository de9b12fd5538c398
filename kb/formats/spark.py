"""`26/01/31 10:00:00 ERROR Executor: ` — Spark's and Hadoop's layouts of log4j, with a colon before the message."""

from kb.formats import Format, Sample
from kb.formats._parts import CLOCK, DATE, LEVEL, THREAD, ZONE

FORMAT = Format(
    name="spark",
    pattern=(
        rf"\[?(?P<time>(?:{DATE}|\d\d/\d\d/\d\d)[ T]{CLOCK}{ZONE})\]?\s{{1,20}}(?P<level>{LEVEL})\s{{1,20}}"
        rf"(?:{THREAD}\s{{1,20}})?(?![\w.$]*(?:Error|Exception)\b)"
        r"(?:(?:org|com|io|net|java|akka|\w)\.(?:[\w$-]+\.){0,12})?[A-Z][\w$]*(?: \([\w$.]+:[\w()$]+\(\d+\)\) -)?: "
    ),
    per="record",
    samples=(
        Sample("26/01/31 10:00:00 INFO TaskSetManager: Finished task", "Finished task", (("level", "INFO"),)),
        Sample("2026-01-31 10:00:00,123 WARN org.apache.hadoop.Foo: slow", "slow", (("level", "WARN"),)),
        Sample("2026-01-31 10:00:00,123 ERROR [main] o.a.Foo: boom", "boom", (("level", "ERROR"),)),
    ),
    strangers=("26/01/31 10:00:00 ERROR IOError: x", "2026-01-31 10:00:00 ERROR app.errors.Timeout: x", "WARN Foo: x"),
    needs=": ",
)
