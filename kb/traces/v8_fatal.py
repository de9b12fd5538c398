"""Fatal errors of V8 (Chromium, Node, d8): the block of `#` lines, `abort: …`, and the heap's limit.

Source of the formats: v8/src/base/logging.cc, v8/src/runtime/runtime-test.cc, v8/src/api/api.cc, v8/src/heap/heap.cc.
"""

import re

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_stack import stack_of

_HEAD = re.compile(
    r"^# (?:(?:Fatal|Runtime) error(?: in\b|$)|Fatal (?:process|[Jj]ava[Ss]cript)|V8 correctness failure)"
)
_ABORT = re.compile(r"^(?P<message>abort: \S.*?)(?: \[[^\[\]:]+:\d+\])*$|^(?P<heap>FATAL ERROR: .+)$")
_BODY = re.compile(r"^#(?:\s*(?P<text>.*))?$")
_BLOCK_LINES = 12
"""Lines of the block of `#` lines."""
_CHECK = re.compile(r"^(?P<what>(?:Debug )?[Cc]heck) failed", re.MULTILINE)


def parse(cursor: Cursor) -> list[Event]:
    """The fatal error here; its message is what the block says, its place included."""
    line = cursor.line
    if line is None:
        return []
    text = line.text.strip()
    if found := _ABORT.match(text):
        cursor.claim()
        message = found["heap"] or found["message"]
    elif _HEAD.match(text):
        message = "\n".join(_block(cursor))
    else:
        return []
    return [crash(cursor, line, message, _class(message), stack_of(cursor, line))]


def _block(cursor: Cursor) -> list[str]:
    """What the `#` lines say, from the one here on; they are claimed."""
    parts: list[str] = []
    while (line := cursor.line) is not None and len(parts) < _BLOCK_LINES and (body := _BODY.match(line.text.strip())):
        cursor.claim()
        if body["text"] and not body["text"].startswith(("FailureMessage", "last system error")):
            parts.append(body["text"])
        elif not body["text"] and len(parts) > 1:
            break
    return parts


def _class(message: str) -> str | None:
    found = _CHECK.search(message)
    if found is None:
        return "out of memory" if re.search(r"(?:process|heap) out of memory", message) else None
    return "DCHECK failure" if found["what"].startswith("Debug") else "CHECK failure"


TRACE = Trace(
    name="v8_fatal",
    starts=r"^\s*# (?:(?:Fatal|Runtime) error(?: in\b|$)|Fatal process|Fatal [Jj]ava[Ss]cript"
    r"|V8 correctness failure)|^\s*abort: \S|^\s*FATAL ERROR: ",
    parse=parse,
    order=34,
    marks=("# Fatal ", "# Runtime error in ", "# V8 correctness", "abort: ", "FATAL ERROR: "),
    samples=(
        TraceSample(
            "#\n# Fatal error in ../src/heap/page.h, line 54\n# Check failed: !IsFree(mark).\n#\n",
            (
                (
                    "crash",
                    "CHECK failure",
                    "Fatal error in ../src/heap/page.h, line 54\nCheck failed: !IsFree(mark).",
                    2,
                ),
            ),
        ),
        TraceSample(
            "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n"
            " 1: 0xb7c5f0 node::Abort() [node]",
            (
                (
                    "crash",
                    "out of memory",
                    "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
                    1,
                ),
            ),
        ),
        TraceSample(
            "abort: CSA_DCHECK failed: size > 0 [src/builtins/grow.tq:66]",
            (("crash", None, "abort: CSA_DCHECK failed: size > 0", 1),),
        ),
    ),
    strangers=("# Fatal errors are listed in chapter 4", "will abort: no"),
)
