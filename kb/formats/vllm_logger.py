"""`ERROR 01-31 10:00:00 [core.py:700] ` — vLLM's logger."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="vllm_logger",
    pattern=r"(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL) (?P<time>\d\d-\d\d \d\d:\d\d:\d\d) (?:\[[\w./-]+:\d+\]|[\w./-]+:\d+\]) ?",
    per="line",
    samples=(
        Sample("ERROR 01-31 10:00:00 [core.py:700] EngineCore failed to start.", "EngineCore failed to start.", (("level", "ERROR"),)),
        Sample("INFO 01-31 10:00:00 llm_engine.py:237] Initializing", "Initializing", (("level", "INFO"), ("time", "01-31 10:00:00"))),
    ),
    strangers=("ERROR 01-31 is a date", "INFO: 01-31 10:00:00 x"),
)
