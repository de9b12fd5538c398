"""Messages with holes: literal pieces in their order, with at least one character in each hole.

Matching is plain string search, so its time is linear in the text for each piece and no input can make it hang.
"""

import re
from dataclasses import dataclass

_HOLE = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}")
_BLANKS = re.compile(r"\s+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_WILD = re.compile(r"\((?:\?P<([A-Za-z_]\w*)>)?\.[+*]\??\)|\.[+*]\??")
_IGNORES_CASE = re.compile(r"\(\?[a-zA-Z]*i")
_META = set("\\^$.|?*+()[]{}")

WEAK_LITERALS = 16
"""A template with fewer literal characters says too little to match by itself (measured: half the false links come from these)."""
WEAK_WORDS = 2
"""A template with fewer words says too little, however long the word."""


def squeeze(text: str) -> str:
    """`text` with every run of blanks and line ends as one blank, so that wrapping and alignment do not matter."""
    return _BLANKS.sub(" ", text).strip()


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a template was found in a squeezed text."""

    start: int
    end: int
    captures: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Template:
    """A message with holes, taken apart. `pieces` are squeezed literals around the holes; the first or last may be empty."""

    pieces: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def literal(self) -> int:
        """Number of literal characters."""
        return sum(map(len, self.pieces))

    @property
    def weak(self) -> bool:
        """Whether the literal text alone is too little to go by."""
        return self.literal < WEAK_LITERALS or sum(len(_WORD.findall(piece)) for piece in self.pieces) < WEAK_WORDS

    @property
    def anchor(self) -> str:
        """The longest literal piece: a text without it cannot match."""
        return max(self.pieces, key=len)

    def find(self, text: str) -> Hit | None:
        """The first place in a squeezed text where the pieces stand in order with something in every hole, or None."""
        begin = text.find(self.pieces[0])
        if begin < 0:
            return None
        end, gaps = begin + len(self.pieces[0]), []
        for piece in self.pieces[1:]:
            at = text.find(piece, end + 1) if piece else len(text)
            if at <= end:
                return None
            gaps.append(text[end:at])
            end = at + len(piece)
        return Hit(begin, end, tuple(zip(self.names, gaps, strict=True)))


def parse_template(text: str) -> Template:
    """The template that `text` writes: `{name}` is a hole, doubled braces are literal; two holes in a row become one."""
    pieces, last = [""], 0
    names: list[str] = []
    squeezed = squeeze(text)
    for found in _HOLE.finditer(squeezed):
        pieces[-1] += squeezed[last : found.start()]
        last = found.end()
        if found[1] is None:
            pieces[-1] += found[0][0]
        elif pieces[-1] or not names:
            pieces.append("")
            names.append(found[1])
    pieces[-1] += squeezed[last:]
    return Template(tuple(pieces), tuple(names))


def template_of_pattern(pattern: str) -> str | None:
    """The template that a regular expression of literals and `(.+?)` stands for, or None when it is more than that."""
    parts, last, number = [], 0, 0
    body = pattern.removeprefix("^").removesuffix("$")
    for found in _WILD.finditer(body):
        if found.start() and body[found.start() - 1] == "\\":
            continue
        number += 1
        parts += [body[last : found.start()], f"{{{found[1] or f'value{number}'}}}"]
        last = found.end()
    parts.append(body[last:])
    for at in range(0, len(parts), 2):
        literal = _unescape(parts[at])
        if literal is None:
            return None
        parts[at] = literal.replace("{", "{{").replace("}", "}}")
    return "".join(parts)


def pattern_of_template(text: str) -> str:
    """The regular expression that says the same as a template, for formats that know only these."""
    template = parse_template(text)
    parts = [re.escape(template.pieces[0]).replace(r"\ ", " ")]
    for piece in template.pieces[1:]:
        parts.append("(.+?)" + re.escape(piece).replace(r"\ ", " "))
    return "".join(parts)


def required_literal(pattern: str) -> str:
    """The longest text that every match of a regular expression contains; empty when none is certain.

    Only what stands outside groups and classes counts, so an answer is never wrong, at most too short.
    """
    if _IGNORES_CASE.search(pattern):
        return ""
    runs, run, depth, at = [""], "", 0, 0
    while at < len(pattern):
        char = pattern[at]
        if char == "|" and depth == 0:
            return ""
        literal, at = _literal_at(pattern, at)
        quantified = pattern[at : at + 1] in ("?", "*", "{")
        if literal is not None and not depth and not quantified:
            run += literal
            continue
        depth += (char == "(") - (char == ")")
        at = _past_class(pattern, at) if char == "[" else pattern.find("}", at) + 1 or len(pattern) if char == "{" else at
        runs.append(run)
        run = ""
    return max([*runs, run], key=len)


def _past_class(pattern: str, at: int) -> int:
    """The position after a character class whose content begins at `at`."""
    at += pattern[at : at + 1] == "^"
    at += pattern[at : at + 1] == "]"
    while at < len(pattern) and pattern[at] != "]":
        named = pattern.find(":]", at) if pattern.startswith("[:", at) else -1
        at = named + 2 if named >= 0 else at + 1 + (pattern[at] == "\\")
    return at + 1


def _literal_at(pattern: str, at: int) -> tuple[str | None, int]:
    """The literal character at a position, None for anything else, and the position after it."""
    char = pattern[at]
    if char == "\\" and at + 1 < len(pattern):
        escaped = pattern[at + 1]
        return (None if escaped.isalnum() else escaped), at + 2
    return (None if char in _META else char), at + 1


def _unescape(regex: str) -> str | None:
    """The text that a regular expression of nothing but literals matches, or None."""
    out, at = [], 0
    while at < len(regex):
        literal, at = _literal_at(regex, at)
        if literal is None:
            return None
        out.append(literal)
    return "".join(out)
