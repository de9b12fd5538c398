"""Fatal errors of V8 (Chromium, Node, d8): the block of `#` lines, `abort: …`, and the heap's limit.

Source of the formats: v8/src/base/logging.cc, v8/src/runtime/runtime-test.cc, v8/src/api/api.cc, v8/src/heap/heap.cc.
"""

import re
from dataclasses import replace

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_stack import stack_of

_HEAD = re.compile(
    r"^# (?:(?:Fatal|Runtime) error(?: in\b|$)|Fatal (?:process|[Jj]ava[Ss]cript)|V8 correctness failure)"
)
_ABORT = re.compile(
    r"^(?P<message>abort: \S.*?)(?: \[(?P<file>[^\[\]:]+):(?P<line>\d+)\])?(?: \[[^\[\]:]+:\d+\])*$"
    r"|^(?P<heap>FATAL ERROR: .+)$"
)
_BODY = re.compile(r"^#(?:\s*(?P<text>.*))?$")
_BLOCK_LINES = 12
"""Lines of the block of `#` lines."""
_NAMES = tuple(
    (re.compile(wording, re.MULTILINE), name)
    for wording, name in (
        (r"(?:process|heap) out of memory|^Allocation failed - ", "out of memory"),
        (r"^V8 correctness failure", "V8 correctness failure"),
        (r"^Debug [Cc]heck failed", "DCHECK failure"),
        (r"^Check failed", "CHECK failure"),
        (r"^abort: CSA_D?(?:ASSERT|CHECK)", "assert"),
        (r"^Runtime error in", "RUNTIME_ASSERT"),
        (r"^(?:unreachable|unimplemented) code", "Unreachable code"),
    )
)


def parse(cursor: Cursor) -> list[Event]:
    """The fatal error here; its message is what the block says, its place included."""
    line = cursor.line
    if line is None:
        return []
    text, site = line.text.strip(), tuple[Frame, ...]()
    if found := _ABORT.match(text):
        cursor.claim()
        message, site = found["heap"] or found["message"], _site(found)
    elif _HEAD.match(text):
        message = "\n".join(_block(cursor))
    else:
        return []
    stack = stack_of(cursor, line)
    shown = (*site, *(replace(frame, runtime=True) for frame in stack)) if site else stack
    return [crash(cursor, line, message, _class(message), shown)]


def _site(found: re.Match[str]) -> tuple[Frame, ...]:
    """The place in a builtin's source that generated code names when it aborts. It has no function there, so the file
    names it; the native stack shows only how the interpreter came to run it."""
    if not found["file"]:
        return ()
    return (Frame(found["file"], int(found["line"]), re.split(r"[/\\]", found["file"])[-1]),)


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


def _class(message: str) -> str:
    """The kind of fatal error; V8 prints no class, these are the names under which its fuzzers file them."""
    return next((name for wording, name in _NAMES if wording.search(message)), "Fatal error")


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
            (("crash", "assert", "abort: CSA_DCHECK failed: size > 0", 1),),
        ),
    ),
    strangers=("# Fatal errors are listed in chapter 4", "will abort: no"),
)
