"""Diagnostics of JVM compilers that do not write gcc's shape: javac under Maven, kotlinc, scalac and sbt, groovyc.

Source of the format: plexus-compiler's CompilerMessage, Kotlin's GradleStyleMessageRenderer and
PlainTextMessageRenderer, sbt's console reporter.
"""

import re

from kb.model.event import Event, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, ahead, joined, language_of, place, told

_TAG = r"^\s*(?:\[(?:ERROR|error)\]\s+)?"
_MAVEN = Lazy(rf"{_TAG}(?P<file>\S.*\.(?:java|kt|scala|groovy)):\[(?P<line>\d+),\d+\] (?:error: )?(?P<message>\S.*)$")
_KOTLIN = Lazy(
    r"^e: (?:file://)?(?P<file>/?[^\s:(]+\.kts?)(?::(?P<line>\d+):\d+|: \((?P<line2>\d+), \d+\))?:? (?P<message>\S.*)$"
)
_SBT = Lazy(r"^\s*\[error\] (?P<file>[^\s:]+\.(?:scala|sbt|java)):(?P<line>\d+)(?::\d+)?: (?P<message>\S.*)$")
_GROOVY = Lazy(r"^(?P<file>\S+\.groovy|build file '[^']+'): (?P<line>\d+): (?P<message>\S.*) @ line \d+, column \d+\.$")
_HEADING = Lazy(rf"{_TAG}COMPILATION ERROR\s*:\s*$")
_RULE = Lazy(r"^\s*(?:\[(?:INFO|ERROR)\]\s+)?-{5,}\s*$")
_DETAIL = Lazy(rf"{_TAG}\s*(?:symbol|location|required|found|reason|where)\s*: |^\s*\[error\]\s+\S|^\s*\[error\]\s*\^")
_MARKS = Lazy(r"^\s*\^\s*$")


def parse(cursor: Cursor) -> list[Event]:
    """The error on the line here, with the details under it; Maven's heading belongs to its first error."""
    line = cursor.line
    if line is None:
        return []
    if _HEADING.match(line.text):
        return _under_heading(cursor)
    found = _MAVEN.match(line.text) or _KOTLIN.match(line.text) or _SBT.match(line.text) or _GROOVY.match(line.text)
    return [_told(cursor, line, found)] if found else []


def _under_heading(cursor: Cursor) -> list[Event]:
    lines = ahead(cursor, 4)
    for line in lines[1:]:
        if found := _MAVEN.match(line.text):
            while cursor.line is not line and cursor.line is not None:
                cursor.claim()
            return [_told(cursor, line, found)]
        if not _RULE.match(line.text):
            break
    return []


def _details(cursor: Cursor) -> list[str]:
    """Claims the lines that explain an error; Maven puts its tag on them only where it repeats the error."""
    rest: list[str] = []
    while len(rest) < 12 and (line := cursor.line) is not None and _DETAIL.match(line.text):
        if _SBT.match(line.text) or _MAVEN.match(line.text):
            break
        rest.append(cursor.claim().text)
    return rest


def _told(cursor: Cursor, line: Line, found: re.Match[str]) -> Event:
    cursor.claim()
    rest = _details(cursor)
    texts = [each.text for each in ahead(cursor, 2)]
    code = texts[0].strip() if len(texts) == 2 and _MARKS.match(texts[1]) and texts[0].strip() else None
    if code:
        cursor.claim()
        cursor.claim()
    number = found["line"] or found.groupdict().get("line2")
    details = [re.sub(r"^\s*\[(?:ERROR|error)\] ?", "", text).strip() for text in rest if "^" not in text]
    file = found["file"]
    return told(
        cursor,
        line,
        joined(found["message"].rstrip(), details),
        language=language_of(file) or "java",
        frames=(place(file, number, code=code),),
    )


TRACE = Trace(
    name="jvm_compilers",
    starts=r"\.(?:java|kts?|scala|sbt|groovy)\b.*\S|COMPILATION ERROR|^e: ",
    parse=parse,
    order=24,
    marks=(
        ".java:[",
        ".kt:[",
        ".scala:[",
        ".groovy:[",
        "COMPILATION ERROR",
        "e: file:",
        ".kt:",
        ".kts:",
        ".scala:",
        ".sbt:",
        ".groovy: ",
    ),
    samples=(
        TraceSample(
            "[ERROR] COMPILATION ERROR : \n[INFO] -------------------------------------------------------------\n"
            "[ERROR] /srv/Heap.java:[7,3] cannot find symbol\n  symbol:   method top()\n  location: class Heap",
            (("build", None, "cannot find symbol\nsymbol:   method top()\nlocation: class Heap", 3),),
        ),
        TraceSample(
            "e: file:///srv/Heap.kt:7:3 Unresolved reference: top", (("build", None, "Unresolved reference: top", 1),)
        ),
        TraceSample(
            "[error] /srv/Heap.scala:7:3: not found: value top\n[error]   top(1)\n[error]   ^",
            (("build", None, "not found: value top\ntop(1)", 1),),
        ),
    ),
    strangers=("w: file:///srv/Heap.kt:7:3 Parameter 'e' is never used", "\tat Heap.top(Heap.kt:7)"),
)
