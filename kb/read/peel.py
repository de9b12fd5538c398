"""Prefixes off: raw lines become `Line`s that know what was said, and who said it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from kb.formats import Format
from kb.model.event import Line
from kb.read.scan import RawLine
from kb.settings import MAX_PREFIXES
from kb.text.ansi import clean

_SHY_LINES = 3
"""Lines that must show a shy prefix before it counts as one."""
_SAMPLE_LINES = 4000
"""Lines that are looked at for shy prefixes before the first one is peeled."""
_LEVELS = {"D": "DEBUG", "V": "DEBUG", "I": "INFO", "W": "WARNING", "WARN": "WARNING", "E": "ERROR", "F": "CRITICAL", "FATAL": "CRITICAL"}
_RANK = re.compile(r"(?:TP|rank)_?(\d+)", re.IGNORECASE)
_OPENS = re.compile(r"(?:Traceback \(most recent call last\)|[:({\[])\s*$")
_VALUES = ("time", "level", "rank", "pid", "source")

Shy = frozenset[tuple[str, str]]
"""(format, source) of prefixes that a log repeats often enough to be prefixes."""


@dataclass(frozen=True, slots=True)
class Prefix:
    """One prefix of a line: its format, what it says, and where it ends."""

    format: Format
    says: dict[str, str]
    end: int


class Peeler:
    """Takes prefixes off. Made once from all formats; holds no state between logs."""

    def __init__(self, formats: Iterable[Format]) -> None:
        self._formats = specific_first(list(formats))
        parts = [f"(?P<f{i}>{_renamed(each.pattern, i)})" for i, each in enumerate(self._formats)]
        self._expression = re.compile("|".join(parts) or r"(?!)")
        index = self._expression.groupindex
        self._groups = [[(value, index[f"f{i}_{value}"]) for value in _VALUES if f"f{i}_{value}" in index] for i in range(len(parts))]

    def peel(self, lines: Iterable[RawLine], file: str | None = None) -> Iterator[Line]:
        """The lines without their prefixes. A prefix that could be ordinary text counts only where the log repeats it."""
        rows = ((line.number, clean(line.raw.decode("utf-8", "backslashreplace"))) for line in lines)
        head = list(islice(rows, _SAMPLE_LINES))
        repeated = self._repeated(text for _, text in head)
        writers: dict[tuple[str, ...], Line] = {}
        for number, text in chain(head, rows):
            yield self._line(number, text, file, repeated, writers)

    def prefixes(self, text: str, repeated: Shy | None) -> Iterator[Prefix]:
        """The prefixes of one line, outermost first; None for `repeated` takes every shy one."""
        at = 0
        for _ in range(MAX_PREFIXES):
            found = self._expression.match(text, at)
            if found is None or found.end() == at:
                return
            number = int((found.lastgroup or "f0")[1:].partition("_")[0])
            kind = self._formats[number]
            says = {name: found[group] for name, group in self._groups[number] if found[group] is not None}
            if kind.shy and repeated is not None and (kind.name, says.get("source", "")) not in repeated:
                return
            at = found.end()
            yield Prefix(kind, says, at)

    def _repeated(self, texts: Iterable[str]) -> Shy:
        seen = Counter((p.format.name, p.says.get("source", "")) for text in texts for p in self.prefixes(text, None) if p.format.shy)
        return frozenset(pair for pair, count in seen.items() if count >= _SHY_LINES)

    def _line(self, number: int, text: str, file: str | None, repeated: Shy, writers: dict[tuple[str, ...], Line]) -> Line:
        """One peeled line. `writers` holds, for each outer stream, the record whose further lines come without its prefix."""
        found = list(self.prefixes(text, repeated))
        outer = tuple(filter(None, (_identity(p) for p in found if p.format.per == "line")))
        line = _combined(number, text, file, found)
        if any(p.format.per == "record" for p in found):
            if _OPENS.search(line.text):
                writers[outer] = line
            else:
                writers.pop(outer, None)
        elif writer := writers.get(outer):
            line = replace(line, stream=writer.stream, rank=writer.rank, level=line.level or writer.level, time=line.time or writer.time)
        return line


def specific_first(formats: Sequence[Format]) -> list[Format]:
    """The formats so that one which also fits the samples of others comes after these; equal ones by name."""
    fits = {each.name: re.compile(each.pattern) for each in formats}
    strangers = {each.name: sum(fits[each.name].match(sample.line) is not None
                                for other in formats if other is not each for sample in other.samples)
                 for each in formats}  # fmt: skip
    return sorted(formats, key=lambda each: (each.shy, strangers[each.name], each.name))


def _renamed(pattern: str, number: int) -> str:
    """A format's expression with group names that no other format uses."""
    return re.sub(r"\(\?P<(\w+)>", rf"(?P<f{number}_\1>", pattern)


def _combined(number: int, text: str, file: str | None, found: Sequence[Prefix]) -> Line:
    """A line with what all its prefixes say: the inner one has the last word, but torch's own rank beats a local one."""
    says: dict[str, str] = {}
    for prefix in found:
        says |= prefix.says
    ranks = {p.format.name: rank for p in found if (rank := p.says.get("rank") or _rank_of(p.says.get("source", "")))}
    level = says.get("level", "").upper()
    end = found[-1].end if found else 0
    return Line(
        number, text[end:], file,
        stream="/".join(dict.fromkeys(filter(None, map(_identity, found)))),
        rank=ranks.get("rank") or next((rank for name, rank in ranks.items() if name != "default"), ranks.get("default")),
        level=_LEVELS.get(level, level) or None,
        time=says.get("time"),
        pid=int(says["pid"]) if "pid" in says else None,
        peeled=end,
        formats=tuple(p.format.name for p in found),
    )  # fmt: skip


def _identity(prefix: Prefix) -> str:
    """The writer that a prefix names, empty when it names none."""
    source = prefix.says.get("source", "").strip()
    return source or (f"rank{prefix.says['rank']}" if "rank" in prefix.says else "")


def _rank_of(source: str) -> str | None:
    found = _RANK.search(source)
    return found[1] if found else None
