"""`10:00:00    ERROR - ` — mozharness, which runs Mozilla's build and test jobs; it logs each line of its children so."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="mozharness",
    pattern=r"(?P<time>\d\d:\d\d:\d\d) +(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL|FATAL) - (?: ?(?P<source>PID \d+|GECKO\(\d+\)) \| )?",
    per="line",
    samples=(
        Sample("10:00:00    ERROR - boom", "boom", (("time", "10:00:00"), ("level", "ERROR"))),
        Sample("10:00:00     INFO - GECKO(81) | boom", "boom", (("level", "INFO"), ("source", "GECKO(81)"))),
        Sample("10:00:00     INFO -  PID 81 | boom", "boom", (("source", "PID 81"),)),
    ),
    strangers=("10:00:00 ERROR in the harbour", "INFO - boom"),
)
