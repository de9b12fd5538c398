"""One frame of a native stack, in the shapes that debuggers, sanitizers, crash handlers and C libraries print.

Source of the formats: compiler-rt's stack printer, GDB and LLDB, glog and Abseil, glibc's backtrace_symbols,
Chromium's base/debug, Boost and backward-cpp, libunwindstack (Android), CDB, torch's c10.
"""

import re
from dataclasses import dataclass

from kb.model.event import Frame
from kb.traces._demangle import demangle
from kb.traces._runtime_frames import is_runtime

_SHOWN = 4000
"""Characters of a frame line that are looked at: mangled templates may fill pages."""

_HEX = r"(?:0x)?[0-9a-fA-F`]{6,18}"
_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        # torch c10: frame #3: f + 0x12 (0x7f in /lib.so)
        r"^frame #(?P<number>\d+): (?P<rest>\S.*?) \+ 0x[0-9a-f]+ \(0x[0-9a-f]+ in (?P<lib>[^()]+)\)$",
        # LLDB: frame #0: 0x00 prog`f(args) at a.c:3:5
        r"^(?:\* )?frame #(?P<number>\d+): 0x[0-9a-f]+ (?P<lib>[^`\s]+)`(?P<rest>.+)$",
        # Android: #00 pc 0001234  /system/lib/libc.so (abort+12)
        r"^#(?P<number>\d+) +pc [0-9a-f]{4,16} +(?P<lib>\S+)(?: \(offset 0x[0-9a-f]+\))?(?: "
        r"\((?!BuildId)(?P<rest>[^+]*(?:\+(?!\d+\))[^+]*)*)(?:\+\d+)?\))?(?: \(BuildId: \w+\))?$",
        # backward-cpp: #4    Source "a.cpp", line 12, in f
        r'^#(?P<number>\d+) +(?:Source|Object) "(?P<file>[^"]*)", (?:line (?P<line>\d+)'
        r"|at 0x[0-9a-f]+), in (?P<rest>.+)$",
        # sanitizers: #0 0x12 in f(args) file:l:c  Chromium: #0 0x12 f()  kernel library: #0 [<0x12>] f+0x1/0x2
        r"^#(?P<number>\d+)(?:\.\d+)?\s+\[?<?(?:0x[0-9a-fA-F*]+"
        r"|[0-9a-fA-F]{8,16})>?\]? +(?P<spelled>in (?!\((?!anonymous))|)(?P<rest>(?!in$)\S.*)$",
        # sanitizer without a symbol or half cut
        rf"^#(?P<number>\d+)\s+{_HEX}(?: in)?$",
        # GDB without address: #1  f (a=1) at file.c:3
        r"^#(?P<number>\d+) {1,2}(?P<rest>[A-Za-z_~<(].*[)>].*)$",
        # glog: @     0x7f  f()
        r"^(?:PC: )?@ +0x[0-9a-f]+(?: \(\S+\))?(?: {1,2}(?P<rest>\S.*)| *)$",
        # Boost: 0# f(int) at a.cpp:3
        r"^(?P<number>\d+)# (?P<rest>\S.*)$",
        # Chromium on Windows and old ones: f [0x12+34] (file.cc:3)
        r"^(?P<rest>(?!.*\)\+0x)[A-Za-z_~?`<(].*?) \[(?:\d+\.)?0x[0-9a-fA-F]+(?:\+\d+)?\](?: "
        r"\((?P<file>[^()]+?):(?P<line>\d+)\))?$",
        # macOS: 3   libfoo.dylib   0x0000000012345678 f + 12
        r"^(?P<number>\d+) +(?P<lib>\S[^()]*?) +0x[0-9a-f]{8,16} (?P<rest>\S.*?) \+ \d+$",
        # backtrace_symbols: /lib/x.so(f+0x12) [0x7f]
        r"^(?P<lib>[/.\w][^()\s]*)\((?P<rest>[^+]*)\+0x[0-9a-f]+\) ?\[0x[0-9a-f]+\]$",
        # CDB: 002df7e4 00fd1423 prog!f+0x1e [a.c @ 3]
        r"^(?:[0-9a-f]{2} )?[0-9a-f`]{8,17} [0-9a-f`]{8,17} (?:: )?(?:[0-9a-f`]{8,17} )*(?:: "
        r")?(?P<lib>[\w.]+)!(?P<rest>\S.*?)\+0x[0-9a-f]+(?: \[(?P<file>.+) @ (?P<line>\d+)\])?$",
        # UCX: 3 0x0000000000012345 f()  file.c:12
        r"^(?P<number>\d+) 0x[0-9a-f]{8,16} (?P<rest>[A-Za-z_~<(].*)$",
        # numbers only: 1: 0x7f12, [0x7f12]
        r"^(?P<number>\d+): 0x[0-9a-f]+$|^\[0x[0-9a-f]+\]$",
    )
)
_PLACE = re.compile(
    r" (?:at |in )?(?P<file>[A-Za-z]:[\\/][^:]+|[^\s:()]+)(?::(?P<line>\d+))(?::\d+)?(?: \(discriminator \d+\))?"
    r"(?: \(BuildId: \w+\))?$"
    r"| \[(?P<inside>[^\s\[\]]+):(?P<row>\d+)(?::\d+)?\]$"
    r"| \((?P<module>[^()]+)\+0x[0-9a-fA-F]+\)(?: \(BuildId: \w+\))?$"
    r"| \(?(?:from )?(?P<lib>/[^\s()+]+|<[^<>]+>|[^\s()+]+\.(?:so|dylib|dll"
    r"|exe)[.\d]*)(?:\+0x[0-9a-fA-F]+)?\)?(?: \(BuildId: \w+\))?\)?$"
    r"| (?P<path>[^\s:()<>]*[/\\][^\s:()<>]+\.\w{1,4}|[A-Za-z]:\\[^:]+|[\w.-]+\.(?:c|cc|cpp|cxx|h|hpp|rs|S|m|mm))$"
)
_MODULE_BEHIND = re.compile(r" <{1,2}[^<>\s]*>{1,2}\+0x[0-9a-f]+$")
_OFFSET = re.compile(r"\s?\+\s?(?:0x)?[0-9a-f]+(?:/0x[0-9a-f]+)?(?: \[\w+\])?$")
_GDB_CALL = re.compile(r"^(?P<name>\S.*?) \((?P<args>\)$|[\w@<$*&]+=|this=|\.\.\.|<optimized)")
_NAMELESS = (
    "(anonymous namespace)::",
    "`anonymous namespace'::",
    "`anonymous-namespace'::",
    "{anonymous}::",
    "<unnamed>::",
)
_MODULE = re.compile(r"^(?:\[\w+\]|<?[\w.+-]+\.(?:so|dylib|dll)[.\d]*>?)$")
_UNKNOWN = re.compile(
    r"^(?:<unknown[ >]|<signal handler|\(unknown\)|\?\?|<unavailable>|<null>|0x[0-9a-f]+$|\(<unknown module>\))"
)


@dataclass(frozen=True, slots=True)
class StackLine:
    """What one line of a stack says: its number where it has one, and the frame unless the line holds only an
    address."""

    number: int | None
    frame: Frame | None


def stack_line(text: str) -> StackLine | None:
    """The line of a native stack in `text`, or None for any other line."""
    stripped = text.strip()[:_SHOWN]
    if (
        not stripped
        or stripped[0] not in "#@[*/.frameP0123456789abcdefABCDEFGHIJKLMNOPQRSTUVWXYZghijklnopqstuvwxyz_~?`<("
    ):
        return None
    for shape in _SHAPES:
        if found := shape.match(stripped):
            groups = found.groupdict()
            number = groups.get("number")
            return StackLine(int(number) if number else None, _frame(groups))
    return None


def _frame(groups: dict[str, str | None]) -> Frame | None:
    rest = (groups.get("rest") or "").strip()
    rest = _MODULE_BEHIND.sub("", rest)
    if _UNKNOWN.match(rest) and "<signal handler" in rest:
        return None
    file, number = groups.get("file") or groups.get("lib") or "", groups.get("line")
    if rest and (not groups.get("file")) and (place := _PLACE.search(" " + rest)):
        rest = (" " + rest)[: place.start()].strip()
        number = place["line"] or place["row"]
        file = place["file"] or place["inside"] or place["lib"] or place["module"] or place["path"] or file
    if _UNKNOWN.match(rest):
        rest = ""
    if not rest and (not file or file.startswith("<unknown")):
        return None
    if _MODULE.match(rest):
        rest, file = "", file or rest
    name = demangle(bare_function(rest)) or None
    return Frame(file, int(number) if number else None, name, runtime=is_runtime(name, file))


def bare_function(name: str) -> str:
    """A function's name without arguments, qualifiers behind them, offset and the name of the nameless namespace."""
    name = _OFFSET.sub("", name.strip())
    if called := _GDB_CALL.match(name):
        name = called["name"]
    for nameless in _NAMELESS:
        name = name.replace(nameless, "")
    name = re.sub(r"\)(?: const| volatile| noexcept| &{1,2}| \[clone [^\]]*\]| \(\.[\w.]+\))+$", ")", name)
    name = re.sub(r" \(\.[\w.]+\)$", "", name)
    return _without_arguments(name).strip()


def _without_arguments(name: str) -> str:
    """Cuts the bracket that closes the name, and keeps `operator()`."""
    if not name.endswith(")") or name.endswith("operator()"):
        return name if name.endswith(("operator()", ")")) else name.partition("(")[0] if _cut_off(name) else name
    depth = 0
    for at in range(len(name) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(name[at], 0)
        if depth == 0:
            return name[:at] or name
    return name


def _cut_off(name: str) -> bool:
    """Whether a bracket was opened that never closes: the line was cut inside the arguments."""
    return name.count("(") > name.count(")")
