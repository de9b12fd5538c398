"""Readable names for the plain mangled ones: nested names of C++ (Itanium ABI) and Rust's legacy scheme, without
templates.

Source: the Itanium C++ ABI, chapter 5.1.3.
"""

import re

_NESTED = re.compile(r"^_{1,2}ZN[VrK]*(?P<rest>.+)$")
_SPECIAL = {"C1": "", "C2": "", "C3": "", "D0": "~", "D1": "~", "D2": "~"}
_STD = ("St", "std")
_RUST = {"$LT$": "<", "$GT$": ">", "$u20$": " ", "$RF$": "&", "$C$": ",", "..": "::"}
_PARTS = 40
"""Parts that one nested name may have."""


def demangle(name: str) -> str:
    """`name` as the source spells it without arguments; unchanged where it holds templates or is not mangled."""
    found = _NESTED.match(name)
    return "::".join(parts) if found and (parts := _parts(found["rest"])) else name


def _parts(rest: str) -> list[str] | None:
    """The parts of a nested name, None where it holds something this reader does not know."""
    parts: list[str] = []
    for _ in range(_PARTS):
        if rest.startswith("E"):
            return parts
        if rest.startswith(_STD[0]):
            parts, rest = [*parts, _STD[1]], rest[2:]
        elif rest[:2] in _SPECIAL and parts:
            parts, rest = [*parts, _SPECIAL[rest[:2]] + parts[-1]], rest[2:]
        elif found := re.match(r"\d{1,3}", rest):
            end = found.end() + int(found[0])
            word, rest = rest[found.end() : end], rest[end:]
            if word.startswith("_GLOBAL__N_") or re.fullmatch(r"h[0-9a-f]{16}", word):
                continue
            parts.append(_spelled(word))
        else:
            return None
    return None


def _spelled(word: str) -> str:
    for code, text in _RUST.items():
        word = word.replace(code, text)
    return word.removeprefix("_<") if word.startswith("_<") else word
