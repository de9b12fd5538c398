"""`ERROR:name:` — Python's logging as it is when nobody sets it up."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="python_level",
    pattern=(
        r"(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL):(?P<time>\d{4}-\d\d-\d\d [\d:.,]{8,18}:)?"
        r"[\w.-]+:(?:\d{1,6}: )?(?! )"
    ),
    per="record",
    samples=(
        Sample("ERROR:root:loss is NaN", "loss is NaN", (("level", "ERROR"),)),
        Sample("ERROR:2026-01-31 10:00:00,123:jax.xla:487: boom", "boom", (("level", "ERROR"),)),
        Sample("WARNING:urllib3.connectionpool:Retrying", "Retrying", (("level", "WARNING"),)),
    ),
    strangers=("ERROR: root: x", "ERROR:x"),
)
