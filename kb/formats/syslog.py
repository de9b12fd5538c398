"""`Jan 31 10:00:00 node1 prog[12]: ` — syslog and journald, short, short-precise and short-iso, and RFC 5424."""

from kb.formats import Format, Sample
from kb.formats._parts import DATE, MONTH

FORMAT = Format(
    name="syslog",
    pattern=(
        rf"(?:<\d{{1,3}}>1? ?)?(?:{MONTH} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?|{DATE}T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|"
        rf"[+-]\d\d:?\d\d))"
        r" [\w.:-]+ (?P<source>[\w./@-]+)(?:\[(?P<pid>\d+)\]: ?|: |:$| (?P<proc>\d+|-) \S+ (?:-|\[[^\]\n]*\]) )"
    ),
    per="line",
    samples=(
        Sample(
            "Jan 31 10:00:00 node1 trainer[12]: ready",
            "ready",
            (
                ("source", "trainer"),
                ("pid", "12"),
            ),
        ),
        Sample("Jan  3 10:00:00.123456 node1 kernel: oom_reaper: x", "oom_reaper: x", (("source", "kernel"),)),
        Sample("2026-01-31T10:00:00+0000 node1 trainer[12]: ready", "ready", (("source", "trainer"),)),
        Sample("2026-01-31T10:00:00.123456+00:00 node1 sshd[7]: bye", "bye", (("pid", "7"),)),
        Sample("<13>Jan 31 10:00:00 node1 su: denied", "denied", (("source", "su"),)),
        Sample("<165>1 2026-01-31T10:00:00.003Z node1 app 12 ID47 - ready", "ready", (("source", "app"),)),
    ),
    strangers=("Jan 31 10:00:00 was a cold day: yes", "Jan 31: x", "2026-01-31T10:00:00Z INFO app: x y"),
)
