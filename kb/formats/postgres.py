"""`2026-01-31 10:00:00.123 UTC [27] ERROR:  ` — PostgreSQL's server log."""

from kb.formats import Format, Sample
from kb.formats._parts import STAMP

FORMAT = Format(
    name="postgres",
    pattern=(
        rf"(?P<time>{STAMP}) \[(?P<pid>\d+)\](?: [^\s@]{{1,64}}@\S{{1,64}})? (?P<level>LOG|ERROR|FATAL|PANIC|WARNING"
        rf"|NOTICE|DETAIL|HINT|STATEMENT|CONTEXT|QUERY|LOCATION|INFO|DEBUG\d?):  "
    ),
    per="record",
    samples=(
        Sample(
            "2026-01-31 10:00:00.123 UTC [27] LOG:  checkpoint starting: time",
            "checkpoint starting: time",
            (
                ("level", "LOG"),
                ("pid", "27"),
            ),
        ),
        Sample(
            "2026-01-31 10:00:00.123 UTC [27] app@shop ERROR:  no such table", "no such table", (("level", "ERROR"),)
        ),
    ),
    strangers=("2026-01-31 10:00:00.123 UTC [27] x",),
    needs=":  ",
)
