"""`strace -p`, with `-f`, `-tt` and `-yy` or without: what each thread was in when the trace ended."""

import re
from dataclasses import dataclass, field

from kb.evidence import Evidence, Page
from kb.evidence._stack import number
from kb.model.snapshot import Fact, Traced

MAX_ARGS = 400
"""Characters kept of a call's arguments."""
_ATTACHED = re.compile(r"(?:strace: )?Process (\d+) attached")
_CALL = re.compile(r"(?:\[pid +(\d+)\] |(\d+) +)?(?:\d\d:\d\d:\d\d(?:\.\d+)? |\d+\.\d+ )?(\w+)\((.*)$")
_RESUMED = re.compile(r"(?:\[pid +(\d+)\] |(\d+) +)?(?:\d\d:\d\d:\d\d(?:\.\d+)? |\d+\.\d+ )?<\.\.\. (\w+) resumed>(.*)$")
_DETACHED = re.compile(r"strace: Process \d+ (?:detached|attached).*$")
_RETURNED = re.compile(r"\) += +(?:-?\d+|\?|0x)")
_LOOKED = re.compile(r'^(?:newfstatat|stat|access|faccessat2?|openat|open|statx)\(.*?"([^"]+)".*= -1 ENOENT')
_LOOKED_ARGS = re.compile(r'"([^"]+)".*= -1 ENOENT')
_COUNTED = re.compile(r'^\d+(?:<[^>]*>+)?, "(\d+)", \d+, 0, NULL, NULL\) = \d+')
_LOOKS = ("newfstatat", "stat", "access", "faccessat", "faccessat2", "openat", "open", "statx", "lstat")
_NOISE = re.compile(r"\s*<detached \.\.\.>\s*$|---|\+\+\+|\s*$")


@dataclass(slots=True)
class _Life:
    """What was seen of one thread."""

    pid: int | None
    call: str = ""
    args: str = ""
    line: int = 0
    pending: bool = True
    spins: int = 0
    calls: int = 0
    polled: str = ""
    looked: dict[str, int] = field(default_factory=dict)
    joined: int | None = None
    asked: bool = False  # whether the last thing sent was a question for the workers' count


def parse(page: Page) -> list[Fact]:
    """The last call of each thread."""
    first = page.take()
    found = _ATTACHED.match(first.text)
    main = number(found[1]) if found else None
    lives: dict[int | None, _Life] = {main: _Life(main, line=first.number)}
    if found is None:
        _read(first.text, first.number, main, lives)
    while row := page.row:
        if _ATTACHED.match(row.text) and (other := _ATTACHED.match(row.text)) and number(other[1]) not in lives and "with" in row.text:
            break
        if not (_read(row.text, row.number, main, lives) or _NOISE.match(row.text) or _DETACHED.match(row.text)):
            break
        page.take()
    return [_fact(page.file, main, tid, life) for tid, life in lives.items() if life.call or len(lives) == 1]


def _read(text: str, line: int, main: int | None, lives: dict[int | None, _Life]) -> bool:
    """Note what one line says; False when it is none of strace's."""
    text = _DETACHED.sub("", text)
    if found := _RESUMED.match(text):
        life = lives.setdefault(number(found[1] or found[2]) or main, _Life(main))
        life.pending = False
        _note(life, life.call, life.args + found[4])
        return True
    if found := _CALL.match(text):
        life = lives.setdefault(number(found[1] or found[2]) or main, _Life(main))
        life.call, life.args, life.line, life.calls = found[3], found[4][:MAX_ARGS], line, life.calls + 1
        life.pending = not _RETURNED.search(text)
        _note(life, found[3], found[4])
        return True
    return False


def _note(life: _Life, call: str, args: str) -> None:
    """Signs that need more than the last call."""
    if "ETIMEDOUT" in args and (call == "restart_syscall" or ("PRIVATE" in args and "tv_nsec" in args)):
        life.spins += 1
    elif call in _LOOKS and (path := _LOOKED_ARGS.search(args)):
        life.looked[path[1]] = life.looked.get(path[1], 0) + 1
        life.polled = path[1]
    elif call in ("sendto", "write") and "init/" in args:
        life.asked = True
    elif life.asked and call == "recvfrom" and (count := _COUNTED.match(args)):
        life.joined = int(count[1]) if len(count[1]) < 7 else None


def _fact(file: str, main: int | None, tid: int | None, life: _Life) -> Traced:
    args = re.sub(r"\s*(?:<unfinished \.\.\.>|<detached \.\.\.>)\s*$", "", life.args).rstrip()
    return Traced(main, tid, life.call, args, file, life.line, life.pending, life.spins, life.calls, life.polled, life.joined)


EVIDENCE = Evidence(
    name="strace",
    starts=r"strace: Process \d+ attached|Process \d+ attached|\[pid +\d+\] (?:\d\d:\d\d:\d\d\S* )?(?:\w+\(|<\.\.\. \w+ resumed)",
    parse=parse,
    samples=(
        "strace: Process 25712 attached\n12:46:48.248315 wait4(25713, strace: Process 25712 detached\n <detached ...>\n",
        "strace: Process 9 attached with 2 threads\n"
        "[pid 10] 12:40:11.83 restart_syscall(<... resuming interrupted read ...> <unfinished ...>\n"
        "[pid 9] futex(0x55e28c48c314, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, FUTEX_BITSET_MATCH_ANY <unfinished ...>\n",
    ),
    strangers=("[pid 77] started worker\n",),
    order=10,
)
