"""Failures of Gradle: the block `* What went wrong:`.

Source of the format: org.gradle.internal.buildevents.BuildExceptionReporter.
"""

from kb.model.event import Event, Frame, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, ahead, joined, shell_status, told

_START = Lazy(
    r"^\s*(?:FAILURE: Build (?:failed with an exception|completed with \d+ failures)\.|\* What went wrong:|\d+: Task "
    r"failed with an exception\.)\s*$"
)
_WRONG = Lazy(r"^\s*\* What went wrong:\s*$")
_WHERE = Lazy(
    r"^\s*(?:Build|Settings|Script|Initialization) ?(?:file|script)? ?'(?P<file>[^']+)'(?: line: (?P<line>\d+))?\s*$"
)
_BEFORE = Lazy(r"^\s*$|^\s*\* Where:|^-{3,}$|^\s*\d+: Task failed|^\s*FAILURE: ")
_END = Lazy(r"^\s*\* (?:Try|Exception is|Get more help)|^\s*={5,}|^\s*BUILD FAILED")
_STATUS = Lazy(
    r"finished with non-zero exit value (?P<code>-?\d+)|[Ee]xit(?:ed)? (?:code|status|with code):? (?P<code2>\d+)"
)


def parse(cursor: Cursor) -> list[Event]:
    """What went wrong, with the place where Gradle names one; advice behind it is claimed."""
    line = cursor.line
    if line is None or not _START.match(line.text):
        return []
    frames = _before(cursor)
    if frames is None:
        return []
    cursor.claim()
    lines = _said(cursor, line)
    if not lines:
        return []
    message = joined(lines[0].text.strip(), [each.text for each in lines[1:]])
    code = _STATUS.search(message)
    status = shell_status(int(code["code"] or code["code2"])) or None if code else None
    return [told(cursor, lines[0], message, language="gradle", frames=frames, status=status)]


def _before(cursor: Cursor) -> tuple[Frame, ...] | None:
    """Claims what stands before the heading; returns the place named there, None where no heading follows."""
    frames: tuple[Frame, ...] = ()
    for _ in range(12):
        line = cursor.line
        if line is None:
            return None
        if _WRONG.match(line.text):
            return frames
        if found := _WHERE.match(line.text):
            frames = (Frame(found["file"], int(found["line"]) if found["line"] else None),)
        elif not _BEFORE.match(line.text):
            return None
        cursor.claim()
    return None


def _said(cursor: Cursor, first: Line) -> list[Line]:
    """Claims the lines of the message, up to a blank line that advice follows."""
    lines: list[Line] = []
    while (
        len(lines) < 60
        and (line := cursor.line) is not None
        and line.formats == first.formats
        and not _END.match(line.text)
    ):
        after = ahead(cursor, 2)
        if not line.text.strip() and (len(after) < 2 or _END.match(after[1].text) or not after[1].text.strip()):
            break
        lines.append(cursor.claim())
    return lines


TRACE = Trace(
    name="gradle",
    starts=_START.pattern,
    parse=parse,
    order=24,
    marks=("FAILURE: Build ", "* What went wrong:", ": Task failed with an exception"),
    samples=(
        TraceSample(
            "> Task :heap:jar FAILED\n\nFAILURE: Build failed with an exception.\n\n* Where:\nBuild file "
            "'/srv/build.gradle' line: 7\n\n"
            "* What went wrong:\nExecution failed for task ':heap:jar'.\n> No heap at /opt\n\n* Try:\n> Run with "
            "--info\n\nBUILD FAILED in 2s",
            (("build", None, "Execution failed for task ':heap:jar'.\n> No heap at /opt", 9),),
        ),
    ),
    strangers=("FAILURE: Build failed with an exception.\nnothing else", "* What went well:\nall"),
)
