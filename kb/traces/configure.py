"""Errors of autotools' configure scripts and of autoconf, automake and libtool themselves.

Source of the format: autoconf's lib/autoconf/general.m4 (AS_MESSAGE, AC_MSG_ERROR, AC_MSG_FAILURE). The message may
follow a question (`checking for heap... configure: error: …`) on the same line.
"""

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, block, joined, place, told

_ERROR = Lazy(r"(?:^|\.\.\. ?|\s)configure: error: (?P<said>.*)$")
_IN = Lazy(r"^in [`'‘]")
_MORE = Lazy(r"^(?:See [`'‘]?config\.log|If you |\s+\S|To |Please |Consider |Alternatively)|^\s*$")
_M4 = Lazy(
    r"^(?P<file>(?:configure\.(?:ac|in)|\S*Makefile\.am|\S+\.m4)):(?P<line>\d+): (?P<message>(?:error: |possibly "
    r"undefined macro).*)$"
)


def parse(cursor: Cursor) -> list[Event]:
    """The error on the line here, with the lines that continue it."""
    line = cursor.line
    if line is None:
        return []
    if found := _M4.match(line.text):
        cursor.claim()
        return [told(cursor, line, found["message"].rstrip(), frames=(place(found["file"], found["line"]),))]
    found = _ERROR.search(line.text)
    if found is None:
        return []
    cursor.claim()
    following = cursor.line
    if _IN.match(found["said"]) and following is not None and (second := _ERROR.search(following.text)):
        line, found = cursor.claim(), second
    rest = block(cursor, line, _MORE.match, 12)
    while rest and not rest[-1].strip():
        rest.pop()
    return [told(cursor, line, joined(f"configure: error: {found['said'].rstrip()}", rest))]


TRACE = Trace(
    name="configure",
    starts=r"configure: error: |^\S+:\d+: (?:error: |possibly undefined macro)",
    parse=parse,
    order=24,
    marks=(
        "configure: error: ",
        ": possibly undefined macro",
        "configure.ac:",
        "configure.in:",
        "Makefile.am:",
        ".m4:",
    ),
    samples=(
        TraceSample(
            "checking for heap... configure: error: in `/srv/b':\nconfigure: error: no heap was found\nSee "
            "`config.log' for more details",
            (("build", None, "configure: error: no heap was found\nSee `config.log' for more details", 2),),
        ),
        TraceSample(
            "configure.ac:9: error: possibly undefined macro: AC_HEAP",
            (("build", None, "error: possibly undefined macro: AC_HEAP", 1),),
        ),
    ),
    strangers=("configure: WARNING: no heap", "checking for errors... none"),
)
