"""Rust panics: the message on its own line (since 1.73) or quoted in the header (before), with RUST_BACKTRACE's frames.

Source of the format: library/std/src/panicking.rs and library/std/src/sys/backtrace.rs of Rust.
"""

import re

from kb.model.event import Event, Frame, Kind, Line
from kb.traces import PATIENCE, Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_frames import stack_line
from kb.traces._native_stack import stack_of
from kb.traces._runtime_frames import is_runtime

_NEW = re.compile(
    r"thread '(?P<thread>[^']{0,300})'(?: \(\d+\))? panicked at (?P<file>[^'\"\s].{0,400}?):(?P<line>\d+)(?::\d+)?:$"
)
_OLD = re.compile(r"thread '(?P<thread>[^']{0,300})' panicked at (?P<quote>['\"])(?P<message>.*)$")
_OLD_END = re.compile(r"(?P<message>^|.*)['\"], (?P<file>[^,'\"]+?):(?P<line>\d+)(?::\d+)?$")
_NOTE = re.compile(
    r"^note: (?:run with|Some details|Run with|backtrace)|^stack backtrace:$|^\s*\[\.\.\. omitted|^\s*\[\[\[ELF"
)
_FRAME = re.compile(r"^\s*(?P<number>\d+):\s+(?:0x[0-9a-f]+ - )?(?P<function>\S.*)$")
_AT = re.compile(r"^\s+at (?P<file>\S.*?):(?P<line>\d+)(?::\d+)?$")
_HASH = re.compile(r"::h[0-9a-f]{16}$")
_STD = re.compile(
    r"/rustc/[0-9a-f]+/|/lib(?:rary/)?(?:std|core|alloc)/|^(?:src/)?lib(?:std|core|alloc)/|^/?library/(?:std|core"
    r"|alloc)/|/toolchains?/.*/src/rust/"
)
_MESSAGE_LINES = 40
"""Lines that one panic message may have: the two sides of a failed assert_eq may fill many."""
_TEST_LINES = 120
"""Lines in which the verdict on a test that was expected to panic may come."""


def parse(cursor: Cursor) -> list[Event]:
    """The panic that begins here; nothing for one that a test expected."""
    line = cursor.line
    if line is None:
        return []
    if found := _NEW.search(line.text):
        cursor.claim()
        carrier = cursor.line
        message = _message(cursor)
        carrier = carrier if message and carrier else line
        place: tuple[str, int] | None = (found["file"], int(found["line"]))
    elif found := _OLD.search(line.text):
        cursor.claim()
        carrier = line
        message, place = _old_message(cursor, found["message"])
    else:
        return []
    if _was_expected(cursor, found["thread"]):
        return []
    frames = _frames(cursor, carrier, place, found["thread"])
    kind: Kind = "test" if "::" in found["thread"] else "exception"
    return [crash(cursor, carrier, message, "panic", frames, language="rust", kind=kind, complete=bool(message))]


def _message(cursor: Cursor) -> str:
    """The message below the header: up to the note, the backtrace, a blank line or a line that begins something
    else."""
    parts: list[str] = []
    while (line := cursor.line) is not None and len(parts) < _MESSAGE_LINES:
        text = line.text.rstrip()
        if (
            not text
            or _NOTE.match(text)
            or "' panicked at " in text
            or stack_line(text)
            or (parts and cursor.begins_event(line))
        ):
            break
        if (
            parts
            and not text.startswith((" ", "\t"))
            and not parts[-1].endswith(":")
            and not text.startswith(("left", "right"))
        ):
            break
        cursor.claim()
        parts.append(text)
    return "\n".join(parts)


def _old_message(cursor: Cursor, first: str) -> tuple[str, tuple[str, int] | None]:
    """A quoted message, which may go on over lines until its quote closes, and the place behind it."""
    parts, start, claimed = [first], cursor.at, len(cursor.claimed)
    while (
        (end := _OLD_END.match(parts[-1])) is None and len(parts) < _MESSAGE_LINES and (line := cursor.line) is not None
    ):
        cursor.claim()
        parts.append(line.text.rstrip())
    if end is None:
        cursor.at = start
        del cursor.claimed[claimed:]
        return first.rstrip("'\""), None
    return "\n".join([*parts[:-1], end["message"]]), (end["file"].strip(), int(end["line"]))


def _was_expected(cursor: Cursor, thread: str) -> bool:
    """Whether the test of this thread ends well: it should panic. Nothing is claimed."""
    if "::" not in thread:
        return False
    start, expected = cursor.at, False
    for _ in range(_TEST_LINES):
        line = cursor.line
        if line is None:
            break
        if line.text.startswith(f"test {thread} ") and line.text.rstrip().endswith((" ok", "FAILED")):
            expected = line.text.rstrip().endswith(" ok")
            break
        cursor.skip()
    cursor.at = start
    return expected


def _frames(cursor: Cursor, carrier: Line, place: tuple[str, int] | None, thread: str) -> tuple[Frame, ...]:
    """The backtrace, else the native stack of the abort, else the place that the header names."""
    trace = _backtrace(cursor) or list(stack_of(cursor, carrier))
    if place is None:
        return tuple(trace)
    inside = bool(_STD.search(place[0]))
    own = next((at for at, frame in enumerate(trace) if not frame.runtime), None)
    if own is None:
        return (Frame(*place, thread if "::" in thread else None, runtime=inside), *trace)
    if not inside and not trace[own].file:
        trace[own] = Frame(*place, trace[own].function)
    return tuple(trace)


def _backtrace(cursor: Cursor) -> list[Frame]:
    frames: list[Frame] = []
    start, claimed, foreign = cursor.at, len(cursor.claimed), 0
    while (line := cursor.line) is not None and foreign <= (2 if frames else PATIENCE):
        if _NOTE.match(line.text):
            cursor.claim()
        elif (found := _FRAME.match(line.text)) and int(found["number"]) >= len(frames) - 1:
            name = _HASH.sub("", found["function"].strip())
            frames.append(Frame("", None, name, runtime=is_runtime(name, "")))
            cursor.claim()
        elif frames and (found := _AT.match(line.text)):
            last = frames[-1]
            inside = last.runtime or bool(_STD.search(found["file"]))
            frames[-1] = Frame(found["file"], int(found["line"]), last.function, runtime=inside)
            cursor.claim()
        elif (frames and not line.text.strip()) or (not frames and line.text.strip() and cursor.begins_event(line)):
            break
        else:
            foreign += 1
            cursor.skip()
    if not frames:
        cursor.at = start
        del cursor.claimed[claimed:]
        _take_note(cursor)
    return frames


def _take_note(cursor: Cursor) -> None:
    if (line := cursor.line) is not None and _NOTE.match(line.text):
        cursor.claim()


TRACE = Trace(
    name="rust_panic",
    starts=r"thread '[^']{0,300}'(?: \(\d+\))? panicked at ",
    parse=parse,
    order=25,
    marks=("' panicked at ", ") panicked at "),
    samples=(
        TraceSample(
            "thread 'main' panicked at src/grid.rs:14:9:\ncells overlap\n"
            "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
            (("exception", "panic", "cells overlap", 2),),
        ),
        TraceSample(
            "thread 'main' panicked at 'no rows', src/main.rs:4:5\nstack backtrace:\n   0: rust_begin_unwind\n"
            "             at /rustc/897e37553bba8b42/library/std/src/panicking.rs:584:5\n"
            "   1: app::main\n             at ./src/main.rs:4:5",
            (("exception", "panic", "no rows", 1),),
        ),
        TraceSample(
            "---- grid::merges stdout ----\nthread 'grid::merges' panicked at src/grid.rs:9:5:\n"
            "assertion `left == right` failed\n  left: 3\n right: 4\n",
            (("test", "panic", "assertion `left == right` failed\n  left: 3\n right: 4", 3),),
        ),
    ),
    strangers=(
        "thread 't::rejects' panicked at src/lib.rs:8:9:\nweight must not be zero\n"
        "test t::rejects - should panic ... ok",
        "the thread panicked at noon",
    ),
)
