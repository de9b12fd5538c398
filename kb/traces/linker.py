"""Errors of linkers and of the drivers that call them: GNU ld, gold, lld, mold, Apple's ld, collect2.

Source of the format: binutils' ld/ldmisc.c and ld/ldmain.c, lld/Common/ErrorHandler.cpp, ld64's Undefined symbols
report, gcc/collect2.cc.
"""

import re

from kb.model.event import Event, Frame, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import SIGNALS, Lazy, ahead, block, joined, told

_NOTE = r"^\s*(?:= note: )?"
_LD = (
    rf"{_NOTE}(?:[^\s:]*[/\\])?(?P<program>(?:[\w.]+-)*(?:ld|lld)(?:\.(?:bfd|gold|lld|mold|exe))?|lld-link|mold|"
    rf"wasm-ld|ld64\.lld)(?:\.exe)?"
)
_UNDEFINED = Lazy(
    r"(?P<message>(?:more )?undefined reference to [`'\"‘].*|multiple definition of [`'\"‘].*|undefined symbol: .*|"
    r"duplicate symbol: .*)$"
)
_PLACE = Lazy(r"^(?:.*[\s:])?(?P<file>[^\s:()]+\.\w+):(?:(?P<line>\d+):)?(?:\([^)]*\):?)?\s*$")
_IN = Lazy(
    rf"{_LD}: (?P<file>[^\s:]+): in function [`'‘](?P<function>.*)['’]:(?P<rest>.*)$|^(?P<file2>[^\s:]+): "
    rf"[Ii]n function [`'‘](?P<function2>.*)['’]:$"
)
_FATAL = Lazy(
    rf"{_LD}: (?P<message>(?!warning)(?:(?:fatal )?error: .*|cannot find .*|.*: relocation .*|.*recompile with -f.*|"
    rf"final link failed.*|.*file (?:in wrong format|"
    r"not recognized).*|.*DSO missing from command line|.*unrecognized option .*|cannot open .*|unable to .*|.*No "
    r"space left on device|.*[Ii]nvalid operation"
    r"|library not found for .*|framework not found .*|symbol\(s\) not found.*|.*undefined (?:reference|symbol).*|"
    r".*multiple definition.*|duplicate symbol.*|unknown .*))$"
)
_COLLECT = Lazy(
    r"^\s*(?:\S*[/\\])?(?P<message>collect2(?:\.exe)?: (?:fatal )?error: .*|clang(?:\+\+)?(?:-\d+)?: error: linker "
    r"command failed .*)$"
)
_STATUS = Lazy(
    r"(?:returned|exit code|exit status) (?P<status>\d+)|signal (?P<signal>\d+)|\[(?P<word>Killed|Terminated|Aborted)\]"
)
_APPLE = Lazy(r"^\s*(?:Undefined symbols for architecture|duplicate symbol) .*:?$")
_DETAIL = Lazy(r"^\s*>>> |^\s+(?:\"|_|\S+ in )|^\s*ld: symbol\(s\) not found")


def parse(cursor: Cursor) -> list[Event]:
    """The linker's error on the line here, with the line that names the function before it and details after it."""
    line = cursor.line
    if line is None:
        return []
    inside = _IN.match(line.text)
    if inside and _is_object(inside["file2"] or "x.o") and not (inside["rest"] or "").strip():
        return _in_function(cursor, line, inside)
    if found := _COLLECT.match(line.text):
        cursor.claim()
        return [told(cursor, line, found["message"].rstrip(), status=_status(found["message"]))]
    if _APPLE.match(line.text):
        cursor.claim()
        return [told(cursor, line, joined(line.text.strip(), block(cursor, line, _DETAIL.match, 60)))]
    if "undefined reference to" in line.text and (events := _undefined(cursor, line, None)):
        return events
    if found := _FATAL.match(line.text):
        cursor.claim()
        block(cursor, line, lambda text: text.lstrip().startswith(">>> "), 60)
        return [told(cursor, line, f"{found['program']}: {found['message'].rstrip()}")]
    return _undefined(cursor, line, None)


def _is_object(file: str) -> bool:
    """Whether it is an object file or a library; compilers write `x.c: In function` too."""
    return re.search(r"\.(?:o|obj|a|so|lo)(?:\W|$)", file) is not None


def _in_function(cursor: Cursor, line: Line, inside: re.Match[str]) -> list[Event]:
    """The error that follows a line `x.o: in function `f':`."""
    following = ahead(cursor, 2)
    if len(following) < 2 or _UNDEFINED.search(following[1].text) is None:
        return []
    cursor.claim()
    return _undefined(cursor, following[1], inside["function"] or inside["function2"])


def _undefined(cursor: Cursor, line: Line, function: str | None) -> list[Event]:
    found = _UNDEFINED.search(line.text)
    before = line.text[: found.start()] if found else ""
    if found is None or not (function or re.search(r"\w: ?$", before) or before.endswith("): ")):
        return []
    cursor.claim()
    at = _PLACE.match(before.rstrip())
    frames = (Frame(at["file"], int(at["line"]) if at["line"] else None, function),) if at else ()
    block(cursor, line, lambda text: text.lstrip().startswith(">>> ") or "more undefined references to" in text, 60)
    return [told(cursor, line, found["message"].rstrip(), frames=frames)]


def _status(text: str) -> int | None:
    found = _STATUS.search(text)
    if found is None:
        return None
    if found["status"]:
        return int(found["status"])
    return -(int(found["signal"]) if found["signal"] else SIGNALS[found["word"].lower()])


TRACE = Trace(
    name="linker",
    starts=r"\b(?:ld|lld|gold|mold|lld-link)(?:\.exe)?: |undefined reference to|multiple definition of|[Ii]n function "
    r"[`'‘]|collect2|linker command failed"
    r"|^\s*Undefined symbols for|^\s*duplicate symbol ",
    parse=parse,
    order=26,
    marks=(
        "ld: ",
        "ld.gold: ",
        "ld.bfd: ",
        "ld.lld: ",
        "ld.mold: ",
        "ld.exe: ",
        "mold: ",
        "lld-link: ",
        "undefined reference to",
        "multiple definition of",
        "n function `",
        "n function '",
        "collect2",
        "linker command failed",
        "Undefined symbols for",
        "duplicate symbol ",
    ),
    samples=(
        TraceSample(
            "/usr/bin/ld: cannot find -lheap: No such file or directory\ncollect2: error: ld returned 1 exit status",
            (
                ("build", None, "ld: cannot find -lheap: No such file or directory", 1),
                ("build", None, "collect2: error: ld returned 1 exit status", 2),
            ),
        ),
        TraceSample(
            "/usr/bin/ld: b/sort.o: in function `main':\nsort.cpp:(.text+0x1f): undefined reference to `top(int)'",
            (("build", None, "undefined reference to `top(int)'", 2),),
        ),
        TraceSample(
            "ld.lld: error: undefined symbol: top\n>>> referenced by sort.c:3\n>>>               sort.o:(main)",
            (("build", None, "ld.lld: error: undefined symbol: top", 1),),
        ),
        TraceSample(
            'Undefined symbols for architecture arm64:\n  "_top", referenced from:\n      _main in sort.o\nld: '
            "symbol(s) not found for architecture arm64\n"
            "clang: error: linker command failed with exit code 1 (use -v to see invocation)",
            (
                (
                    "build",
                    None,
                    'Undefined symbols for architecture arm64:\n  "_top", referenced from:\n      _main in sort.o\n'
                    "ld: symbol(s) not found for architecture arm64",
                    1,
                ),
                ("build", None, "clang: error: linker command failed with exit code 1 (use -v to see invocation)", 5),
            ),
        ),
    ),
    strangers=(
        "/usr/bin/ld: warning: cannot find entry symbol _start; defaulting to 0x1000",
        "the build: cannot find a place",
        "sort.c: In function 'main':",
    ),
)
