"""`(EngineCore_0 pid=123) ` — vLLM and Ray: the role and the process that wrote the line."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="vllm_role",
    pattern=r"\((?P<source>[A-Za-z][\w.:]*) pid=(?P<pid>\d+)(?:, ip=[\d.]+)?\) ?",
    per="line",
    samples=(
        Sample("(EngineCore_0 pid=41) INFO ready", "INFO ready", (("source", "EngineCore_0"), ("pid", "41"))),
        Sample("(APIServer pid=7) Traceback (most recent call last):", "Traceback (most recent call last):", (("source", "APIServer"),)),
        Sample("(RayWorkerWrapper pid=9, ip=10.0.0.4) done", "done", (("source", "RayWorkerWrapper"), ("pid", "9"))),
    ),
    strangers=("(see pid 3) x", "(note: pid=) x"),
)
