"""Perl's `die` and Carp's `confess`: `message at FILE line N.` with the callers below it.

Source of the format: mess_sv in perl's util.c, Carp.pm. What perl only warns of has the same shape; its known
wordings are left alone."""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import take_frames, told

_DIED = re.compile(
    r"^(?P<message>\S.*?) at (?P<file>\S*\.(?:p[lm]|t|cgi|psgi|PL)|-e|\S+/bin/\S+) line (?P<line>\d+)(?:, <[^>]*>"
    r" (?:line|chunk) \d+)?\.?$"
)
_FRAME = re.compile(
    r"^\s+(?P<function>[\w:]+(?:::[\w:]+)*)\(.*\) called at (?P<file>\S+) line (?P<line>\d+)$|^\s+(?P<eval>eval"
    r" \{\.\.\.\}|require \S+) called at (?P<efile>\S+) line (?P<eline>\d+)$"
)
_FOLLOWS = re.compile(r"^(?:BEGIN failed--compilation aborted|Compilation failed in require) at \S+ line \d+")
_WARNING = re.compile(
    r"^(?:Use of (?:uninitialized|inherited|freed)|Argument \S.* isn't numeric|Odd number of elements|Name \""
    r"|Subroutine \S+ redefined"
    r"|Useless use|Deep recursion|Scalar value|Possible |\"my\" variable|Redundant argument|Smartmatch|Wide character"
    r" in|Unquoted string"
    r"|substr outside|splice\(\)|Found = in|Statement unlikely|Reference found|given is|when is|Subroutine"
    r"|print\w*\(\) on|readline\(\) on)"
)


def parse(cursor: Cursor) -> list[Event]:
    """The death that the line here tells, or nothing."""
    line = cursor.line
    if (
        line is None
        or (found := _DIED.match(line.text)) is None
        or _WARNING.match(line.text)
        or _FOLLOWS.match(line.text)
    ):
        return []
    cursor.claim()
    frames = (Frame(found["file"], int(found["line"])), *take_frames(cursor, read_frame, _FOLLOWS))
    return [told(line, "error", found["message"], language="perl", frames=frames, claimed=cursor.numbers)]


def read_frame(text: str) -> Frame | None:
    """The frame of a line `\\tpackage::sub(args) called at FILE line N`, None for any other line."""
    found = _FRAME.match(text)
    if found is None:
        return None
    if found["eval"]:
        return Frame(found["efile"], int(found["eline"]), found["eval"].split(" ")[0], runtime=True)
    return Frame(found["file"], int(found["line"]), found["function"])


TRACE = Trace(
    name="perl",
    starts=r"^\S.* at (?:\S*\.(?:p[lm]|t|cgi|psgi|PL)|-e|\S+/bin/\S+) line \d+",
    parse=parse,
    order=45,
    marks=(".pl line ", ".pm line ", ".t line ", " at -e line ", ".cgi line ", ".psgi line ", ".PL line "),
    samples=(
        TraceSample(
            "no berth at pier.pl line 3.\n\tPier::moor(1, 2) called at pier.pl line 9",
            (("error", None, "no berth", 1),),
        ),
        TraceSample(
            "Can't locate Pier/Boat.pm in @INC at pier.pl line 2.\nBEGIN failed--compilation aborted at pier.pl line"
            " 2.",
            (("error", None, "Can't locate Pier/Boat.pm in @INC", 1),),
        ),
    ),
    strangers=("Use of uninitialized value $berth in addition (+) at pier.pl line 3.", "look at pier.pl line by line"),
)
