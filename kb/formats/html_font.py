"""`<font color="#CC0000">` — a coloured terminal pasted as HTML."""

import re
from html import unescape

from kb.formats import Decoded, Format, Sample

_TAG = re.compile(r"</?(?:font|span|b)(?: [^<>]{0,80})?>")


def _decode(rest: str) -> Decoded:
    return Decoded((unescape(_TAG.sub("", rest)),))


FORMAT = Format(
    name="html_font",
    pattern=r'<(?:font|span) (?:color|style|class)="[^"\n]{1,80}">(?:<b>)?',
    per="line",
    samples=(
        Sample('<font color="#CC0000">ValueError: no &lt;rows&gt;</font>', "ValueError: no <rows>"),
        Sample('<span style="color:red">a</span> b', "a b"),
    ),
    strangers=("<font>x", '<fonts color="x">'),
    decode=_decode,
)
