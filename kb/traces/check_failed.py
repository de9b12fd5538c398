"""Fatal log records of glog, Abseil, Chromium and their kin: `Check failed: …`, `FATAL:file.cc(12)] …`, with the
stack that follows.

Source of the formats: glog src/logging.cc, absl/log, Chromium base/logging.cc, WebRTC rtc_base/checks.cc, Android's
ADebug.h.
"""

import re

from kb.model.event import Event, Frame, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_stack import stack_of

_FATAL = re.compile(
    r"^\W*(?:\[(?:[\w./-]*:)*D?FATAL:(?P<file>[^\]():]+)(?:\((?P<line>\d+)\)|:(?P<row>\d+))\]"
    r"|F\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ (?P<source>\S+?):(?P<at>\d+)\])"
    r" (?P<message>\S.*)$"
)
_CHECK = re.compile(
    r"^(?:(?P<file>\S+?):(?P<line>\d+) )?(?P<message>(?P<what>(?:Security )?D?CHECK|Check|DCheck|Debug check"
    r"|D?CHECK(?:_[A-Z]+)?\(.+\)) failed\b.*)$"
    r"|^(?P<hit>(?:NOTREACHED|NOTIMPLEMENTED) hit\..*)$"
)
_DCHECK = re.compile(r"^(?:Debug check|D[Cc]heck|DCHECK)")
_FATAL_NAMES = (("Out of memory", "out of memory"), ("Assert failed: ", "assert"), ("V8 error: ", "V8 API error"))
"""How the message of a fatal record begins, and the name of such a crash."""
_GLOG = ("glog", "absl")
"""What the names of formats hold whose records of level CRITICAL end the process."""


def parse(cursor: Cursor) -> list[Event]:
    """The fatal record here with the stack of the abort that it announced."""
    line = cursor.line
    if line is None:
        return []
    text = line.text.strip()
    fatal = _FATAL.match(text)
    check = _CHECK.match(fatal["message"] if fatal else text)
    if fatal is None and check is None and not _peeled_fatal(line):
        return []
    if check and not fatal and line.level in ("DEBUG", "INFO"):
        return []
    cursor.claim()
    message = fatal["message"] if fatal else (check["message"] or check["hit"]) if check else text
    return [crash(cursor, line, message, _class(check, message), stack_of(cursor, line) or _site(fatal, check))]


def failed_check(text: str) -> str | None:
    """The class of the failed check that `text` quotes, with or without its record's prefix; None for any other text."""
    fatal = _FATAL.match(text)
    check = _CHECK.match(fatal["message"] if fatal else text)
    return _class(check, "") if check else None


def _peeled_fatal(line: Line) -> bool:
    """Whether a logger that aborts after a fatal record wrote the line, and its prefix is off already."""
    return line.level == "CRITICAL" and bool(line.formats) and any(name in line.formats[-1] for name in _GLOG)


def _class(check: re.Match[str] | None, message: str) -> str:
    """Fatal records carry no class of their own; this is what the documentation of the checks calls a failed one."""
    if check is None:
        return next((name for wording, name in _FATAL_NAMES if message.startswith(wording)), "Fatal error")
    what = check["what"] or "NOTREACHED"
    if what.startswith("Security "):
        return f"{what} failure"
    return "DCHECK failure" if _DCHECK.match(what) else "CHECK failure"


def _site(fatal: re.Match[str] | None, check: re.Match[str] | None) -> tuple[Frame, ...]:
    """The place that the record names, where no stack follows."""
    if fatal:
        return (Frame(fatal["file"] or fatal["source"], int(fatal["line"] or fatal["row"] or fatal["at"])),)
    return (Frame(check["file"], int(check["line"])),) if check and check["file"] else ()


TRACE = Trace(
    name="check_failed",
    starts=r"(?i:\bd?check(?:_[a-z]+)?(?:\(.{1,800}?\))? failed\b)|\bD?FATAL:[^\]]{1,300}\] "
    r"|^\W*F\d{4} \d\d:\d\d:\d\d\.\d+ "
    r"|NOTREACHED hit\.",
    parse=parse,
    order=36,
    leveled=True,
    marks=("heck failed", "HECK failed", "CHECK_", "CHECK(", "FATAL:", "NOTREACHED hit"),
    samples=(
        TraceSample(
            "[12:12:0324/233643:FATAL:queue.cc(299)] Check failed: !closed_ (1 vs. 0)\n"
            "#0 0x7f48 base::debug::StackTrace::StackTrace()\n"
            "#1 0x7f49 Queue::Push(int)\n",
            (("crash", "CHECK failure", "Check failed: !closed_ (1 vs. 0)", 1),),
        ),
        TraceSample(
            "F0813 00:29:27.775753  384244 sort.cc:130] Check failed: sorted(rows)\n"
            "*** Check failure stack trace: ***\n"
            "    @     0x5605333e2ca0  google::LogMessage::Fail()\n    @     0x5605333e2cb0  Sort(int)",
            (("crash", "CHECK failure", "Check failed: sorted(rows)", 1),),
        ),
        TraceSample(
            "media/Track.cpp:33 CHECK_EQ( size,1u) failed: 25 vs. 1",
            (("crash", "CHECK failure", "CHECK_EQ( size,1u) failed: 25 vs. 1", 1),),
        ),
    ),
    strangers=("health check failed over to node 3", "the FATAL: level is the highest"),
)
