"""Errors of make: GNU make, gmake, mozmake, mingw32-make, BSD make.

Source of the format: GNU make's job.c (child_error), misc.c (fatal, error) and remake.c; BSD make's main.c and job.c.
"""

import re

from kb.model.event import Event, Frame, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import SIGNALS, Lazy, shell_status, told

_MAKE = r"(?:[^\s:]*[/\\])?(?P<program>(?:[\w.]+-)?[gbp]?(?:moz)?make(?:32)?(?:\.(?:exe|EXE))?(?:\[\d+\])?)"
_STARS = Lazy(rf"^\s*(?:{_MAKE}|(?P<file>[^\s:]+):(?P<line>\d+)): \*\*\* (?P<said>.*)$")
_MISSING = Lazy(
    rf"^\s*{_MAKE}: (?P<said>(?!\*\*\*|Entering|Leaving)[^\s:]+: (?:No such file or directory|Command not found|"
    rf"Permission denied|not found))\s*$"
)
_BSD = Lazy(
    rf"^\s*{_MAKE}: (?P<said>stopped in .*|don't know how to make .*)$|^\*\*\* (?P<stop>(?:Error code|Signal) \d+|"
    rf"\[[^\]]+\] Error code \d+.*)$"
)
_RECIPE = Lazy(rf"^\[.*\] (?:Error (?P<code>-?\d+|0x[0-9a-fA-F]+)|(?P<word>{'|'.join(SIGNALS)})\b)", re.IGNORECASE)
_TALK = Lazy(r"^(?:Waiting for unfinished jobs|Deleting (?:intermediate )?file|Archive member|\[[^\]]*\] Deleting)")


def parse(cursor: Cursor) -> list[Event]:
    """What make says on the line here: a recipe failed with a status, or make itself cannot go on."""
    line = cursor.line
    if line is None:
        return []
    if found := _STARS.match(line.text):
        return _stars(cursor, line, found)
    if (found := _MISSING.match(line.text)) or (found := _BSD.match(line.text)):
        cursor.claim()
        return [told(cursor, line, line.text.strip(), language="make", status=_bsd_status(line.text))]
    return []


def _stars(cursor: Cursor, line: Line, found: re.Match[str]) -> list[Event]:
    said = found["said"].rstrip()
    if _TALK.match(said) or said.endswith("(ignored)"):
        return []
    cursor.claim()
    frames = (Frame(found["file"], int(found["line"])),) if found["file"] else ()
    name = found["program"] or f"{found['file']}:{found['line']}"
    return [told(cursor, line, f"{name}: *** {said}", language="make", frames=frames, status=_status(said))]


def _status(said: str) -> int | None:
    """The status of a failed recipe, a signal as a negative number."""
    found = _RECIPE.match(said)
    if found is None:
        return None
    return shell_status(int(found["code"], 0)) or None if found["code"] else -SIGNALS[found["word"].lower()]


def _bsd_status(text: str) -> int | None:
    found = re.match(r"\*\*\* .*?(?:Error code (?P<code>\d+)|Signal (?P<signal>\d+))", text)
    if found is None:
        return 1 if ": stopped in " in text else None
    return -int(found["signal"]) if found["signal"] else shell_status(int(found["code"])) or None


TRACE = Trace(
    name="make",
    starts=r": \*\*\* |make(?:\.exe)?(?:\[\d+\])?: |^\*\*\* (?:Error code|Signal|\[)",
    parse=parse,
    order=25,
    marks=(": *** ", "make: ", "]: ", "*** Error code", "*** Signal", "*** ["),
    samples=(
        TraceSample(
            "make[1]: *** [Makefile:9: heap.o] Error 1\nmake[1]: *** Waiting for unfinished jobs....\nmake: *** [all] "
            "Error 2",
            (
                ("build", None, "make[1]: *** [Makefile:9: heap.o] Error 1", 1),
                ("build", None, "make: *** [all] Error 2", 3),
            ),
        ),
        TraceSample(
            "make: *** No rule to make target 'heap.c', needed by 'heap.o'.  Stop.",
            (("build", None, "make: *** No rule to make target 'heap.c', needed by 'heap.o'.  Stop.", 1),),
        ),
        TraceSample(
            "Makefile:4: *** missing separator.  Stop.",
            (("build", None, "Makefile:4: *** missing separator.  Stop.", 1),),
        ),
        TraceSample(
            "make: heapcc: No such file or directory", (("build", None, "make: heapcc: No such file or directory", 1),)
        ),
    ),
    strangers=(
        "make: [Makefile:9: docs] Error 1 (ignored)",
        "make[1]: Entering directory '/srv'",
        "note: *** this is loud ***",
    ),
)
