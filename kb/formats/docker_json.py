"""`{"log":"…\\n","stream":"stderr","time":"…"}` — Docker's json-file driver; a part has no line end."""

import json

from kb.formats import Decoded, Format, Sample

_KEYS = {"log", "stream", "time", "attrs"}


def _decode(text: str) -> Decoded | None:
    try:
        fields = json.loads(text)
    except ValueError:
        return None
    if not isinstance(fields, dict) or not isinstance(log := fields.get("log"), str) or not fields.keys() <= _KEYS:
        return None
    says = (("time", fields["time"]),) if isinstance(fields.get("time"), str) else ()
    more = "stream" in fields and "time" in fields and not log.endswith("\n")
    return Decoded(tuple(log.removesuffix("\n").split("\n")), says, more)


FORMAT = Format(
    name="docker_json",
    pattern=r'(?=\{\s{0,8}"(?:log|stream|time|attrs)"\s{0,8}:)',
    per="line",
    samples=(
        Sample(
            '{"log":"  File \\"a.py\\", line 1\\n","stream":"stderr","time":"2026-01-31T10:00:00.1Z"}',
            '  File "a.py", line 1',
            (("time", "2026-01-31T10:00:00.1Z"),),
        ),
        Sample('{"log": "boom\\n"}', "boom", ()),
    ),
    strangers=('{"logs": 3}', '"log": 3'),
    needs='"log"',
    decode=_decode,
)
