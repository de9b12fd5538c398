"""Errors of Terraform and OpenTofu: `Error: text`, in a box or bare, with the place and the explanation under it.

Source of the format: internal/command/format/diagnostic.go.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, ahead, block, joined, told

_HEAD = Lazy(r"^(?P<box>│ )?Error: (?P<message>\S.*)$")
_ON = Lazy(r"^[│ ]*\bon (?P<file>\S+) line (?P<line>\d+)(?:, in (?P<where>.*\S))?\s*$")
_CODE = Lazy(r"^[│ ]*\d+: (?P<code>.*\S)\s*$")


def parse(cursor: Cursor) -> list[Event]:
    """The error on the line here; without a box only where a place or `with resource` follows."""
    line = cursor.line
    found = _HEAD.match(line.text) if line else None
    if line is None or found is None:
        return []
    lines = [each.text for each in ahead(cursor, 8)]
    boxed = found["box"] is not None
    if not boxed and not any(_ON.match(text) or re.match(r"^  with [\w.\[\]\"-]+,$", text) for text in lines[1:]):
        return []
    cursor.claim()
    rows = block(
        cursor, line, lambda text: text.startswith("│") if boxed else text.startswith(" ") or not text.strip(), 60
    )
    if boxed:
        block(cursor, line, lambda text: text.startswith("╵"), 1)
        rows = [row[2:] for row in rows]
    at = next((found_on for row in rows if (found_on := _ON.match(row))), None)
    code = next((source["code"] for row in rows if (source := _CODE.match(row))), None)
    frames = (Frame(at["file"], int(at["line"]), (at["where"] or "").rstrip(":") or None, code),) if at else ()
    while rows and not rows[-1].strip():
        rows.pop()
    return [told(cursor, line, joined(found["message"].rstrip(), rows), language="terraform", frames=frames)]


TRACE = Trace(
    name="terraform",
    starts=_HEAD.pattern.replace("(?P<message>", "(?:").replace("(?P<box>", "(?:"),
    parse=parse,
    order=26,
    marks=("Error: ",),
    samples=(
        TraceSample(
            '╷\n│ Error: Reference to undeclared resource\n│ \n│   on heap.tf line 7, in resource "heap" "top":\n│    '
            "7:   sort = bad.one\n│ \n│ No such thing.\n╵",
            (
                (
                    "build",
                    None,
                    'Reference to undeclared resource\n\n  on heap.tf line 7, in resource "heap" "top":\n   7:   sort '
                    "= bad.one\n\nNo such thing.",
                    2,
                ),
            ),
        ),
    ),
    strangers=("│ Warning: Deprecated attribute", "The Error: box was empty"),
)
