"""The index as matching uses it: literals in one automaton, signatures fetched once."""

from collections.abc import Iterable

from kb.match import Index
from kb.model.match import Known
from kb.text.template import Template, parse_template, squeeze


class Lookup:
    """Answers for one index; keeps what it fetched."""

    def __init__(self, index: Index) -> None:
        from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

        self.index = index
        anchors = index.anchors()
        self.literals = sorted({literal for literal, _ in anchors})
        self._ids: dict[str, list[int]] = {}
        for literal, number in anchors:
            self._ids.setdefault(literal, []).append(number)
        self._engine = (
            AhoCorasick(self.literals, matchkind=MatchKind.Standard, implementation=Implementation.ContiguousNFA) if anchors else None
        )
        self._unanchored = list(index.unanchored())
        self._known: dict[int, Known] = {}
        self._templates: dict[int, Template] = {}

    def near(self, squeezed: str) -> list[Known]:
        """The signatures that could match a squeezed text: those whose literal stands in it, and those without one."""
        hits = self._hits(squeezed)
        return self.known({number for literal in hits for number in self._ids[literal]} | set(self._unanchored))

    def speaks_of(self, text: str) -> bool:
        """Whether a record says something about an ordinary line."""
        squeezed = squeeze(text)
        hits = self._hits(squeezed)
        if not hits:
            return False
        for known in self.known(number for literal in hits for number in self._ids[literal]):
            if known.when == "any" and not known.classes and not known.frames and self._says(known, squeezed):
                return True
        return False

    def known(self, ids: Iterable[int]) -> list[Known]:
        """Signatures by id, in the index's order."""
        wanted = sorted(set(ids))
        missing = [number for number in wanted if number not in self._known]
        if missing:
            self._known |= {known.id: known for known in self.index.signatures(missing)}
        return [self._known[number] for number in wanted if number in self._known]

    def template(self, known: Known) -> Template | None:
        """The template of a signature, taken apart once."""
        if known.message is None:
            return None
        if known.id not in self._templates:
            self._templates[known.id] = parse_template(known.message)
        return self._templates[known.id]

    def _hits(self, squeezed: str) -> set[str]:
        if self._engine is None:
            return set()
        return {self.literals[pattern] for pattern, _, _ in self._engine.find_matches_as_indexes(squeezed, overlapping=True)}

    def _says(self, known: Known, squeezed: str) -> bool:
        from kb.match.pattern import search

        template = self.template(known)
        if template is not None:
            return not template.weak and template.find(squeezed) is not None
        return known.pattern is not None and search(known.pattern, squeezed) is not None
