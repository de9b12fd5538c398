"""`1.708692123e+09\\tDEBUG\\tevents\\tmessage\\t{json}` — zap's console encoder: tabs between the fields."""

import json

from kb.formats import Decoded, Format, Sample
from kb.formats._parts import STAMP


def _decode(rest: str) -> Decoded:
    """The message, with the error of the fields behind it; a stack trace follows on lines of its own."""
    text, tab, fields = rest.partition("\t{")
    if not tab:
        return Decoded((rest,))
    try:
        error = json.loads("{" + fields).get("error")
    except ValueError:
        error = None
    return Decoded((f"{text.rstrip()}: {error}" if isinstance(error, str) and error else text,))


FORMAT = Format(
    name="zap_console",
    pattern=(
        rf"(?P<time>\d\.\d+e\+\d\d|\d{{10}}(?:\.\d+)?|{STAMP})\t(?P<level>[A-Za-z]{{4,7}})\t(?:[\w./-]+\t(?![{{\s]))?"
        rf"(?:[\w./-]+\.go:\d+\t)?"
    ),
    per="record",
    samples=(
        Sample(
            '1.708692123e+09\tERROR\tevents\tno pod\t{"error": "timed out"}', "no pod: timed out", (("level", "ERROR"),)
        ),
        Sample('2026-01-31T10:00:00.123Z\tINFO\tready\t{"port": 80}', "ready", (("level", "INFO"),)),
        Sample("2026-01-31T10:00:00Z\tINFO\tsetup\tcmd/main.go:12\tready", "ready", ()),
    ),
    strangers=("1.7\tx", "2026-01-31T10:00:00Z INFO x"),
    needs="\t",
    decode=_decode,
)
