"""Names of exception classes."""

import re

_PARTS = re.compile(r"::|\.|\$")


def last_component(name: str) -> str:
    """The class without its module, package or namespace, and without an argument in brackets."""
    return _PARTS.split(name.partition("(")[0])[-1]


def same_class(left: str | None, right: str | None) -> bool:
    """Whether two class names mean the same class as far as logs can tell."""
    return bool(left and right) and last_component(left or "") == last_component(right or "")
