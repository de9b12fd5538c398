"""Lua's errors: `lua: file.lua:3: message`, `stack traceback:` and its frames.

Source of the format: lua.c and luaL_traceback in lauxlib.c (5.1 to 5.4), LuaJIT and OpenResty alike.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import give_back, take_frames, told

_HEAD = re.compile(r"(?:^|: )(?P<file>[^\s:]+\.lua|\[string \"[^\"]*\"\]):(?P<line>\d+): (?P<message>\S.*)$")
_STACK = re.compile(r"^\s*stack traceback:$")
_FRAME = re.compile(r"^\s+(?P<file>\[C\]|[^\s:]+|\[string \"[^\"]*\"\]):(?:(?P<line>\d+):)? in (?P<function>.+)$")
_NAME = re.compile(r"^(?:function|method|local|upvalue|field|global) '?<?(?P<name>[^'>]+)'?>?$")


def parse(cursor: Cursor) -> list[Event]:
    """The error that begins here; nothing where no stack follows."""
    line = cursor.line
    if line is None or (found := _HEAD.search(line.text)) is None:
        return []
    at, count = cursor.at, len(cursor.claimed)
    cursor.claim()
    mark = cursor.line
    if mark is None or not _STACK.match(mark.text):
        give_back(cursor, at, count)
        return []
    cursor.claim()
    site = Frame(found["file"], int(found["line"]))
    frames = take_frames(cursor, read_frame)
    own = frames if any(f.file == site.file and f.line == site.line for f in frames) else (site, *frames)
    return [told(line, "exception", found["message"], language="lua", frames=own, claimed=cursor.numbers)]


def read_frame(text: str) -> Frame | None:
    """The frame of a line `file.lua:3: in function 'f'`, None for any other line."""
    found = _FRAME.match(text)
    if found is None:
        return None
    named = _NAME.match(found["function"])
    return Frame(
        found["file"],
        int(found["line"]) if found["line"] else None,
        named["name"] if named else found["function"],
        runtime=found["file"] == "[C]",
    )


TRACE = Trace(
    name="lua",
    starts=r"(?:\.lua|\"\]):\d+: \S",
    parse=parse,
    order=45,
    marks=(".lua:", '"]:'),
    samples=(
        TraceSample(
            "lua: pier.lua:3: no berth\nstack traceback:\n\t[C]: in function 'error'\n\tpier.lua:3: in function"
            " 'moor'\n\tpier.lua:9: in main chunk",
            (("exception", None, "no berth", 1),),
        ),
    ),
    strangers=("pier.lua:3: warning",),
)
