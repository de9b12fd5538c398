"""Diagnostics `file:line[:column]: error: message` with their source excerpt, notes and include stack.

Written so by gcc and clang (gcc/diagnostic.cc, clang/lib/Frontend/TextDiagnostic.cpp), gfortran, swiftc, javac, swig,
meson, mypy and others; also what the compiler drivers say about themselves (`cc1plus: fatal error: …`).
"""

import re

from kb.model.event import Event, Frame, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import BLOCK_LINES, SIGNALS, Lazy, ahead, language_of, lines_to, told

CONTEXT_LINES = 40
"""Lines of an include or instantiation stack before its error."""

_FILE = r"(?:[A-Za-z]:[\\/])?[^\s:()'\"`,;=\[\]]+"
_SEVERITY = r"(?:fatal |Fatal |internal compiler )?(?:error|Error|ERROR)"
_AT = Lazy(
    rf"^\s*(?:E +|\S+: note: )?(?P<file>{_FILE}):(?P<line>\d+)(?:[:.]\d+(?:-\d+)?)?: "
    rf"(?P<message>{_SEVERITY}(?:\[[\w.-]+\])?: (?P<said>.*))$"
)
_DRIVER = Lazy(
    r"^\s*(?:\S*[/\\])?(?:[\w.]+-)*(?:gcc|g\+\+|cc|c\+\+|cc1|cc1plus|cc1obj|clang|clang\+\+|lto1|lto-wrapper|f951|"
    r"gfortran|hipcc|icpx|icx|as|cpp)"
    r"(?:-[\d.]+)?(?:\.exe)?: (?P<message>(?:fatal |internal compiler )?error: (?P<said>.*))$"
)
_NOTE = Lazy(
    rf"^\s*{_FILE}:\d+(?::\d+)?: (?:note|remark):|^\s*{_FILE}:\d+(?::\d+)?:\s+(?:recursively )?required (?:from|by)\b|"
    rf"^\s*(?:note|remark): "
)
_CONTEXT = Lazy(
    rf"^\s*In file included from |^\s+from {_FILE}:\d+|^\s*{_FILE}: (?:In |At )|"
    rf"^\s*{_FILE}:\d+(?::\d+)?:\s+(?:recursively )?required (?:from|by)\b"
    r"|^\s*In module imported from |^\s*While building module "
)
_GUTTER = Lazy(r"^\s*\d* \|(?:\s|$)|^\s*\+{3} \|\+")
_MARKS = Lazy(r"^[\s|]*[~^][~^\s|-]*$")
_TAIL = Lazy(r"^\s*(?:compilation terminated\.|\d+ errors?(?: and \d+ warnings?)? generated\.|\d+ errors?\s*$)")
_JAVAC = Lazy(r"^\s+(?:symbol|location|required|found|reason|method|where)\b ?\S*:? ")
_KILLED = Lazy(rf"(?P<word>{'|'.join(SIGNALS)})(?: signal terminated program|: \d+| \(program )", re.IGNORECASE)


def parse(cursor: Cursor) -> list[Event]:
    """The error of one diagnostic; its context, source and notes are claimed with it."""
    for _ in range(CONTEXT_LINES):
        line = cursor.line
        if line is None:
            return []
        if found := _AT.match(line.text):
            return [_diagnostic(cursor, line, found)] if _is_source(found["file"]) else []
        if found := _DRIVER.match(line.text):
            cursor.claim()
            _claim_rest(cursor, line)
            return [told(cursor, line, found["message"].strip(), status=_signal(found["said"]))]
        if not _CONTEXT.match(line.text):
            return []
        cursor.claim()
    return []


def _diagnostic(cursor: Cursor, line: Line, found: re.Match[str]) -> Event:
    cursor.claim()
    code = _claim_rest(cursor, line)
    frame = Frame(found["file"], int(found["line"]), None, code)
    return told(cursor, line, found["message"].strip(), language=language_of(found["file"]), frames=(frame,))


def _is_source(file: str) -> bool:
    """Whether it is a file, not a host or the hours of a clock."""
    return re.search(r"[A-Za-z<]", file) is not None and (
        re.search(r"[./\\<]", file) is not None or file.endswith("file")
    )


def _claim_rest(cursor: Cursor, carrier: Line) -> str | None:
    """Claims what belongs to the diagnostic on the line just claimed; returns the source line that it shows first."""
    code, claimed = None, 0
    while claimed < BLOCK_LINES and (
        size := _belonging([each for each in ahead(cursor, 6) if each.formats == carrier.formats])
    ):
        for line in lines_to(cursor, size):
            code = code or _code(line.text)
        claimed += size
    return code


def _belonging(lines: list[Line]) -> int:
    """How many of the next lines belong to a diagnostic as one piece; 0 where it ends."""
    if not lines:
        return 0
    texts = [line.text for line in lines]
    if (
        _GUTTER.match(texts[0])
        or _MARKS.match(texts[0])
        or _NOTE.match(texts[0])
        or _TAIL.match(texts[0])
        or _JAVAC.match(texts[0])
    ):
        return 1
    if _CONTEXT.match(texts[0]):
        ends = next((at for at, text in enumerate(texts) if not _CONTEXT.match(text)), 0)
        return ends + 1 if ends and _NOTE.match(texts[ends]) else 0
    shown = len(texts) > 1 and texts[0].strip() and _MARKS.match(texts[1]) and not _AT.match(texts[0])
    return 2 if shown else 0


def _code(text: str) -> str | None:
    """The source line in a row of an excerpt."""
    if _MARKS.match(text) or _NOTE.match(text) or _TAIL.match(text) or _CONTEXT.match(text):
        return None
    return re.sub(r"^\s*\d* \| ?", "", text).strip() or None


def _signal(said: str) -> int | None:
    """The signal that ended a compiler, as a negative number."""
    found = _KILLED.search(said)
    return -SIGNALS[found["word"].lower()] if found else None


TRACE = Trace(
    name="compiler",
    starts=(
        r"(?:error|Error|ERROR)(?:\[[\w.-]+\])?: |^\s*In file included from |: In (?:function|member|constructor|"
        r"instantiation|substitution|static|lambda) "
    ),
    parse=parse,
    order=30,
    marks=(
        ": error",
        ": fatal error",
        ": internal compiler error",
        ": Error: ",
        ": ERROR: ",
        "In file included from ",
        ": In ",
    ),
    samples=(
        TraceSample(
            "In file included from lib/heap.h:3,\n                 from src/sort.cpp:1:\nlib/node.h: In function 'int "
            "top()':\n"
            "lib/node.h:12:5: error: 'size' was not declared in this scope\n   12 |   return size;\n      |          "
            "^~~~\n"
            "lib/heap.h:8:6: note: declared here\n    8 | int size_;\ncompilation terminated.",
            (("build", None, "error: 'size' was not declared in this scope", 4),),
        ),
        TraceSample(
            "sort.c:1:10: fatal error: 'heap.h' file not found\n#include \"heap.h\"\n         ^~~~~~~~\n1 error "
            "generated.\nsort.c:9:1: error: expected ';'",
            (("build", None, "fatal error: 'heap.h' file not found", 1), ("build", None, "error: expected ';'", 5)),
        ),
        TraceSample(
            "src/Heap.java:5: error: cannot find symbol\n    top();\n    ^\n  symbol:   method top()\n  location: "
            "class Heap\n1 error",
            (("build", None, "error: cannot find symbol", 1),),
        ),
        TraceSample(
            "g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.",
            (("build", None, "fatal error: Killed signal terminated program cc1plus", 1),),
        ),
        TraceSample(
            "heap.i:4: Error: Syntax error in input(1).", (("build", None, "Error: Syntax error in input(1).", 1),)
        ),
        TraceSample(
            'ext/meson.build:12:0: ERROR: Dependency "zlib" not found, tried pkgconfig',
            (("build", None, 'ERROR: Dependency "zlib" not found, tried pkgconfig', 1),),
        ),
    ),
    strangers=(
        "sort.c:4:2: warning: unused variable 'error' [-Wunused]\n    4 | int error;",
        "In file included from a.h:1:\na.h:2:3: warning: x",
        "src/error.c: In function 'f':\nsrc/error.c:3:1: warning: no return",
    ),
)
