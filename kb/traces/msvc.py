"""Diagnostics with an error code: MSVC, its linker, MSBuild, C# and F#, NuGet, NMAKE, and tsc without `--pretty`.

Source of the format: MSBuild's canonical error format, `origin(line,column): [category ]error CODE: text`.
"""

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, language_of, place, told

_ERROR = Lazy(r" ?: (?:Command line )?(?P<message>(?:fatal |general )?error +(?P<cls>[A-Z]{1,10}\d{2,6}) ?: \S.*)$")
_ORIGIN = Lazy(r"^\s*(?:\d+>)?\s*(?P<file>\S.*?)(?:\((?P<line>\d+)(?:[,-]\d+)*\))?$")
_PROJECT = Lazy(r" \[[^\[\]]+\.\w*proj(?:::[^\]]*)?\]$")
_CHILD = Lazy(r"(?:return code|exited with code) '?(?P<status>-?\d+|0x[0-9a-fA-F]+)'?")


def parse(cursor: Cursor) -> list[Event]:
    """The coded error on the line here."""
    line = cursor.line
    found = _ERROR.search(line.text) if line else None
    if line is None or found is None:
        return []
    cursor.claim()
    message = _PROJECT.sub("", found["message"].rstrip())
    origin = _ORIGIN.match(line.text[: found.start()])
    frames: tuple[Frame, ...] = (place(origin["file"], origin["line"]),) if origin and origin["line"] else ()
    child = _CHILD.search(message)
    status = int(child["status"], 0) or None if child else None
    return [
        told(
            cursor,
            line,
            message,
            cls=found["cls"],
            language=language_of(origin["file"]) if origin else None,
            frames=frames,
            status=status,
        )
    ]


TRACE = Trace(
    name="msvc",
    starts=r": (?:Command line )?(?:fatal |general )?error +[A-Z]{1,10}\d{2,6} ?: ",
    parse=parse,
    order=27,
    marks=(": error ", ": fatal error ", ": general error ", "Command line error "),
    samples=(
        TraceSample(
            "C:\\src\\heap.cpp(12,3): error C2065: 'top': undeclared identifier [C:\\b\\heap.vcxproj]",
            (("build", "C2065", "error C2065: 'top': undeclared identifier", 1),),
        ),
        TraceSample(
            "heap.obj : error LNK2019: unresolved external symbol top referenced in function main",
            (("build", "LNK2019", "error LNK2019: unresolved external symbol top referenced in function main", 1),),
        ),
        TraceSample(
            "LINK : fatal error LNK1104: cannot open file 'heap.lib'",
            (("build", "LNK1104", "fatal error LNK1104: cannot open file 'heap.lib'", 1),),
        ),
        TraceSample(
            "src/heap.ts(4,9): error TS2304: Cannot find name 'top'.",
            (("build", "TS2304", "error TS2304: Cannot find name 'top'.", 1),),
        ),
        TraceSample(
            "NMAKE : fatal error U1077: 'cl' : return code '0x2'",
            (("build", "U1077", "fatal error U1077: 'cl' : return code '0x2'", 1),),
        ),
    ),
    strangers=("heap.cpp(12): warning C4996: 'error' was declared deprecated", "    0 Error(s)"),
)
