"""Errors of npm: a block of lines with one tag, headed by the error's code.

Source of the format: npm's lib/cli/exit-handler and lib/utils/error-message.js; `npm ERR! ` before npm 10.6, `npm
error ` since. What a script printed may stand inside the block and is left to the other grammars.
"""

import re
from dataclasses import replace

from kb.model.event import Event, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, shell_status, told

_TAG = Lazy(r"^\s*npm (?:ERR!|error)(?: |$)")
_CODE = Lazy(r"^code (?:(?P<cls>[A-Z]\w{2,})|(?P<status>\d+))\s*$")
_STATUS = Lazy(r"^(?:errno|Exit status) (?P<status>\d+)\s*$|^.*Exit status (?P<ended>\d+)$")
_LONE = Lazy(
    r"^(?:[Mm]issing script: |cb\(\) never called|could not determine executable to run|Unsupported URL Type|Unknown "
    r"command: |"
    r"Lifecycle script `|Invalid (?:package name|Version|tag name)|Tracker \")"
)
_OWN = Lazy(
    r"^(?:Exit status|errno|syscall|path|command|signal|Failed at|This is probably|A complete log|notsup|engine|\d{3} |"
    r"\s*$)"
)
_LOG = Lazy(r"^(?:A complete log of this run|\s+\S+-debug(?:-\d+)?\.log$|Log files were not written)")


def parse(cursor: Cursor) -> list[Event]:
    """The block whose code stands here."""
    line = cursor.line
    text = _said(line)
    if line is None or text is None:
        return []
    found = _CODE.match(text)
    if found is None and not _LONE.match(text):
        return []
    cursor.claim()
    rest: list[str] = []
    while len(rest) < 60 and (more := _next(cursor, line)) is not None:
        rest.append(more)
    rest = [each for each in rest if each.strip() and not _LOG.match(each)]
    message = "\n".join([text.strip(), *(each.rstrip() for each in rest)])
    return [
        told(cursor, line, message, cls=found["cls"] if found else None, language="node", status=_status(found, rest))
    ]


def _said(line: Line | None) -> str | None:
    """What npm says on a line, None where the line is not npm's; a prefix reader may have taken the tag already."""
    if line is None:
        return None
    if tag := _TAG.match(line.text):
        return line.text[tag.end() :]
    return line.text if any("npm" in name for name in line.formats) else None


def _next(cursor: Cursor, line: Line) -> str | None:
    """Claims the next line of the block and returns what it says, unless another grammar begins there."""
    here = cursor.line
    text = _said(here)
    if here is None or text is None or here.formats != line.formats or _CODE.match(text):
        return None
    if not _OWN.match(text) and cursor.begins_event(replace(here, text=text)):
        return None
    cursor.claim()
    return text


def _status(found: re.Match[str] | None, rest: list[str]) -> int | None:
    """The exit status of a script; of other errors `errno` is a system error's number."""
    if found is None:
        return None
    if found["status"]:
        return shell_status(int(found["status"])) or None
    if found["cls"] != "ELIFECYCLE":
        return None
    ends = next((ended for each in rest if (ended := _STATUS.match(each))), None)
    return shell_status(int(ends["status"] or ends["ended"])) or None if ends else None


TRACE = Trace(
    name="npm",
    starts=rf"{_TAG.pattern}|{_CODE.pattern}|{_LONE.pattern}".replace("(?P<cls>", "(?:").replace("(?P<status>", "(?:"),
    parse=parse,
    order=24,
    marks=(
        "npm ERR!",
        "npm error",
        "code E",
        "code 1",
        "code 2",
        "issing script: ",
        "cb() never called",
        "determine executable to run",
        "Unsupported URL Type",
        "Unknown command: ",
        "Lifecycle script `",
        "Invalid package name",
        "Invalid Version",
        "Invalid tag name",
        'Tracker "',
    ),
    samples=(
        TraceSample(
            "npm ERR! code E404\nnpm ERR! 404 Not Found - GET https://example.org/heap\nnpm ERR! \nnpm ERR! A complete "
            "log of this run can be found in:\n"
            "npm ERR!     /home/ci/.npm/_logs/x-debug-0.log",
            (("build", "E404", "code E404\n404 Not Found - GET https://example.org/heap", 1),),
        ),
        TraceSample(
            "npm error code ELIFECYCLE\nnpm error errno 2\nnpm error heap@1.0.0 test: `run`",
            (("build", "ELIFECYCLE", "code ELIFECYCLE\nerrno 2\nheap@1.0.0 test: `run`", 1),),
        ),
        TraceSample('npm ERR! Missing script: "top"', (("build", None, 'Missing script: "top"', 1),)),
    ),
    strangers=("npm WARN deprecated heap@1.0.0: use sort", "code E404", "npm notice code 1"),
)
