"""Errors of protoc, flatc and thrift.

Source of the format: google/protobuf/compiler/command_line_interface.cc (`file:line:column: text`, `file: File not
found.`).
"""

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, place, told

_ERROR = Lazy(
    r"^\s*(?P<file>[^\s:]+\.(?:proto|fbs|thrift)):(?P<line>\d+):(?:\d+:)? (?P<message>(?!warning|note).*\S)\s*$"
)
_FILE = Lazy(
    r"^\s*(?P<file>[^\s:]+\.proto): (?P<message>(?:File not found|Import |No such file|File does not reside).*)$"
)
_TOOL = Lazy(
    r"^\s*(?P<message>(?:protoc-gen-\S+: program not found.*|--\S+_out: (?:protoc-gen-\S+: )?Plugin failed with status "
    r"code.*|--\S+_out: .*: No such file.*|protoc: error: .*))$"
)


def parse(cursor: Cursor) -> list[Event]:
    """The error on the line here."""
    line = cursor.line
    if line is None:
        return []
    found = _ERROR.match(line.text) or _FILE.match(line.text)
    if found:
        cursor.claim()
        number = found.groupdict().get("line")
        return [
            told(cursor, line, found["message"].rstrip(), language="protobuf", frames=(place(found["file"], number),))
        ]
    if tool := _TOOL.match(line.text):
        cursor.claim()
        return [told(cursor, line, tool["message"].rstrip(), language="protobuf")]
    return []


TRACE = Trace(
    name="protoc",
    starts=r"\.(?:proto|fbs|thrift): ?\S|protoc-gen-\S{1,200}: program|^\s*--\S+_out: |protoc: error",
    parse=parse,
    order=24,
    marks=(".proto:", ".fbs:", ".thrift:", "protoc-gen-", "_out: ", "protoc: "),
    samples=(
        TraceSample('heap.proto:7:3: "Top" is not defined.', (("build", None, '"Top" is not defined.', 1),)),
        TraceSample(
            'top.proto: File not found.\nheap.proto:3:1: Import "top.proto" was not found or had errors.',
            (
                ("build", None, "File not found.", 1),
                ("build", None, 'Import "top.proto" was not found or had errors.', 2),
            ),
        ),
    ),
    strangers=("heap.proto:7:3: warning: Import top.proto is unused.", "wrote heap.proto: 3 messages"),
)
