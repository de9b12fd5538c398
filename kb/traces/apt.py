"""Errors of apt and dpkg.

Source of the format: apt's apt-private/private-main.cc (`E: text`, `W: text`), dpkg's lib/dpkg/ehandle.c.
"""

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, block, joined, told

_APT = Lazy(
    r"^\s*(?:\d+\.\d+ )?E: (?P<message>(?:Unable to|Package |Failed to|Could not|Couldn't|Sub-process|The "
    r"(?:repository|package|method|list|value|update)|"
    r"Unmet|Version |Release |Some |You |Type |Malformed|Conflicting|Repository|Read error|Write error|Problem|Broken|"
    r"Can't|Cannot|Invalid|No |Not |"
    r"There |Essential|Pkg|dpkg|Held|Target|Method|Internal|GPG|Setting|Unsupported|File |List |Error|Command|"
    r"Encountered|One ).*)$"
)
_CHILD = Lazy(r"returned an error code \((?P<code>\d+)\)")
_DPKG = Lazy(
    r"^\s*(?P<message>dpkg(?:-deb|-divert|-buildpackage)?: error(?: processing (?:package|archive) (?:.*))?:? .*|dpkg: "
    r"error processing .*:)$"
)
_LIST = Lazy(r"^\s*Errors were encountered while processing:")
_STATUS = Lazy(r"(?:error exit status|returned exit status|exit status) (?P<code>\d+)")


def parse(cursor: Cursor) -> list[Event]:
    """The error on the line here; dpkg's with the indented reason under it."""
    line = cursor.line
    if line is None:
        return []
    if found := _APT.match(line.text):
        cursor.claim()
        message = found["message"].rstrip()
        code = _CHILD.search(message)
        return [told(cursor, line, message, status=int(code["code"]) or None if code else None)]
    found = _DPKG.match(line.text)
    if found is None:
        return []
    cursor.claim()
    rest = block(cursor, line, lambda text: text.startswith(" "), 6)
    block(cursor, line, lambda text: _LIST.match(text) or text.startswith(" /"), 10)
    message = joined(found["message"].rstrip(), rest)
    code = _STATUS.search(message)
    return [told(cursor, line, message, status=int(code["code"]) or None if code else None)]


TRACE = Trace(
    name="apt",
    starts=r"^\s*(?:\d+\.\d+ )?E: [A-Zdp]|^\s*dpkg[\w-]*: error",
    parse=parse,
    order=24,
    marks=("E: ", "dpkg: error", "dpkg-deb: error", "dpkg-divert: error", "dpkg-buildpackage: error"),
    samples=(
        TraceSample(
            "E: Unable to locate package libheap-dev", (("build", None, "Unable to locate package libheap-dev", 1),)
        ),
        TraceSample(
            "dpkg: error processing package heap (--configure):\n installed heap package post-installation script "
            "subprocess returned error exit status 1\n"
            "Errors were encountered while processing:\n heap\nE: Sub-process /usr/bin/dpkg returned an error code (1)",
            (
                (
                    "build",
                    None,
                    "dpkg: error processing package heap (--configure):\n"
                    "installed heap package post-installation script subprocess returned error exit status 1",
                    1,
                ),
                ("build", None, "Sub-process /usr/bin/dpkg returned an error code (1)", 5),
            ),
        ),
    ),
    strangers=("W: Failed to fetch http://example.org/heap", "Err:3 http://example.org heap", "LINE: Unable to"),
)
