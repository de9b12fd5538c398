"""Errors of tsc with `--pretty` (also ng build, ts-jest, webpack's ts-loader) and of eslint's stylish report.

Source of the format: formatDiagnosticsWithColorAndContext in TypeScript's compiler/program.ts; eslint's
formatters/stylish.js.
"""

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, ahead, language_of, lines_to, place, told

_TSC = Lazy(r"^\s*(?:Error: |ERROR in )?(?P<file>[^\s:]+):(?P<line>\d+):\d+ - (?P<message>error (?P<cls>TS\d+): .*)$")
_ESLINT = Lazy(r"^ +(?P<line>\d+):\d+ +error  (?P<message>\S.*)$")
_MARKS = Lazy(r"^\s*~[~\s]*$")
_SOURCE = Lazy(r"^\s*(?P<line>\d+) (?P<code>.*)$")


def parse(cursor: Cursor) -> list[Event]:
    """The error on the line here, with the source line and the marks under it."""
    line = cursor.line
    if line is None:
        return []
    if found := _ESLINT.match(line.text):
        cursor.claim()
        return [told(cursor, line, found["message"].rstrip(), language="javascript")]
    found = _TSC.match(line.text)
    if found is None:
        return []
    cursor.claim()
    texts = [each.text for each in ahead(cursor, 3)]
    code = None
    if len(texts) == 3 and not texts[0].strip() and (source := _SOURCE.match(texts[1])) and _MARKS.match(texts[2]):
        code = source["code"].strip()
        lines_to(cursor, 3)
    frame = place(found["file"], found["line"], code=code)
    return [
        told(
            cursor,
            line,
            found["message"].rstrip(),
            cls=found["cls"],
            language=language_of(found["file"]),
            frames=(frame,),
        )
    ]


TRACE = Trace(
    name="tsc",
    starts=r":\d+ - error TS\d+: |^ +\d+:\d+ +error  \S",
    parse=parse,
    order=27,
    marks=(" - error TS", "  error  "),
    samples=(
        TraceSample(
            "src/heap.ts:4:9 - error TS2304: Cannot find name 'top'.\n\n4   return top;\n           ~~~",
            (("build", "TS2304", "error TS2304: Cannot find name 'top'.", 1),),
        ),
        TraceSample(
            "/srv/heap.js\n  3:10  error  'top' is not defined  no-undef",
            (("build", None, "'top' is not defined  no-undef", 2),),
        ),
    ),
    strangers=(
        "  3:10  warning  Unexpected console statement  no-console",
        "Found 0 errors. Watching for file changes.",
    ),
)
