"""Failed assertions of the Test Anything Protocol: `not ok 3 - name` with its diagnostics.

Source of the format: the TAP 13 and 14 specifications (testanything.org); node:test, tape, tap, Perl's Test::More,
bats."""

import re

from kb.model.event import Event, Frame
from kb.settings import MESSAGE_CHARS
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._told import told

_HEAD = re.compile(
    r"^(?P<indent> *)not ok \d+(?: -)?(?: (?P<name>.*?))?(?P<directive> # (?:TODO|SKIP|todo|skip)\b.*)?$"
)
_AT = re.compile(
    r"^#? *(?:location|at): ['\"]?(?:.*\()?(?P<file>[^\s'\"(:]+(?::\\[^'\":]+)?):(?P<line>\d+)|^# *at (?P<perl>\S+)"
    r" line (?P<pline>\d+)\."
)
_LINES = 80


def parse(cursor: Cursor) -> list[Event]:
    """The failed assertion that begins here; nothing for one that is expected to fail or that was left out."""
    line = cursor.line
    if line is None or (found := _HEAD.match(line.text)) is None or found["directive"]:
        return []
    cursor.claim()
    details: list[str] = []
    block = False
    for _ in range(_LINES):
        here = cursor.line
        if here is None:
            break
        text = here.text.strip()
        if text == "---" and not details:
            block = True
        elif not block and not text.startswith("# ") and text != "#":
            break
        details.append(text)
        cursor.claim()
        if block and text == "...":
            break
    place = next((at for text in details if (at := _AT.match(text))), None)
    frames = (Frame(place["file"] or place["perl"], int(place["line"] or place["pline"])),) if place else ()
    said = [text.removeprefix("# ") for text in details if text not in ("---", "...", "#")]
    message = "\n".join([found["name"] or line.text.strip(), *said])[:MESSAGE_CHARS]
    return [told(line, "test", message, frames=frames, claimed=cursor.numbers)]


TRACE = Trace(
    name="tap",
    starts=r"^ *not ok \d+",
    parse=parse,
    order=48,
    marks=("not ok ",),
    samples=(
        TraceSample(
            "not ok 3 - moors\n  ---\n  location: 'pier.test.js:4:1'\n  error: 'no berth'\n  ...\nok 4 - leaves",
            (("test", None, "moors\nlocation: 'pier.test.js:4:1'\nerror: 'no berth'", 1),),
        ),
        TraceSample(
            "not ok 1 - floats\n#   Failed test 'floats'\n#   at t/boat.t line 4.",
            (("test", None, "floats\n  Failed test 'floats'\n  at t/boat.t line 4.", 1),),
        ),
    ),
    strangers=("not ok 3 - moors # TODO later", "ok 3 - moors", "this is not ok 3 times"),
)
