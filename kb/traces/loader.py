"""The dynamic loader's refusals before `main`: a shared library or a symbol that is not there.

Source of the formats: glibc elf/dl-load.c, dl-lookup.c and dl-version.c; musl ldso/dynlink.c; bionic
linker/linker.cpp; Apple's dyld.
"""

import re

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash

_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        r"^\S+: (?P<message>error while loading shared libraries: .+)$",
        r"^\S+: (?P<message>symbol lookup error: .+|relocation error: .+"
        r"|\S+: version `.+' not found \(required by .+\))$",
        r"^(?P<message>Error loading shared library .+|Error relocating .+: symbol not found)$",
        r"^(?:WARNING: linker: )?(?P<message>CANNOT LINK EXECUTABLE .+)$",
        r"^(?:dyld(?:\[\d+\])?: )(?P<message>(?:Library not loaded|Symbol not found|missing symbol called"
        r"|Symbol missing).*)$",
    )
)
_MORE = re.compile(r"^\s+(?:Referenced from|Reason|Expected in):")


def parse(cursor: Cursor) -> list[Event]:
    """The refusal told here; dyld goes on over indented lines."""
    line = cursor.line
    if line is None:
        return []
    text = line.text.strip()
    found = next(filter(None, (shape.match(text) for shape in _SHAPES)), None)
    if found is None:
        return []
    cursor.claim()
    parts = [found["message"]]
    while (here := cursor.line) is not None and text.startswith("dyld") and _MORE.match(here.text):
        parts.append(cursor.claim().text.strip())
    mild = ": version `" in parts[0]  # a tool beside the program may lack it too
    return [crash(cursor, line, "\n".join(parts), kind="error" if mild else "crash")]


TRACE = Trace(
    name="loader",
    starts=r": error while loading shared libraries: |: symbol lookup error: |: relocation error: "
    r"|' not found \(required by |^\s*Error (?:loading shared|relocating) "
    r"|CANNOT LINK EXECUTABLE |^\s*dyld(?:\[\d+\])?: ",
    parse=parse,
    order=33,
    marks=(
        "error while loading shared",
        "symbol lookup error: ",
        "relocation error: ",
        "not found (required by",
        "Error loading shared",
        "Error relocating ",
        "CANNOT LINK EXECUTABLE",
        "dyld: ",
        "dyld[",
    ),
    samples=(
        TraceSample(
            "./app: error while loading shared libraries: libq.so.1: cannot open shared object file: No such file "
            "or directory",
            (
                (
                    "crash",
                    None,
                    "error while loading shared libraries: libq.so.1: cannot open shared object file: No such file "
                    "or directory",
                    1,
                ),
            ),
        ),
        TraceSample(
            "dyld[71]: Library not loaded: @rpath/libq.dylib\n  Referenced from: /srv/app\n"
            "  Reason: tried: '/srv/libq.dylib' (no such file)",
            (
                (
                    "crash",
                    None,
                    "Library not loaded: @rpath/libq.dylib\nReferenced from: /srv/app\n"
                    "Reason: tried: '/srv/libq.dylib' (no such file)",
                    1,
                ),
            ),
        ),
    ),
    strangers=("no error while loading the shared libraries", "dyld: loaded 3 images"),
)
