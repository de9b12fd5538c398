"""`2026-01-31T10:00:00.123456Z ERROR span: target: ` — Rust's tracing and env_logger; `rank=0` may end a line."""

import re

from kb.formats import Decoded, Format, Sample
from kb.formats._parts import CLOCK, DATE

_RANK = re.compile(r" rank=(\d+)$")


def _decode(rest: str) -> Decoded:
    found = _RANK.search(rest)
    return Decoded((rest[: found.start()],), (("rank", found[1]),)) if found else Decoded((rest,))


FORMAT = Format(
    name="rust_tracing",
    pattern=(
        rf"\[?(?P<time>{DATE}T{CLOCK}Z)\s{{1,20}}(?P<level>ERROR|WARN|INFO|DEBUG|TRACE)\s{{1,20}}(?:ThreadId\(\d+\) )?"
        r"(?:(?:[a-z][\w-]*(?:\{[^}\n]{0,500}\})?:){0,4} ?(?:[a-z][\w-]*: )?"
        r"(?!(?:failed|error|fatal|cannot|warning|panic)\b)[a-z_]\w*(?:::\w+)*: |\w+(?:::\w+)*\] )"
    ),
    per="record",
    samples=(
        Sample(
            "2026-01-31T10:00:00.123456Z ERROR shard-manager: my_launcher: Shard died",
            "Shard died",
            (("level", "ERROR"),),
        ),
        Sample(
            "2026-01-31T10:00:00.123456Z  INFO app::boot: ready rank=3",
            "ready",
            (
                ("level", "INFO"),
                ("rank", "3"),
            ),
        ),
        Sample("2026-01-31T10:00:00.123456Z  WARN serve{id=7}:step: app::step: slow", "slow", (("level", "WARN"),)),
        Sample("[2026-01-31T10:00:00Z ERROR app::store] boom", "boom", (("level", "ERROR"),)),
    ),
    strangers=(
        "2026-01-31T10:00:00Z boom",
        "2026-01-31T10:00:00Z ERROR IoError: x",
        "2026-01-31T10:00:00Z ERROR boom here: x y",
    ),
    decode=_decode,
)
