"""What the grammars of compilers, builders and package tools share."""

import re
from collections.abc import Callable

from kb.model.event import Event, Frame, Kind, Line
from kb.traces import Cursor, _told

BLOCK_LINES = 400
"""Lines that may follow one diagnostic (source, notes, candidates); template candidates may fill two hundred."""

SHELL_LIMIT = 128
"""A shell reports a signal as 128 plus its number."""

SIGNALS = {
    "killed": 9,
    "terminated": 15,
    "segmentation fault": 11,
    "aborted": 6,
    "abort": 6,
    "bus error": 7,
    "illegal instruction": 4,
    "hangup": 1,
    "interrupt": 2,
    "quit": 3,
    "floating point exception": 8,
}
"""Signals by the words in which `strsignal` tells them."""

_LANGUAGES = {
    "java": "java",
    "kt": "kotlin",
    "kts": "kotlin",
    "scala": "scala",
    "go": "go",
    "rs": "rust",
    "py": "python",
    "pyx": "python",
    "ts": "typescript",
    "tsx": "typescript",
    "js": "javascript",
    "cs": "dotnet",
    "fs": "dotnet",
    "vb": "dotnet",
    "swift": "swift",
    "c": "c",
    "cc": "c++",
    "cpp": "c++",
    "cxx": "c++",
    "h": "c++",
    "hh": "c++",
    "hpp": "c++",
    "cu": "cuda",
    "cuh": "cuda",
    "f": "fortran",
    "f90": "fortran",
    "f95": "fortran",
    "proto": "protobuf",
    "tf": "terraform",
}


class Lazy:
    """A regular expression that is compiled when it is first used: most runs of `kb` meet few of the grammars."""

    __slots__ = ("_compiled", "_flags", "pattern")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern, self._flags = pattern, flags
        self._compiled: re.Pattern[str] | None = None

    def match(self, text: str) -> re.Match[str] | None:
        """The match at the start of `text`."""
        return self._regex().match(text)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match anywhere in `text`."""
        return self._regex().search(text)

    def sub(self, new: str, text: str) -> str:
        """`text` with every match replaced."""
        return self._regex().sub(new, text)

    def _regex(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self._flags)
        return self._compiled


def told(
    cursor: Cursor,
    line: Line,
    message: str,
    *,
    kind: Kind = "build",
    cls: str | None = None,
    language: str | None = None,
    frames: tuple[Frame, ...] = (),
    status: int | None = None,
    plain: bool = False,
) -> Event:
    """The event of which `line` carries the message; it spans all lines claimed so far."""
    return _told.told(
        line, kind, message, cls, language=language, frames=frames, exit_status=status, plain=plain, claimed=cursor.numbers
    )


def ahead(cursor: Cursor, count: int) -> list[Line]:
    """Up to `count` lines from here on; the cursor stays where it is."""
    at = cursor.at
    lines: list[Line] = []
    while len(lines) < count and (line := cursor.line) is not None:
        lines.append(line)
        cursor.skip()
    cursor.at = at
    return lines


def block(cursor: Cursor, carrier: Line, belongs: Callable[[str], object], limit: int = BLOCK_LINES) -> list[str]:
    """Claims the lines from here on that have the carrier's prefix and belong to its event; returns their texts."""
    texts: list[str] = []
    while (
        len(texts) < limit
        and (line := cursor.line) is not None
        and line.formats == carrier.formats
        and belongs(line.text)
    ):
        texts.append(cursor.claim().text.rstrip())
    return texts


def lines_to(cursor: Cursor, count: int) -> list[Line]:
    """Claims `count` lines, fewer at the end of the log; returns them."""
    return [cursor.claim() for _ in range(count) if cursor.line is not None]


def shell_status(code: int) -> int:
    """An exit status as a shell prints it, a signal as a negative number."""
    return -(code - SHELL_LIMIT) if SHELL_LIMIT < code < SHELL_LIMIT + 65 else code


def without_border(text: str) -> str:
    """A line of a pasted terminal frame without blanks and the frame's right side."""
    return text.rstrip().removesuffix("│").rstrip()


def indent_of(text: str) -> int:
    """Blanks before the first word."""
    return len(text) - len(text.lstrip())


def joined(first: str, rest: list[str]) -> str:
    """A message of several lines, without the indentation that these have in common and without blank ends."""
    shared = min((indent_of(text) for text in rest if text.strip()), default=0)
    return "\n".join([first, *(text[shared:].rstrip() for text in rest)]).strip()


def language_of(file: str) -> str | None:
    """The language that a source file's name tells."""
    found = re.search(r"\.(\w+)$", file)
    return _LANGUAGES.get(found[1].lower()) if found else None


def place(file: str, line: str | None = None, function: str | None = None, code: str | None = None) -> Frame:
    """The source place of a diagnostic as a frame."""
    return Frame(file, int(line) if line else None, function, code)
