"""Foreign text made safe to show: nothing in it steers a terminal, hides or reorders text, or commands a CI runner."""

import re

from kb.text.ansi import printable

_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile("\r\n?")
_HIDING = re.compile("[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]")

COMMAND = re.compile(r"^[^\S\n]*:(?=:)|##(?=\[|vso\[|teamcity\[)", re.MULTILINE)
"""The beginning of what a CI runner takes for a command. GitHub's runner obeys `::name::` behind leading blanks, too,
and `##[name]` anywhere in a line; Azure and TeamCity obey `##vso[` and `##teamcity[`."""


def encodable(text: str) -> str:
    """`text` without lone surrogates: a byte that was no UTF-8 is shown as `\\xNN`."""
    return _SURROGATE.sub(_escape_surrogate, text)


def visible(text: str) -> str:
    """`text` as it may be shown: only `\\n` ends lines, what steers, hides or reorders is a replacement character."""
    return _HIDING.sub("\N{REPLACEMENT CHARACTER}", printable(_LINE_END.sub("\n", encodable(text))))


def one_line(text: str, limit: int) -> str:
    """`text` visible, on one line, with at most `limit` characters."""
    flat = " ".join(visible(text).split())
    return flat if len(flat) <= limit else flat[: max(limit - 3, 0)].rstrip() + "..."


def powerless(text: str) -> str:
    """`text` with a blank inside whatever a CI runner takes for a command."""
    return COMMAND.sub(lambda found: f"{found[0]} ", text)


def _escape_surrogate(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"
