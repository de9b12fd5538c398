"""`(EngineCore_0 pid=123) ` — vLLM and Ray: role and process; Ray folds equal lines and says so at the end."""

import re

from kb.formats import Decoded, Format, Sample

_REPEATED = re.compile(r" ?\[repeated \d+x across cluster\](?: \(Ray deduplicates .*)?$")


def _decode(rest: str) -> Decoded:
    return Decoded((_REPEATED.sub("", rest) if "across cluster]" in rest else rest,))


FORMAT = Format(
    name="vllm_role",
    pattern=(
        r"\((?P<source>[A-Za-z_<][\w.:<>#/-]*(?:\([\w.:<>=, ]{1,80}\))?)?"
        r"(?: ?pid=(?P<pid>\d+)(?:, ip=[\w.:-]+)?|, ip=[\w.:-]+| [+]\d+[hms](?:\d+[ms])*|(?<=\(raylet)|"
        r"(?<=\(gcs_server))\) ?"
    ),
    per="line",
    samples=(
        Sample("(EngineCore_0 pid=41) INFO ready", "INFO ready", (("source", "EngineCore_0"), ("pid", "41"))),
        Sample(
            "(APIServer pid=7) Traceback (most recent call last):",
            "Traceback (most recent call last):",
            (("source", "APIServer"),),
        ),
        Sample("(RayWorkerWrapper pid=9, ip=10.0.0.4) done", "done", (("source", "RayWorkerWrapper"), ("pid", "9"))),
        Sample(
            "(Trainer(rank=3) pid=9) done [repeated 7x across cluster]",
            "done",
            (("source", "Trainer(rank=3)"), ("pid", "9")),
        ),
        Sample("(pid=9, ip=10.0.0.4) done", "done", (("pid", "9"),)),
        Sample("(raylet, ip=10.0.0.4) low", "low", (("source", "raylet"),)),
        Sample("(autoscaler +1m12s) up", "up", (("source", "autoscaler"),)),
    ),
    strangers=("(see pid 3) x", "(note: pid=) x", "(a) b"),
    decode=_decode,
)
