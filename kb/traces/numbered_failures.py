"""Numbered failures of Mocha, RSpec, Minitest, ExUnit and PHPUnit: `1) name`, the message, the place.

Source of the format: mocha's reporters/base.js, rspec-core's failures formatter, minitest's summary,
ExUnit.Formatter, PHPUnit's ResultPrinter.
"""

import re

from kb.model.event import Event, Frame, Line
from kb.settings import MESSAGE_CHARS
from kb.traces import Cursor, Trace, TraceSample, elixir, node
from kb.traces._told import told

_HEAD = re.compile(r"^ *\d+\) (?P<name>\S.*)$")
_NEXT = re.compile(
    r"^ *\d+\) \S|^(?:Finished in |Failed examples:|Randomized with|\d+ (?:passing|failing|tests?|runs?|examples?),? "
    r"|FAILURES!|ERRORS!|Tests: |--$)"
)
_CLASS = re.compile(
    r"^(?:\*\* \()?(?P<cls>(?:[A-Za-z]\w*(?:::|\.|\\))*[A-Z]\w*(?:Error|Exception|NotMet|Failed|Assertion"
    r"|NotFound))(?: \[\w+\])?[:)] ?(?P<message>.*)$"
)
_FAILURE = re.compile(
    r"^(?:Failure/Error:|Assertion with |Failed asserting|[Ee]xpected[ :]|AssertionError|Failure:$|Error:$|\*\* \("
    r"|code: )"
)
_RUBY = re.compile(r"^\s*(?:# )?(?P<file>\.?/?[^\s:]+\.rb):(?P<line>\d+)(?::in [`'](?P<function>[^`']*)'| *$)")
_BRACKETS = re.compile(r"\[(?P<file>[^\s:\]]{1,300}\.\w+):(?P<line>\d+)\]:?$")
_PLACE = re.compile(r"^\s*(?P<file>/?[^\s:]+\.(?:php|exs?|rb)):(?P<line>\d+)$")
_LINES = 80
"""Lines that one failure may have."""


def parse(cursor: Cursor) -> list[Event]:
    """The failed test that begins here; nothing for an item of any other numbered list: it needs both a failure's
    words and a place."""
    line = cursor.line
    if line is None or (found := _HEAD.match(line.text)) is None:
        return []
    cursor.claim()
    texts: list[Line] = []
    frames: list[Frame] = []
    for _ in range(_LINES):
        here = cursor.line
        if here is None or _NEXT.match(here.text):
            break
        frame = _frame(here.text)
        if frame:
            frames.append(frame)
        elif here.text.strip() and frames and texts and not here.text.startswith(" "):
            break
        elif here.text.strip():
            texts.append(here)
        cursor.claim()
    carrier = next((text for text in texts if _CLASS.match(text.text.strip())), None)
    carrier = carrier or next((text for text in texts if _FAILURE.match(text.text.strip())), None)
    if carrier is None or not frames:
        return []
    return [_event(carrier, texts[texts.index(carrier) :], tuple(frames), cursor.numbers, found["name"])]


def _event(carrier: Line, texts: list[Line], frames: tuple[Frame, ...], numbers: tuple[int, ...], name: str) -> Event:
    first, rest = carrier.text.strip(), [text.text.strip() for text in texts[1:]]
    named = _CLASS.match(first)
    message = "\n".join([named["message"] if named else first, *rest]).strip()[:MESSAGE_CHARS]
    return told(
        carrier, "test", message, named["cls"] if named else None, frames=frames, claimed=numbers, header=name.strip()
    )


def _frame(text: str) -> Frame | None:
    for pattern in (_RUBY, _PLACE):
        if found := pattern.match(text):
            return Frame(found["file"], int(found["line"]), found.groupdict().get("function"))
    if found := _BRACKETS.search(text):
        return Frame(found["file"], int(found["line"]))
    return node.read_frame(text) or elixir.read_frame(text)


TRACE = Trace(
    name="numbered_failures",
    starts=_HEAD.pattern.replace("(?P<name>", "(?:"),
    parse=parse,
    order=50,
    marks=tuple(f"{digit}) " for digit in range(10)),
    samples=(
        TraceSample(
            "  1) Pier moors\n     Failure/Error: expect(pier.full?).to eq(true)\n\n       expected: true\n           "
            " got: false\n"
            "     # ./spec/pier_spec.rb:3:in 'block (2 levels) in <main>'\n",
            (("test", None, "Failure/Error: expect(pier.full?).to eq(true)\nexpected: true\ngot: false", 2),),
        ),
        TraceSample(
            "  1) pier\n       moors:\n     TypeError: rope is not a function\n      at moor (src/pier.js:2:3)",
            (("test", "TypeError", "rope is not a function", 3),),
        ),
        TraceSample(
            "1) PierTest::testMoor\nFailed asserting that 1 matches expected 2.\n\n/srv/tests/PierTest.php:12",
            (("test", None, "Failed asserting that 1 matches expected 2.", 2),),
        ),
        TraceSample(
            "  1) test moors (PierTest)\n     test/pier_test.exs:5\n     ** (RuntimeError) no berth\n     code: moor()",
            (("test", "RuntimeError", "no berth\ncode: moor()", 3),),
        ),
    ),
    strangers=("1) open the harbour\n2) moor the boat",),
)
