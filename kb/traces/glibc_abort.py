"""Deaths that the C library decides on: a damaged heap or stack, a bad format, a thread library at its end.

Source of the messages: glibc malloc/malloc.c, debug/fortify_fail.c, sysdeps/posix/libc_fatal.c; Apple's libmalloc;
jemalloc; tcmalloc.
"""

import re

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_stack import stack_of, take_aborted

_HEAP = (
    r"double free or corruption \([\w!]+\)|free\(\): (?:invalid|double|corrupted|too many)\b.*"
    r"|malloc(?:_consolidate)?\(\): (?:memory corruption|corrupted|smallbin|unaligned|"
    r"invalid|unsorted|largebin|mismatching)\b.*|(?:re|c)alloc\(\): (?:invalid|corrupted|mremap)\b.*"
    r"|munmap_chunk\(\): invalid pointer|corrupted (?:size vs\. prev_size|double-linked "
    r"list).*|break adjusted to free malloc space|tcache_thread_shutdown\(\): .*|mremap_chunk\(\): .*"
)
_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        r"^\*\*\* (?P<message>(?:stack smashing|buffer overflow|%n in writable segment|invalid %N\$ use"
        r"|bit out of range|longjmp causes)[^*]*? ?(?:detected)?)(?: \*\*\*)?: ?(?:terminated|<unknown>"
        r"|.+ terminated)?$",
        r"^\*\*\* (?:Error in|glibc detected \*\*\*) [`']?(?P<program>.{1,300}?)'?: (?P<message>[^*]{1,200}?)(?:: "
        r"0x[0-9a-f]+)? \*\*\*$",
        rf"^(?P<message>{_HEAP})$",
        r"^(?P<message>Fatal glibc error: .+)$",
        r"^\S+\(\d+(?:,0x[0-9a-f]+)?\) malloc: (?P<message>(?:\*\*\* error for object|Double free|Heap corruption).+)$",
        r"^(?P<message><jemalloc>: .*(?:Failed assertion|Corrupt|invalid).*)$",
        r"^(?:src/)?tcmalloc\.cc:\d+\] (?P<message>Attempt to (?:free|realloc) invalid pointer.*)$",
    )
)
_AFTER = re.compile(r"^\*\*\* set a breakpoint in malloc_error_break|^=+ Memory map: =+$")


def parse(cursor: Cursor) -> list[Event]:
    """The death told here, with the backtrace that old C libraries print."""
    line = cursor.line
    if line is None:
        return []
    text = line.text.strip()
    found = next(filter(None, (shape.match(text) for shape in _SHAPES)), None)
    if found is None:
        return []
    cursor.claim()
    if (here := cursor.line) is not None and _AFTER.match(here.text.strip()):
        cursor.claim()
    frames = stack_of(cursor, line)
    take_aborted(cursor)
    return [crash(cursor, line, found["message"], None, frames)]


TRACE = Trace(
    name="glibc_abort",
    starts=r"^\s*\*\*\* \S|^\s*(?:double free|free\(\)|malloc\w*\(\)|realloc\(\)|calloc\(\)|munmap_chunk|corrupted "
    r"|break adjusted|tcache_|mremap_)|^\s*Fatal glibc error"
    r"|\bmalloc: \*\*\*|\bmalloc: (?:Double|Heap)|<jemalloc>: |tcmalloc\.cc:",
    parse=parse,
    order=32,
    marks=(
        "*** stack smashing",
        "*** buffer overflow",
        "*** %n in",
        "*** invalid %N",
        "*** longjmp",
        "*** bit out",
        "*** Error in ",
        "*** glibc detected",
        "double free",
        "free(): ",
        "malloc(): ",
        "malloc_consolidate(): ",
        "alloc(): ",
        "munmap_chunk(): ",
        "corrupted size",
        "corrupted double",
        "break adjusted",
        "tcache_thread_shutdown",
        "mremap_chunk(): ",
        "Fatal glibc error",
        " malloc: ",
        "<jemalloc>: ",
        "tcmalloc.cc:",
    ),
    samples=(
        TraceSample("*** stack smashing detected ***: terminated", (("crash", None, "stack smashing detected", 1),)),
        TraceSample(
            "free(): double free detected in tcache 2",
            (("crash", None, "free(): double free detected in tcache 2", 1),),
        ),
        TraceSample(
            "*** Error in `./app': double free or corruption (out): 0x00007ffe ***\n======= Backtrace: =========\n"
            "/lib/x86_64-linux-gnu/libc.so.6(+0x777e5)[0x7f9e]\n./app(push+0x1a)[0x4006]\n======= Memory map: ========",
            (("crash", None, "double free or corruption (out)", 1),),
        ),
        TraceSample(
            "app(71,0x1ff) malloc: *** error for object 0x60: pointer being freed was not allocated\n"
            "app(71,0x1ff) malloc: *** set a breakpoint in malloc_error_break to debug",
            (("crash", None, "*** error for object 0x60: pointer being freed was not allocated", 1),),
        ),
    ),
    strangers=("calls to malloc() and free() balance", "corrupted sizes are counted: 0"),
)
