"""Which shy prefixes count in a stretch of a log: those that repeat, with one writer or on many lines in a row."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kb.formats import Format
from kb.read.prefix import Prefix

_SHY_LINES = 3
"""Lines of one writer that must show a shy prefix before it counts as one."""

_USUAL_LINES = 12
"""Lines of known writers from which a shy prefix is usual in a log."""


@dataclass(slots=True)
class Repeats:
    """What is known so far: (format, source) pairs that repeat, and for prefixes of blocks the rows of this stretch
    where they count.
    """

    pairs: set[tuple[str, str]] = field(default_factory=set)
    seen: Counter[tuple[str, str]] = field(default_factory=Counter)
    usual: set[str] = field(default_factory=set)  # formats that so many lines have that a new writer needs no proof
    rows: dict[str, set[int]] = field(default_factory=dict)

    def accepts(self, row: int, prefix: Prefix) -> bool:
        """Whether a shy prefix counts on a row."""
        if prefix.format.run:
            return row in self.rows.get(prefix.format.name, ())
        return prefix.format.name in self.usual or (prefix.format.name, _source(prefix)) in self.pairs

    def study(self, texts: Sequence[str], found: Mapping[int, Sequence[Prefix]]) -> None:
        """Learn from the rows of a stretch; `found` has, for rows with shy prefixes, all their prefixes."""
        blocks: dict[str, tuple[Format, set[int]]] = {}
        for row, prefixes in found.items():
            for prefix in prefixes:
                if prefix.format.run:
                    blocks.setdefault(prefix.format.name, (prefix.format, set()))[1].add(row)
                elif prefix.format.shy:
                    self.seen[prefix.format.name, _source(prefix)] += 1
        self.pairs |= {pair for pair, count in self.seen.items() if count >= _SHY_LINES}
        lines = Counter[str]()
        for pair in self.pairs:
            lines[pair[0]] += self.seen[pair]
        self.usual |= {name for name, count in lines.items() if count >= _USUAL_LINES}
        self.rows = {name: _long_runs(each, rows, texts) for name, (each, rows) in blocks.items()}


def _source(prefix: Prefix) -> str:
    return prefix.says.get("source") or prefix.says.get("rank", "")


def _long_runs(each: Format, rows: set[int], texts: Sequence[str]) -> set[int]:
    """The rows that belong to a run of enough lines; a run beside a line that says otherwise is none."""
    beside = re.compile(each.beside) if each.beside else None
    counting: set[int] = set()
    run: list[int] = []
    for row in [*sorted(rows), -2]:
        if run and row != run[-1] + 1:
            around = texts[max(run[0] - 1, 0) : run[-1] + 2]
            if len(run) >= each.run and not (beside and any(map(beside.search, around))):
                counting.update(run)
            run = []
        run.append(row)
    return counting
