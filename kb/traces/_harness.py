"""The harness around a native crash: fuzz targets, test runners, the announcement of an abort, and endless recursion.

| convention                                      | why                                                            |
|-------------------------------------------------|----------------------------------------------------------------|
| a fuzz target's entry point is named by its     | all targets share one name, `LLVMFuzzerTestOneInput`; the file |
| file                                            | tells them apart and is where the code lies                    |
| so is a place in a builtin of V8 (`v8_fatal`)   | CSA and Torque code has no function that a stack could name    |
| an entry point without source is machinery      | the shared name tells nothing                                  |
| what calls the harness is machinery             | `main` below a runner is the runner's, not the program's       |
| what stands between an abort and the function   | a log handler or a formatter that runs on the way out did not  |
| that announced it (`LogMessage`) is machinery   | decide on the abort                                            |
| a stack overflow begins at its innermost cycle  | which call hit the guard page is chance; the recursion is the  |
|                                                 | error                                                          |

Source: libFuzzer, libprotobuf-mutator's DEFINE_PROTO_FUZZER, GoogleTest, FuzzTest, AFL's and Honggfuzz's drivers.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.model.event import Frame
from kb.traces._runtime_frames import is_announcer, is_harness

_ENTRY = re.compile(r"^(?:\w+::)*(?:LLVMFuzzerTestOneInput|FuzzerTestOneInput|TestOneProtoInput)$")
_SOURCE = re.compile(r"\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|m|mm|rs|swift|inc)$", re.IGNORECASE)
_ON_THE_WAY = 6
"""Frames in which an abort's announcement is looked for, below the machinery that a stack begins with."""
_LONGEST_CYCLE = 40
"""Calls that one round of a recursion may have; recursive parsers with generated visitors reach 20."""
_ROUNDS = 3
"""Rounds that make a repetition a recursion: two in a row happen by overloading."""


def settled(frames: Sequence[Frame], cls: str | None) -> tuple[Frame, ...]:
    """`frames`, innermost first, with the harness told from the program as the table above says."""
    shown = _without_harness(_without_announcement(list(frames)))
    return tuple(_recursion(shown) if cls and cls.lower().replace(" ", "-").endswith("stack-overflow") else shown)


def _without_announcement(frames: list[Frame]) -> list[Frame]:
    if not frames or not frames[0].runtime:
        return frames
    own = next((at for at, frame in enumerate(frames) if not frame.runtime), len(frames))
    last = max((at for at in range(own, min(own + _ON_THE_WAY, len(frames))) if _announces(frames[at])), default=0)
    return [replace(frame, runtime=True) for frame in frames[:last]] + frames[last:]


def _announces(frame: Frame) -> bool:
    return frame.runtime and frame.function is not None and is_announcer(frame.function)


def _without_harness(frames: list[Frame]) -> list[Frame]:
    entry = next((at for at, frame in enumerate(frames) if _is_entry(frame)), None)
    if entry is not None:
        return [*frames[:entry], _named_by_file(frames[entry]), *map(_as_runtime, frames[entry + 1 :])]
    own = next((at for at, frame in enumerate(frames) if not frame.runtime), len(frames))
    last = max((at for at in range(own, len(frames)) if _runs_tests(frames[at])), default=len(frames))
    return frames[:last] + [_as_runtime(frame) for frame in frames[last:]]


def _is_entry(frame: Frame) -> bool:
    return not frame.runtime and frame.function is not None and _ENTRY.match(frame.function) is not None


def _runs_tests(frame: Frame) -> bool:
    return frame.runtime and frame.function is not None and is_harness(frame.function)


def _named_by_file(frame: Frame) -> Frame:
    name = re.split(r"[/\\]", frame.file)[-1]
    return replace(frame, function=name) if _SOURCE.search(name) else _as_runtime(frame)


def _as_runtime(frame: Frame) -> Frame:
    return frame if frame.runtime else replace(frame, runtime=True)


def _recursion(frames: list[Frame]) -> list[Frame]:
    """The frames from the innermost cycle on that is gone through several times; all of them where there is none."""
    own = [(at, frame.function) for at, frame in enumerate(frames) if not frame.runtime and frame.function]
    names = [name for _, name in own]
    for start in range(min(len(names), _LONGEST_CYCLE)):
        for period in range(1, _LONGEST_CYCLE + 1):
            end = start + period * _ROUNDS
            if end > len(names):
                break
            if names[start : end - period] == names[start + period : end]:
                return frames[own[start][0] :]
    return frames
