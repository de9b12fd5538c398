"""Errors of `go build`, `go vet` and the go command itself.

Source of the format: cmd/compile's `file:line:column: text` under a `# package` line; cmd/go's `go: …`.
"""

import re

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import block, joined, place, told

_COMPILE = re.compile(r"^(?:vet: )?(?P<file>[^\s:]+\.go):(?P<line>\d+):\d+: (?P<message>(?!warning|note|info)\S.*)$")
_GO = re.compile(
    r"^(?P<message>go: (?:cannot find |go\.mod file not found|no such tool|unknown (?:sub)?command|updates to "
    r"go\.(?:mod|sum) needed|inconsistent vendoring|"
    r"errors parsing |module \S+: |modules disabled|could not create|no module dependencies|error |"
    r"[^\s:@]+(?:@[^\s:]+)?: (?:unknown revision|invalid version|missing go\.sum entry|reading |verifying |no matching "
    r"versions|module \S+ found|"
    r"unrecognized import path|git |parsing |Get \"|no required module|invalid |import path|cannot )).*)$"
)
_PACKAGE = re.compile(
    r"^(?P<message>(?:no required module provides package|cannot find (?:package|module)|package \S+ is not in "
    r"(?:GOROOT|std)|build constraints exclude all Go files in|import cycle not allowed) ?.*)$"
)


def parse(cursor: Cursor) -> list[Event]:
    """The error on the line here, with the indented lines that continue it."""
    line = cursor.line
    if line is None:
        return []
    if found := _COMPILE.match(line.text):
        cursor.claim()
        message = joined(found["message"].rstrip(), block(cursor, line, lambda text: text.startswith("\t"), 12))
        return [told(cursor, line, message, language="go", frames=(place(found["file"], found["line"]),))]
    if found := _GO.match(line.text) or _PACKAGE.match(line.text):
        cursor.claim()
        return [
            told(
                cursor,
                line,
                joined(found["message"].rstrip(), block(cursor, line, lambda text: text.startswith("\t"), 12)),
                language="go",
            )
        ]
    return []


TRACE = Trace(
    name="go_build",
    starts=rf"^(?:vet: )?[^\s:]+\.go:\d+:\d+: |{_GO.pattern}|{_PACKAGE.pattern}".replace("(?P<message>", "(?:"),
    parse=parse,
    order=32,
    marks=(
        ".go:",
        "go: ",
        "no required module provides package",
        "is not in GOROOT",
        "is not in std",
        "cannot find package",
        "cannot find module",
        "build constraints exclude all Go files",
        "import cycle not allowed",
    ),
    samples=(
        TraceSample("# example.org/heap\n./heap.go:4:9: undefined: top", (("build", None, "undefined: top", 2),)),
        TraceSample(
            "heap.go:4:2: no required module provides package example.org/top; to add it:\n\tgo get example.org/top",
            (
                (
                    "build",
                    None,
                    "no required module provides package example.org/top; to add it:\ngo get example.org/top",
                    1,
                ),
            ),
        ),
        TraceSample(
            "go: example.org/top@v1.9.9: unknown revision v1.9.9",
            (("build", None, "go: example.org/top@v1.9.9: unknown revision v1.9.9", 1),),
        ),
    ),
    strangers=("main.go:12: starting", "go: downloading example.org/top v1.2.3", "    heap_test.go:7:2: got 3"),
)
