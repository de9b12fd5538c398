"""Values out of messages, so that two tellings of one error are equal."""

import re

_VALUES = re.compile(
    r"""
    (?P<uuid>\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b)
  | (?P<address>\b0x[0-9a-fA-F]+\b)
  | (?P<hex>\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b)
  | (?P<time>\b\d{4}-\d\d-\d\d[T_ ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?\b)
  | (?P<ip>\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b)
  | (?P<number>(?<![A-Za-z_])[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?)
    """,
    re.VERBOSE,
)


def mask(text: str) -> str:
    """`text` with its changing values (numbers, addresses, ids, times) as `<kind>` and blanks squeezed."""
    return " ".join(_VALUES.sub(lambda found: f"<{found.lastgroup}>", text).split())
