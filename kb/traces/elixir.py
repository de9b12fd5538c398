"""Exceptions of Elixir and of Erlang's shell and `escript`: `** (Class) message` and the frames after it.

Source of the format: Exception.format in Elixir's lib/exception.ex, Logger's translator, Erlang's erl_error.
"""

import re

from kb.model.event import Event, Frame
from kb.settings import MESSAGE_CHARS
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import take_frames, take_text, told

_HEAD = re.compile(r"^(?P<before>.*?)\*\* \((?P<cls>[A-Za-z][\w.]*)(?: from [^)]*)?\) ?(?P<message>.*)$")
_ERLANG = re.compile(r"^(?:escript: |\*\* )exception (?P<cls>error|exit|throw): (?P<message>.*)$")
_FRAME = re.compile(
    r"^\s+\((?P<app>[\w-]+)(?: [\w.+-]+)?\) (?P<file>[^\s:]+):(?P<line>\d+): (?P<function>\S.*)$"
    r"|^\s+(?P<src>[^\s:()]+\.exs?):(?P<sline>\d+): (?P<call>\S.*)$"
    r"|^\s+\([\w-]+(?: [\w.+-]+)?\) (?P<bare>[\w.:]+\.?\S*/\d+)$"
)
_EFRAME = re.compile(
    r"^\s+(?:in function|in call from|called from) +(?P<function>\S+?/\d+)(?: \((?P<file>[^,]+), line (?P<line>\d+)\))?"
)
_RUNTIME = re.compile(r"^(?:stdlib|kernel|elixir|erts)$")
_MESSAGE_LINES = 30


def parse(cursor: Cursor) -> list[Event]:
    """The exception that the line here tells, or nothing."""
    line = cursor.line
    if line is None or (found := _ERLANG.match(line.text) or _HEAD.match(line.text)) is None:
        return []
    cursor.claim()
    rest = take_text(cursor, line, lambda text: read_frame(text) is not None, _MESSAGE_LINES)
    frames = take_frames(cursor, read_frame)
    message = "\n".join([found["message"], *(part.strip() for part in rest)]).strip()[:MESSAGE_CHARS]
    header = str(found.groupdict().get("before") or "").strip()
    return [
        told(
            line,
            "exception",
            message,
            found["cls"],
            language="elixir",
            frames=frames,
            claimed=cursor.numbers,
            header=header,
        )
    ]


def read_frame(text: str) -> Frame | None:
    """The frame of a line `(app 1.0) lib/file.ex:3: Module.function/1`, None for any other line."""
    if found := _FRAME.match(text):
        if found["bare"]:
            return Frame("<unknown>", None, found["bare"])
        file, line = found["file"] or found["src"], found["line"] or found["sline"]
        return Frame(
            file, int(line), found["function"] or found["call"], runtime=bool(_RUNTIME.match(found["app"] or ""))
        )
    if found := _EFRAME.match(text):
        return Frame(found["file"] or "<unknown>", int(found["line"]) if found["line"] else None, found["function"])
    return None


TRACE = Trace(
    name="elixir",
    starts=rf"\*\* \([A-Za-z][\w.]*(?: from [^)]*)?\)|{_ERLANG.pattern}".replace("(?P<cls>", "(?:").replace(
        "(?P<message>", "(?:"
    ),
    parse=parse,
    order=30,
    marks=("** (", "exception error: ", "exception exit: ", "exception throw: "),
    samples=(
        TraceSample(
            "** (Pier.FullError) no berth\n    (pier 0.1.0) lib/pier.ex:3: Pier.moor/1\n    (stdlib 4.2)"
            " timer.erl:235: :timer.tc/1",
            (("exception", "Pier.FullError", "no berth", 1),),
        ),
        TraceSample("** (Mix) Could not find the task", (("exception", "Mix", "Could not find the task", 1),)),
        TraceSample(
            "escript: exception error: no match of right hand side value 3\n  in function  pier:moor/1 (pier.erl, line"
            " 4)",
            (("exception", "error", "no match of right hand side value 3", 1),),
        ),
    ),
    strangers=("2 ** (3 + 4) is 128",),
)
