"""Reports of AddressSanitizer, LeakSanitizer, MemorySanitizer, ThreadSanitizer, HWASan, UBSan's signal handler and
libFuzzer.

Source of the format: compiler-rt (lib/asan/asan_errors.cpp, lib/sanitizer_common, lib/lsan, lib/msan, lib/tsan,
lib/fuzzer) of LLVM.
"""

import re
from dataclasses import dataclass, field

from kb.model.event import Event, Frame
from kb.traces import PATIENCE, Cursor, Trace, TraceSample, _crash_names
from kb.traces._native_event import crash
from kb.traces._native_frames import stack_line
from kb.traces._native_stack import take_stack

_HEADER = re.compile(r"\b(?:ERROR|WARNING): (?P<tool>\w*Sanitizer|libFuzzer): (?P<message>\S.*)$")
_CLASS = re.compile(
    r"^(?:attempting )?(?P<cls>[\w-]+(?: [a-z-]+){0,3}?)(?: (?:on|after|in|detected|is out of memory)\b| ?[(:;]|$)"
)
_SUMMARY = re.compile(r"SUMMARY: \w+: (?P<cls>[\w-]+)")
_DETAIL = re.compile(
    r"^(?:READ|WRITE|ACCESS) of size |^(?:Atomic )?(?:[Rr]ead|[Ww]rite) of size "
    r"|^The signal is caused by a \w+ memory access|^Hint: "
    r"|^(?:Direct|Indirect) leak of \d+ byte"
)
_PART = re.compile(
    r"^$|^=+$|^-+$|^0x[0-9a-f]+ is located|^0x[0-9a-f]+ \(|^[A-Z]?[\w ]*(?:freed|allocated|created|located) (?:by"
    r"|here|in|at)\b|^Shadow (?:bytes|byte legend|memory)"
    r"|^(?:=>)?\s*0x[0-9a-f]+:|^SCARINESS:|^(?:Addressable|Partially addressable|[A-Z][\w /-]+ (?:redzone|region"
    r"|object|poisoned|scope|return|right|left|marker|stack)):?\s"
    r"|^\w+ \w+ (?:redzone|cookie|region|marker)|^(?:Previous|As if synchronized|Mutex|Location is|Thread T\d"
    r"|Uninitialized (?:value|bytes)|Memory was marked|Address 0x|This frame has)"
    r"|^\[\d+, \d+\) '|^HINT:|^NOTE: |^Combine libFuzzer|^\w+Sanitizer can not provide|^MS: |^artifact_prefix"
    r"|^Test unit written|^Base64:|^ABORTING|^\w+Sanitizer:DEADLYSIGNAL"
    r"|^\*\*\* |^Register values|^\s*[re]?[a-z]\w{1,2} = 0x|^Cause: |^Tags for |^Memory tags around|^(?:WARNING"
    r"|INFO): |^DEDUP_TOKEN|^Exiting|^MiraclePtr|^Using the"
)
_PID = re.compile(r"^==\d+==\s?")
_REPORT_LINES = 900
"""Lines that one report may have: two stacks of 250 frames, shadow bytes and registers."""


@dataclass(slots=True)
class _Report:
    """A report while its lines are read."""

    parts: list[str]
    frames: list[Frame] = field(default_factory=list)
    summary: str | None = None
    foreign: int = 0


def parse(cursor: Cursor) -> list[Event]:
    """The report that begins here. Stacks after the first tell where memory was allocated or freed: claimed, no
    frames of the crash."""
    line = cursor.line
    if line is None or (found := _HEADER.search(line.text)) is None:
        return []
    cursor.claim()
    report = _Report([found["message"].strip()])
    for _ in range(_REPORT_LINES):
        if report.foreign > PATIENCE or not _step(cursor, report):
            break
    return [crash(cursor, line, "\n".join(report.parts), _class(report), tuple(report.frames))]


def _step(cursor: Cursor, report: _Report) -> bool:
    """Reads the line here; False where the report ends."""
    line = cursor.line
    if line is None or (report.summary and not line.text.strip() and not _only_indirect(report)):
        return False
    text = _PID.sub("", line.text.strip())
    if stack_line(line.text) is not None:
        if report.summary and report.frames and not _only_indirect(report):
            return False
        frames = take_stack(cursor)
        report.frames = report.frames or frames
        report.foreign = 0
    elif found := _SUMMARY.search(text):
        cursor.claim()
        report.summary = found["cls"]
    elif _DETAIL.match(text):
        cursor.claim()
        if text.startswith("Direct leak") and report.frames and not any("Direct leak" in part for part in report.parts):
            report.parts, report.frames = report.parts[:1], []
        if not report.frames:
            report.parts.append(text)
    elif (again := _HEADER.search(line.text)) and _is_repeated(again["message"].strip(), report):
        cursor.claim()  # printed again, with the symbols that were missing
        report.summary, report.foreign = None, 0
    elif again or (cursor.begins_event(line) and not _PART.match(text) and not _goes_on(cursor, report)):
        return False
    elif _PART.match(text):
        cursor.claim()
    else:
        report.foreign += 1
        cursor.skip()
    return True


def _is_repeated(message: str, report: _Report) -> bool:
    """Whether another header only goes on with the report: its stack is still to come, or its direct leak."""
    return message == report.parts[0] and (not report.frames or _only_indirect(report))


def _only_indirect(report: _Report) -> bool:
    """Whether only leaks were told so far that hang on others: the direct one may be another process's."""
    return any(part.startswith("Indirect leak") for part in report.parts) and not any(
        part.startswith("Direct leak") for part in report.parts
    )


def _goes_on(cursor: Cursor, report: _Report) -> bool:
    """Whether the line here stands between a report and its stack: another process wrote it. Nothing is claimed."""
    if report.frames:
        return False
    start = cursor.at
    cursor.skip()
    below = cursor.line
    cursor.at = start
    found = stack_line(below.text) if below is not None else None
    return found is not None and found.number == 0


def _class(report: _Report) -> str | None:
    """The kind of error as the report spells it; the summary knows better where the message is a sentence."""
    first = report.parts[0]
    if first.startswith("attempting ") and report.summary:
        return _crash_names.sanitizer(report.summary, first)
    leak = next((part for part in report.parts if " leak of " in part), None)
    if leak:
        return leak.partition(" of ")[0]
    if first.startswith("fuzz target "):
        return _crash_names.sanitizer(first, first)
    if "allocator is out of memory" in first:
        return "out of memory"
    found = _CLASS.match(first)
    return _crash_names.sanitizer(found["cls"], "\n".join(report.parts)) if found else report.summary


TRACE = Trace(
    name="sanitizer",
    starts=r"\b(?:ERROR|WARNING): (?:\w*Sanitizer|libFuzzer): \S",
    parse=parse,
    order=30,
    marks=("Sanitizer: ", "libFuzzer: "),
    samples=(
        TraceSample(
            "==71==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6020 at pc 0x4f bp 0x7f sp 0x7e\n"
            "READ of size 4 at 0x6020 thread T0\n    #0 0x4f1 in sum(int*) /src/sum.c:9:3\n"
            "    #1 0x4f8 in main /src/main.c:4:1\n\n"
            "0x6020 is located 0 bytes to the right of 8-byte region [0x6018,0x6020)\nallocated by thread T0 here:\n"
            "    #0 0x4a1 in malloc (/srv/app+0x4a1)\nSUMMARY: AddressSanitizer: heap-buffer-overflow "
            "/src/sum.c:9:3 in sum(int*)\n==71==ABORTING",
            (
                (
                    "crash",
                    "heap-buffer-overflow",
                    "heap-buffer-overflow on address 0x6020 at pc 0x4f bp 0x7f sp 0x7e\n"
                    "READ of size 4 at 0x6020 thread T0",
                    1,
                ),
            ),
        ),
        TraceSample(
            "==9==ERROR: LeakSanitizer: detected memory leaks\n\n"
            "Direct leak of 24 byte(s) in 1 object(s) allocated from:\n"
            "    #0 0x4a1 in malloc (/srv/app+0x4a1)\n    #1 0x4f8 in load /src/main.c:4:1\n\n"
            "SUMMARY: AddressSanitizer: 24 byte(s) leaked",
            (
                (
                    "crash",
                    "Direct leak",
                    "detected memory leaks\nDirect leak of 24 byte(s) in 1 object(s) allocated from:",
                    1,
                ),
            ),
        ),
        TraceSample(
            "==9== ERROR: libFuzzer: timeout after 90 seconds\n    #0 0x4a1 in spin /src/a.c:3:1",
            (("crash", "timeout", "timeout after 90 seconds", 1),),
        ),
    ),
    strangers=(
        "built with AddressSanitizer enabled",
        "==9==WARNING: AddressSanitizer failed to allocate 0xfff bytes",
        "INFO: libFuzzer ready",
    ),
)
