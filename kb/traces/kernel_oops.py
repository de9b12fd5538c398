"""The Linux kernel's own crashes: oops, BUG, panic, KASAN and its sisters, with registers and call trace.

Source of the format: arch/x86/kernel/dumpstack.c, arch/arm64/kernel/traps.c, mm/kasan/report.c, kernel/panic.c of
Linux; LKL.
"""

import re
from dataclasses import dataclass, field

from kb.model.event import Event, Frame
from kb.traces import PATIENCE, Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_frames import stack_line
from kb.traces._runtime_frames import is_runtime

_HEADER = re.compile(
    r"(?P<message>BUG: (?P<bug>KASAN|KMSAN|KCSAN|KFENCE): (?P<cls>[\w -]+?)(?: in (?P<in>\S.*)| on .*)?$"
    r"|kernel BUG at (?P<place>\S+?)!?$|Kernel panic - not syncing: .+"
    r"|BUG: (?:unable to handle|kernel NULL pointer|sleeping function|soft lockup|scheduling while|spinlock"
    r"|workqueue lockup|Bad page).*"
    r"|(?:general protection fault|divide error|invalid opcode|stack segment|double fault"
    r"|page fault)[^:]*: [0-9a-f]{4} \[#\d+\].*|general protection fault, .+"
    r"|Unable to handle kernel (?:NULL pointer dereference|paging request|access|read|write|execute).*"
    r"|Internal error: .+\[#\d+\].*|watchdog: BUG: soft lockup.*|Oops(?: -)?[^:]{0,40}: .*"
    r"|KASAN: (?P<kasan>[\w-]+(?: \w+)?) in range .*|Unhandled fault: .+)"
)
_RIP = re.compile(
    r"^(?:[ER]?IP:? (?:[0-9a-f]{4}:)?(?:\[<[0-9a-f]+>\]\s*)*)(?P<function>[\w.$]+)\+0x[0-9a-f]+/0x[0-9a-f]+(?: "
    r"\[\w+\])?(?: (?P<file>\S+?):(?P<line>\d+))?"
)
_CALL = re.compile(
    r"^(?:#\d+ )?(?P<address>\[<[^>\]]*>\](?: \[<[^>\]]*>\])? ?)?(?P<unsure>\? "
    r")?\(?(?P<function>[A-Za-z_][\w.$]*)(?:\+0x[0-9a-f]+/(?:0x)?[0-9a-f]+)\)?(?: from (?P<from>\S+).*| \[\w+\])?"
    r"(?: (?P<inline>[a-z_]\w*))?(?: (?P<file>[\w./-]+\.\w):(?P<line>\d+).*| ?(?:\(.*\))?)?$"
)
_INLINE = re.compile(
    r"^(?:\[<\s*inlined?\s*>\] ?)?(?P<unsure>\? )?(?P<function>[A-Za-z_][\w.$]{0,200})(?:\+0x[0-9a-f]+/0x[0-9a-f]+)? "
    r"?(?P<callee>\w{1,200})? (?P<file>[\w./-]+\.\w):(?P<line>\d+)(?: \[inline\])?$"
)
_FROM = re.compile(
    r"^\[<[0-9a-f]+>\] \((?P<function>[\w.$]+)\+\S+\) from \[<[0-9a-f]+>\] \(\S+\)(?P<unsure>)(?P<file>)(?P<line>)$"
)
_INLINED = re.compile(r"^\[< *inlined? *>\]|\[inline\]$")
"""Calls that the compiler removed. Only a symbolized trace shows them: the same crash has the same frames without."""
_NO_FUNCTION = ("_etext", "_stext", "_text")
_TRACE = re.compile(
    r"(?i:^(?:call trace|backtrace|linux kernel library stack trace|stack backtrace):?$)|^Call Trace:|^Call trace:"
)
_ACCESS = re.compile(r"^(?:Read|Write|read|write)(?: of size| at addr|-\w+ to).*|^(?:Read|Write) of size \d+ .*")
_PART = re.compile(
    r"^$|^=+$|^-+\[ (?:cut here|end).*|^(?:CPU|PID|task|Modules linked in|Hardware name|Workqueue|CR2|RSP|RIP|RBP"
    r"|R[A-Z0-9]{2}|E[A-Z]{2}|FS|GS|CS|DR\d|Code|Stack|Process|Kernel Offset|Tainted)\b.*"
    r"|^(?:pstate|pc|lr|sp|x\d+|r\d+|pgd|Mem abort info|user pgtable|\[[0-9a-f]{8,16}\])\b.*|^<(?:/?(?:TASK|IRQ|NMI"
    r"|EOI|EOE|#\w+))>|^(?:PREEMPT|SMP|Oops)\b.*|^\[<|^[0-9a-f]{16}(?: [0-9a-f]{16})+"
    r"|^[0-9a-f]{4}:? +(?:[0-9a-f]{8}\W*){4,}$|^[A-Z0-9]{2}: 0x[0-9a-f]+:$|^[A-Z]\w+: (?:nZCv|[0-9a-f]+ )"
    r"|^Exception stack|^\(|^(?:invalid opcode|general protection fault).*\[#\d+\].*"
)
_BLOCK_LINES = 400
"""Lines that one oops may have."""
_ENDS = re.compile(
    r"^(?:-+\[ end |Kernel Offset:|Rebooting in|The buggy address|Allocated by|Freed by|Memory state around"
    r"|entry-format)"
)


@dataclass(slots=True)
class _Oops:
    """A report while its lines are read."""

    parts: list[str]
    frames: list[Frame] = field(default_factory=list)
    inside: bool = False  # in the call trace
    done: bool = False
    foreign: int = 0


def parse(cursor: Cursor) -> list[Event]:
    """The report that begins here, with its call trace; frames that the kernel itself doubts (`? f`) are left out."""
    line = cursor.line
    if line is None or (found := _HEADER.search(line.text)) is None:
        return []
    cursor.claim()
    oops = _Oops([found["message"].strip()])
    for _ in range(_BLOCK_LINES):
        if oops.done or oops.foreign > (3 if oops.frames else PATIENCE) or not _step(cursor, oops):
            break
    cls = found["cls"] or found["kasan"] or None
    return [crash(cursor, line, "\n".join(oops.parts), cls, tuple(oops.frames), language="kernel")]


def _step(cursor: Cursor, oops: _Oops) -> bool:
    """Reads the line here; False where the report ends."""
    line = cursor.line
    if line is None:
        return False
    text = line.text.strip()
    if _ENDS.match(text):
        cursor.claim()
        oops.done = True
        return True
    if not oops.frames and (found := _RIP.match(text)):
        oops.frames.append(_rip(found))
    elif _TRACE.match(text):
        if oops.inside and oops.frames:
            return False
        oops.inside = True
    elif (oops.inside or _FROM.match(text) or text.startswith("[<")) and (frame := _frame(text)) is not None:
        oops.frames += [each for each in frame if len(oops.frames) != 1 or each.function != oops.frames[0].function]
    elif _ACCESS.match(text) and not oops.frames:
        oops.parts.append(text)
    elif oops.inside and oops.frames and not text:
        return False
    elif not _PART.match(text):
        if cursor.begins_event(line) and not _HEADER.search(line.text):
            return False
        oops.foreign += 1
        cursor.skip()
        return True
    cursor.claim()
    oops.foreign = 0
    return True


def _rip(found: re.Match[str]) -> Frame:
    """The function that the processor stood in; x86 leaves it out of the call trace, ARM begins the trace with it."""
    name = found["function"]
    return Frame(found["file"] or "", int(found["line"]) if found["line"] else None, name, runtime=is_runtime(name, ""))


def _frame(text: str) -> list[Frame] | None:
    """The frame of a line of the call trace (none for one that is doubted or inlined), None for any other line."""
    found = _FROM.match(text) or _INLINE.match(text) or _CALL.match(text)
    if found is None:
        symbolized = stack_line(text)
        return None if symbolized is None else [symbolized.frame] if symbolized.frame else []
    if found["function"] in _NO_FUNCTION:
        return []
    if found["unsure"] or _INLINED.search(text):
        return []
    function, file = found["function"], found["file"] or ""
    return [Frame(file, int(found["line"]) if found["line"] else None, function, runtime=is_runtime(function, ""))]


TRACE = Trace(
    name="kernel_oops",
    starts=r"\bBUG: (?:K\w+: |unable to|kernel NULL|sleeping|soft lockup|scheduling|spinlock|workqueue|Bad page)"
    r"|kernel BUG at |Kernel panic - not syncing|\[#\d+\]|general protection fault, "
    r"|Unable to handle kernel |^Oops|KASAN: [\w-]+(?: \w+)? in range|Unhandled fault: ",
    parse=parse,
    order=12,
    marks=(
        "BUG: ",
        "kernel BUG at",
        "Kernel panic",
        "[#1]",
        "[#2]",
        "general protection fault",
        "Unable to handle kernel",
        "Oops",
        "KASAN: ",
        "Unhandled fault: ",
    ),
    samples=(
        TraceSample(
            "BUG: KASAN: slab-out-of-bounds in ring_push+0xe2/0x186\n"
            "Write of size 4 at addr ffff8880 by task kworker/0:1/11\n\nCall Trace:\n"
            " dump_stack+0x64/0x8c\n ? ring_init+0x1/0x2\n ring_push+0xe2/0x186\n ring_ioctl+0x10/0x40\n\n"
            "Allocated by task 11:",
            (
                (
                    "crash",
                    "slab-out-of-bounds",
                    "BUG: KASAN: slab-out-of-bounds in ring_push+0xe2/0x186\n"
                    "Write of size 4 at addr ffff8880 by task kworker/0:1/11",
                    1,
                ),
            ),
        ),
        TraceSample(
            "Kernel panic - not syncing: Attempted to kill init!\nCPU: 0 PID: 1 Comm: init\nCall Trace:\n"
            " panic+0x1/0x2\n do_exit+0x3/0x4",
            (("crash", None, "Kernel panic - not syncing: Attempted to kill init!", 1),),
        ),
    ),
    strangers=("DEBUG: KASAN: is enabled in this build", "Oopsie is a name"),
)
