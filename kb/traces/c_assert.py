"""Failed `assert` of C and C++ libraries, and of the frameworks that have their own.

Source of the formats: glibc assert/assert.c, musl, bionic, newlib, Apple's and Microsoft's C runtimes, GLib
gtestutils.c, Qt qglobal.cpp, WebKit's wtf/Assertions.cpp.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_frames import bare_function
from kb.traces._native_stack import dies_here, stack_of, take_aborted

_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        # glibc: prog: file.c:12: function: Assertion `x' failed.
        r"^(?:[^:\s][^:]*: )??(?P<file>[^\s:][^:]*):(?P<line>\d+): (?:(?P<function>[^`]+?): "
        r")?(?P<message>Assertion [`'\"].+ failed\b.*)$",
        # Apple: Assertion failed: (x), function f, file g.c, line 12.
        r"^(?P<message>Assertion failed: .+?), function (?P<function>.+?), file (?P<file>.+?), line (?P<line>\d+)",
        # Microsoft: Assertion failed: x, file g.c, line 12      Swift: Assertion failed: file a/b.swift, line 9
        r"^(?P<message>(?:Assertion|Fatal error|Precondition) failed: .+?)[,:] file (?P<file>.+?), line (?P<line>\d+)",
        r"^(?P<message>Assertion failed): file (?P<file>.+?), line (?P<line>\d+)$",
        # musl: Assertion failed: x (g.c: f: 12)
        r"^(?P<message>Assertion failed: .+) \((?P<file>[^:()]+): (?P<function>[^:]+): (?P<line>\d+)\)$",
        # bionic: g.c:12: f: assertion "x" failed
        r"^(?P<file>[^\s:][^:]*):(?P<line>\d+): (?P<function>.+?): (?P<message>assertion \".+\" failed)$",
        # newlib: assertion "x" failed: file "g.c", line 12, function: f
        r"^(?P<message>assertion \".+\" failed): file \"(?P<file>[^\"]+)\", line (?P<line>\d+)(?:, function: "
        r"(?P<function>.+))?$",
        # GLib: ERROR:g.c:12:f: assertion failed: (x)
        r"^(?:\*\*\s*)?(?:\w[\w-]*:)?ERROR:(?P<file>[^:]+):(?P<line>\d+):(?P<function>[^:]+(?:::[^:]+)*): "
        r"(?P<message>assertion failed\b.*|code should not be reached.*)$",
        # GLib's g_return_if_fail, deadly only where the program made it so: f: assertion 'x' failed
        r"^(?:.{0,200}[:*] )?(?P<function>\w+): (?P<unsure>(?P<message>assertion '.+' failed))$",
        # Qt: ASSERT: "x" in file g.cpp, line 12      ASSERT failure in f: "m", file g.cpp, line 12
        r"^(?P<message>ASSERT(?:: \".+\"| failure in .+)),? (?:in )?file (?P<file>.+), line (?P<line>\d+)$",
        # WebKit: ASSERTION FAILED: x, its place on the next line
        r"^(?P<message>ASSERTION FAILED: \S.*)$",
        # google3: assertion failed at file:line in f: x
        r"^(?:\S+ )?(?P<message>assertion failed at (?P<file>\S+):(?P<line>\d+) in (?P<function>.+?): \S.*)$",
        # a logger's: assert failure: x
        r"^(?:.*\[assert\] )?(?:(?P<file>[^\s:]+):(?P<line>\d+)\] )?(?P<message>(?:assert failure|panic): \S.*)$",
    )
)
_PLACE = re.compile(r"^(?P<file>\S[^()]*)\((?P<line>\d+)\) : (?P<function>\S.*)$")


def parse(cursor: Cursor) -> list[Event]:
    """The assertion told here, at the stack that was printed after it, else at the place that it names."""
    line = cursor.line
    if line is None:
        return []
    text = line.text.strip()
    found = next(filter(None, (shape.match(text) for shape in _SHAPES)), None)
    if found is None:
        return []
    cursor.claim()
    if found.groupdict().get("unsure") and not dies_here(cursor):
        return []
    groups = found.groupdict()
    if not groups.get("file") and (here := cursor.line) is not None and (place := _PLACE.match(here.text.strip())):
        cursor.claim()
        groups |= place.groupdict()
    named = (_site(groups),) if groups.get("file") else ()
    frames = stack_of(cursor, line) or named
    take_aborted(cursor)
    return [crash(cursor, line, groups["message"] or "", "assert", frames)]


def _site(groups: dict[str, str | None]) -> Frame:
    function = groups.get("function")
    return Frame(
        groups.get("file") or "", int(groups.get("line") or 0) or None, bare_function(function) if function else None
    )


TRACE = Trace(
    name="c_assert",
    starts=r"(?i:\bassertion\b.{0,1500}? failed|\bassertion failed\b|\bassert failure\b)|\[assert\] .{0,1500}?\bpanic: "
    r"|^ASSERT(?::"
    r"| failure)|ERROR:[^:\s]{1,500}:\d+:[^\s]{1,500}: (?:assertion failed|code should)"
    r"|^(?:Fatal error|Precondition) failed: ",
    parse=parse,
    order=35,
    marks=(
        "ssertion",
        "ASSERT",
        "assert failure: ",
        "[assert] ",
        "code should not be reached",
        "Precondition failed: ",
    ),
    samples=(
        TraceSample(
            "app: src/queue.cpp:118: void Queue::push(Node*): Assertion `node != nullptr' failed.",
            (("crash", "assert", "Assertion `node != nullptr' failed.", 1),),
        ),
        TraceSample(
            "Assertion failed: (n > 0), function grow, file heap.c, line 12.",
            (("crash", "assert", "Assertion failed: (n > 0)", 1),),
        ),
        TraceSample(
            "ERROR:../lib/tree.c:709:tree_walk: assertion failed: (depth < limit)",
            (("crash", "assert", "assertion failed: (depth < limit)", 1),),
        ),
        TraceSample(
            "(app:7): Gtk-CRITICAL **: gtk_tree_walk: assertion 'depth < limit' failed\nAborted (core dumped)",
            (("crash", "assert", "assertion 'depth < limit' failed", 1),),
        ),
        TraceSample(
            "ASSERTION FAILED: size() > 0\nlib/Buffer.cpp(44) : T Buffer::last()",
            (("crash", "assert", "ASSERTION FAILED: size() > 0", 1),),
        ),
    ),
    strangers=(
        "the assertion that all tests failed is wrong",
        "ok 4 - assertion holds",
        "(app:7): Gtk-CRITICAL **: gtk_tree_walk: assertion 'depth < limit' failed\nnext row",
    ),
)
