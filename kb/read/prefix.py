"""Finding the prefixes of one line: formats are asked only where one of their samples begins alike, the specific ones
first.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from kb.formats import Format
from kb.settings import MAX_PREFIXES

_VALUES = ("time", "level", "rank", "pid", "source", "more")
_OFTEN = 1000
"""Questions after which the formats of one beginning are joined into one expression: compiling it costs as much as so
many answers.
"""

Accepts = Callable[["Prefix"], bool]
"""Whether a shy prefix counts on this line."""


@dataclass(frozen=True, slots=True)
class Prefix:
    """One prefix of a line: its format, what it says, where it ends, and, where it was decoded, the text behind it."""

    format: Format
    says: dict[str, str]
    end: int
    texts: tuple[str, ...] | None = None
    more: bool = False  # the next such line continues the text behind it


@dataclass(frozen=True, slots=True)
class _Kind:
    """A format ready to be asked."""

    format: Format
    match: Callable[[str, int], re.Match[str] | None]
    groups: tuple[tuple[str, int], ...]


class _Ready:
    """Makes formats ready when they are first asked: most never are."""

    def __init__(self, formats: Sequence[Format]) -> None:
        self._formats = formats
        self._kinds: list[_Kind | None] = [None] * len(formats)

    def __len__(self) -> int:
        return len(self._formats)

    def __getitem__(self, number: int) -> _Kind:
        kind = self._kinds[number]
        if kind is None:
            kind = self._kinds[number] = _kind(self._formats[number])
        return kind


class _Choice:
    """The formats that lines of one beginning may have, in their order; those that need what a text lacks are not
    asked.
    """

    def __init__(self, formats: Sequence[Format]) -> None:
        self._formats = formats
        self._needs = sorted({each.needs for each in formats if each.needs})
        self._holding: dict[tuple[str, ...], _Group] = {}

    def first(self, text: str, at: int, accepts: Accepts | None) -> Prefix | None:
        """The first format that fits here and, where it is shy, is accepted."""
        holds = tuple([needs for needs in self._needs if needs in text])
        group = self._holding.get(holds)
        if group is None:
            asked = [each for each in self._formats if not each.needs or each.needs in holds]
            group = self._holding[holds] = _Group(_Ready(asked))
        return group.first(text, at, accepts)


class _Group:
    """Formats that are asked together: one after the other, and as one expression once that pays."""

    def __init__(self, kinds: _Ready) -> None:
        self._kinds = kinds
        self._asked = 0
        self._joined: re.Pattern[str] | None = None

    def first(self, text: str, at: int, accepts: Accepts | None) -> Prefix | None:
        number = 0
        if self._joined is None:
            self._count()
        elif (found := self._joined.match(text, at)) is None:
            return None
        else:
            name = found.lastgroup or "k0"
            number = int(name[1:])
            if prefix := _prefix(self._kinds[number], found, text, self._joined.groupindex[name], accepts):
                return prefix
        for later in range(number, len(self._kinds)):
            kind = self._kinds[later]
            if (found := kind.match(text, at)) is not None and (prefix := _prefix(kind, found, text, 0, accepts)):
                return prefix
        return None

    def _count(self) -> None:
        self._asked += 1
        if self._asked > _OFTEN and len(self._kinds) > 1:
            every = (self._kinds[number] for number in range(len(self._kinds)))
            parts = (f"(?P<k{number}>{_unnamed(kind.format.pattern)})" for number, kind in enumerate(every))
            self._joined = re.compile("|".join(parts))


class Finder:
    """Finds prefixes. Made once from all formats in the order in which they are asked (`specific_first`); compiles an
    expression when it is first asked.
    """

    def __init__(self, formats: Iterable[Format]) -> None:
        self._of_class: dict[str, list[Format]] = {}
        for each in formats:
            for begin in {_class(sample.line[:1]) for sample in each.samples}:
                self._of_class.setdefault(begin, []).append(each)
        self._choices: dict[str, _Choice] = {}
        self._of_sign: dict[str, _Choice | None] = {"": None}

    def find(self, text: str, accepts: Accepts | None = None, learned: Format | None = None) -> tuple[Prefix, ...]:
        """The prefixes of a line, outermost first, up to one whose text was decoded or is a part.

        Without `accepts` every shy prefix counts; `learned` is a format that only this log has.
        """
        found: list[Prefix] = []
        at = 0
        while len(found) < MAX_PREFIXES:
            sign = text[at : at + 1]
            choice = self._of_sign[sign] if sign in self._of_sign else self._choice(sign)
            prefix = choice.first(text, at, accepts) if choice is not None else None
            if prefix is None and (learned is None or (prefix := _learned(learned, text, at)) is None):
                break
            found.append(prefix)
            if prefix.texts is not None or prefix.more:
                break
            at = prefix.end
        return tuple(found)

    def _choice(self, sign: str) -> _Choice | None:
        """The formats to ask where a text begins with `sign`."""
        begin = _class(sign)
        if begin in self._of_class and begin not in self._choices:
            self._choices[begin] = _Choice(self._of_class[begin])
        return self._of_sign.setdefault(sign, self._choices.get(begin))


def specific_first(formats: Sequence[Format]) -> list[Format]:
    """The formats so that one which also fits the samples of others comes after these; equal ones by name."""
    fits = {each.name: re.compile(each.pattern) for each in formats}
    strangers = {
        each.name: sum(
            each.needs in sample.line and fits[each.name].match(sample.line) is not None
            for other in formats
            if other is not each
            for sample in other.samples
        )
        for each in formats
    }
    return sorted(formats, key=lambda each: (each.shy, strangers[each.name], each.name))


def _kind(each: Format) -> _Kind:
    compiled = re.compile(each.pattern)
    groups = tuple((value, compiled.groupindex[value]) for value in _VALUES if value in compiled.groupindex)
    return _Kind(each, compiled.match, groups)


def _unnamed(pattern: str) -> str:
    """An expression without its groups' names, which others use too."""
    return re.sub(r"\(\?P<\w+>", "(", pattern)


def _prefix(kind: _Kind, found: re.Match[str], text: str, offset: int, accepts: Accepts | None) -> Prefix | None:
    """What a match says; None where it is empty, cannot be decoded, or is shy and not accepted. `offset` is the number
    of the group around.
    """
    says = {name: value for name, group in kind.groups if (value := found[offset + group]) is not None}
    each, end = kind.format, found.end()
    if each.decode is None:
        prefix = Prefix(each, says, end, None, "more" in says)
        if end == found.start():
            return None
    else:
        decoded = each.decode(text[end:])
        if decoded is None:
            return None
        prefix = Prefix(each, says | dict(decoded.says), end, decoded.texts, decoded.more)
    return prefix if accepts is None or not each.shy or accepts(prefix) else None


def _learned(learned: Format, text: str, at: int) -> Prefix | None:
    found = re.compile(learned.pattern).match(text, at)
    if found is None:
        return None
    return Prefix(learned, {key: value for key, value in found.groupdict().items() if value}, found.end())


def _class(sign: str) -> str:
    """Signs that begin prefixes alike: digits, capitals, small letters, blanks; any other one stands for itself."""
    if not sign.isascii():
        return sign
    if sign.isdigit():
        return "9"
    if sign.isspace():
        return " "
    return "A" if sign.isupper() else "a" if sign.islower() or sign == "_" else sign
