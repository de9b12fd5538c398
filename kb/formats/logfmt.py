"""`time="…" level=error msg="…" err="…"` — logfmt, as Go programs write it."""

import re

from kb.formats import Decoded, Format, Sample

_PAIR = re.compile(r'(?<!\S)([A-Za-z_@][\w.@/-]{0,80})=(?:"((?:[^"\\]|\\.)*)"|(\S*))')
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": ""}
_SAYS = {
    "time": "time",
    "ts": "time",
    "t": "time",
    "level": "level",
    "lvl": "level",
    "severity": "level",
    "pid": "pid",
    "rank": "rank",
    "container": "source",
    "pod": "source",
}


def _decode(text: str) -> Decoded | None:
    """Message and error; None where neither message nor level is among the fields."""
    fields = {
        key: _ESCAPE.sub(lambda m: _ESCAPES.get(m[1], m[1]), quoted) if quoted else bare
        for key, quoted, bare in _PAIR.findall(text)
    }
    said = [value for key in ("msg", "message", "error", "err") if (value := fields.get(key))]
    if not said or not fields.keys() & {"level", "lvl", "severity", "time", "ts"}:
        return None
    says = {
        _SAYS[key]: value
        for key, value in fields.items()
        if key in _SAYS and value and (key not in ("pid", "rank") or value.isdecimal())
    }
    stack = next((value for key in ("stack", "stacktrace", "exc_info") if (value := fields.get(key))), "")
    return Decoded(
        (*": ".join(dict.fromkeys(said)).split("\n"), *(stack.split("\n") if stack else ())), tuple(says.items())
    )


FORMAT = Format(
    name="logfmt",
    pattern=r"(?=(?:time|ts|t|level|lvl|severity|msg|message|caller|logger|source|err)=\S)",
    per="record",
    samples=(
        Sample(
            'time="2026-01-31T10:00:00Z" level=error msg="no \\"rows\\"" err="timed out"',
            'no "rows": timed out',
            (("level", "error"),),
        ),
        Sample("ts=2026-01-31T10:00:00Z level=info msg=ready port=80", "ready", (("time", "2026-01-31T10:00:00Z"),)),
    ),
    strangers=("levels=3", "at level=3", "time = 3"),
    needs="=",
    decode=_decode,
)
