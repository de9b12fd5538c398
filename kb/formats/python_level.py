"""`ERROR:name:` — Python's logging as it is when nobody sets it up."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="python_level",
    pattern=r"(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL):(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,\d]*:)?[\w.-]+:(?! )",
    per="record",
    samples=(
        Sample("ERROR:root:loss is NaN", "loss is NaN", (("level", "ERROR"),)),
        Sample("WARNING:urllib3.connectionpool:Retrying", "Retrying", (("level", "WARNING"),)),
    ),
    strangers=("ERROR: root: x", "ERROR:x"),
)
