"""Errors of node-gyp: `gyp ERR! ` lines, one of which carries the error.

Source of the format: node-gyp's bin/node-gyp.js and lib/log.js; npm repeats the lines behind its own tag.
"""

from kb.model.event import Event, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, ahead, shell_status, told

_TAG = Lazy(r"^\s*(?:npm (?:ERR!|error) )?gyp (?:ERR!|error)(?: |$)")
_ERROR = Lazy(r"^stack (?P<cls>[A-Z]\w*(?:Error)?): (?P<message>.*)$")
_STATUS = Lazy(r"failed with exit code: (?P<code>\d+)")


def parse(cursor: Cursor) -> list[Event]:
    """The error of one block of node-gyp."""
    first = cursor.line
    if first is None or not _TAG.match(first.text):
        return []
    lines: list[Line] = []
    while len(lines) < 80 and (line := cursor.line) is not None and (_TAG.match(line.text) or _is_gap(cursor)):
        lines.append(cursor.claim())
    said = [(line, _TAG.sub("", line.text)) for line in lines if _TAG.match(line.text)]
    carrier, found = next(((line, found) for line, text in said if (found := _ERROR.match(text))), (None, None))
    if carrier is None or found is None:
        message = next(
            (text for _, text in said if text.strip() and not text.startswith(("find ", "verb"))), said[0][1]
        )
        return [told(cursor, first, message.strip(), language="node")]
    code = _STATUS.search(found["message"])
    status = shell_status(int(code["code"])) or None if code else None
    return [told(cursor, carrier, found["message"].strip(), cls=found["cls"], language="node", status=status)]


def _is_gap(cursor: Cursor) -> bool:
    """Whether one blank line stands between two lines of node-gyp."""
    lines = ahead(cursor, 2)
    return len(lines) == 2 and not lines[0].text.strip() and _TAG.match(lines[1].text) is not None


TRACE = Trace(
    name="node_gyp",
    starts=_TAG.pattern,
    parse=parse,
    order=23,
    marks=("gyp ERR!", "gyp error"),
    samples=(
        TraceSample(
            "gyp ERR! build error \ngyp ERR! stack Error: `make` failed with exit code: 2\ngyp ERR! stack     at top "
            "(/x/build.js:2:3)\ngyp ERR! not ok ",
            (("build", "Error", "`make` failed with exit code: 2", 2),),
        ),
        TraceSample(
            "npm ERR! gyp ERR! find Python \nnpm ERR! gyp ERR! configure error \n"
            "npm ERR! gyp ERR! stack Error: Could not find any Python installation to use",
            (("build", "Error", "Could not find any Python installation to use", 3),),
        ),
    ),
    strangers=("gyp info spawn make", "gyp WARN download", "the word gyp ERR! in a text"),
)
