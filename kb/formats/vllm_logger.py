"""`ERROR 01-31 10:00:00 [core.py:700] ` — vLLM's logger, on each line of a record; older ones print no bracket."""

from kb.formats import Format, Sample
from kb.formats._parts import CLOCK, LEVEL

FORMAT = Format(
    name="vllm_logger",
    pattern=rf"(?P<level>{LEVEL})\s{{1,20}}(?P<time>(?:\d{{4}}-)?\d\d-\d\d {CLOCK}) \[?[\w./-]+:\d+\] ?",
    per="line",
    samples=(
        Sample(
            "ERROR 01-31 10:00:00 [core.py:700] EngineCore failed to start.",
            "EngineCore failed to start.",
            (("level", "ERROR"),),
        ),
        Sample(
            "INFO 01-31 10:00:00 llm_engine.py:237] Initializing",
            "Initializing",
            (("level", "INFO"), ("time", "01-31 10:00:00")),
        ),
        Sample("ERROR 01-31 10:00:00 [v1/engine/core.py:700]   File", "  File", (("level", "ERROR"),)),
    ),
    strangers=("ERROR 01-31 is a date", "INFO: 01-31 10:00:00 x"),
    needs="]",
)
