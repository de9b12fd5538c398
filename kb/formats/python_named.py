"""`distributed.nanny - WARNING - ` — Python's logging without a time; pytest's `ERROR    name:file.py:12 `."""

from kb.formats import Format, Sample
from kb.formats._parts import LEVEL

FORMAT = Format(
    name="python_named",
    pattern=rf"(?:[\w.]{{1,100}}+ - (?P<level>{LEVEL}) - |{LEVEL} {{1,8}}[\w.]+:[\w.-]+\.py:\d+ )",
    per="record",
    samples=(
        Sample("distributed.nanny - WARNING - Restarting worker", "Restarting worker", (("level", "WARNING"),)),
        Sample("ERROR    app.store:store.py:12 boom", "boom"),
    ),
    strangers=("a b - WARNING - x", "ERROR - loss"),
)
