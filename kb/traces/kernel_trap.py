"""Crashes of user programs as the Linux kernel logs them: `python[12]: segfault at 0 ip … error 4 in lib.so[…]`.

Source of the format: arch/x86/mm/fault.c and arch/x86/kernel/traps.c (show_signal_msg), arm64's arm64_show_signal.
"""

import re

from kb.model.event import Event, Frame, Line
from kb.traces import Trace, TraceSample
from kb.traces._told import one_line, told

_TRAP = re.compile(
    r"(?:traps: )?(?<![^\s\[\]])(?P<name>[^\s\[\]]+)\[(?P<pid>\d+)\]:? (?P<what>segfault at [0-9a-f]+|general"
    r" protection(?: fault)?|trap \w[\w ]*?|unhandled \w[\w ()]*?"
    r"|bad frame in [\w ]+?)[: ]+(?:ip|rip|nip|pc)[: ](?P<ip>[0-9a-f]+)(?P<rest>.*)$"
)
_LIBRARY = re.compile(r" in (?P<file>[^\s\[]+)\[")
_SIGNALS = (("invalid opcode", 4), ("int3", 5), ("divide", 8), ("alignment", 7))


def _build(line: Line, found: re.Match[str]) -> Event:
    signal = next((number for word, number in _SIGNALS if word in found["what"]), 11)
    library = _LIBRARY.search(found["rest"])
    frames = (Frame(library["file"]),) if library else ()
    return told(
        line,
        "crash",
        line.text.strip()[found.start() :].strip(),
        pid=int(found["pid"]),
        exit_status=-signal,
        frames=frames,
    )


TRACE = Trace(
    name="kernel_trap",
    starts=r"\]:? (?:segfault at |general protection|trap \w|unhandled |bad frame in )",
    parse=one_line(_TRAP, _build),
    order=11,
    marks=("segfault at ", "general protection", " trap ", "] unhandled ", "bad frame in "),
    samples=(
        TraceSample(
            "pier[81]: segfault at 0 ip 00007f10 sp 00007ffe error 4 in libboat.so[7f00+1000]",
            (("crash", None, "pier[81]: segfault at 0 ip 00007f10 sp 00007ffe error 4 in libboat.so[7f00+1000]", 1),),
        ),
        TraceSample(
            "traps: pier[81] trap invalid opcode ip:55d0 sp:7ffe error:0 in pier[55d0+1000]",
            (("crash", None, "traps: pier[81] trap invalid opcode ip:55d0 sp:7ffe error:0 in pier[55d0+1000]", 1),),
        ),
    ),
    strangers=("a segfault at the harbour", "pier[81]: trap set for 3 crabs"),
)
