"""Failures of ninja (also samurai and siso): a step that failed with its command, and ninja's own last words.

Source of the format: ninja's src/status_printer.cc (`FAILED: [code=N] outputs`, then the command, then its output)
and src/ninja.cc.
"""

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, shell_status, told, without_border

_FAILED = Lazy(
    r"^\s*(?P<message>FAILED: (?:\[code=(?P<code>-?\d+)\] )?(?:[^\s:./\\]*[./\\][^\s:]*(?: [^\s:./\\]*[./\\][^\s:]*)*|"
    r"[\w+-]+))$"
)
_NINJA = Lazy(r"^\s*(?P<message>(?:ninja|samu|siso): (?:build stopped: |error: |fatal: |FAILED: ).*)$")
_NEXT = Lazy(r"^\s*\[\d+/\d+\]|^\s*FAILED: |^\s*ninja: ")
_COMMAND = Lazy(r"^\s*(?::? ?&& |cd |[A-Za-z_]\w*=|\S*/\S+ |\S+ .*(?: -[oc] | && ))")


def parse(cursor: Cursor) -> list[Event]:
    """A failed step (with its command), or ninja's last words."""
    line = cursor.line
    if line is None:
        return []
    text = without_border(line.text)
    if found := _NINJA.match(text):
        cursor.claim()
        message = found["message"]
        return [
            told(
                cursor,
                line,
                message,
                status=1 if "subcommand failed" in message or "cannot make progress" in message else None,
            )
        ]
    found = _FAILED.match(text)
    if found is None:
        return []
    cursor.claim()
    command = cursor.line
    if (
        command
        and command.formats == line.formats
        and _COMMAND.match(command.text)
        and not _NEXT.match(command.text)
        and not cursor.begins_event(command)
    ):
        cursor.claim()
    # ninja prints FAILED only for a status other than 0, and releases before 1.12 do not say which
    status = shell_status(int(found["code"])) if found["code"] else 1
    return [told(cursor, line, found["message"].rstrip(), status=status or 1)]


TRACE = Trace(
    name="ninja",
    starts=r"^\s*FAILED: |^\s*(?:ninja|samu|siso): (?:build stopped|error|fatal|FAILED)",
    parse=parse,
    order=25,
    marks=("FAILED: ", "ninja: ", "samu: ", "siso: "),
    samples=(
        TraceSample(
            "[1/2] CXX heap.o\nFAILED: heap.o \n/usr/bin/c++ -c heap.cpp -o heap.o\nheap.cpp:1:2: error: expected ';'\n"
            "ninja: build stopped: subcommand failed.",
            (
                ("build", None, "FAILED: heap.o", 2),
                ("build", None, "error: expected ';'", 4),
                ("build", None, "ninja: build stopped: subcommand failed.", 5),
            ),
        ),
        TraceSample(
            "ninja: error: 'heap.c', needed by 'heap.o', missing and no known rule to make it",
            (("build", None, "ninja: error: 'heap.c', needed by 'heap.o', missing and no known rule to make it", 1),),
        ),
    ),
    strangers=("ninja: Entering directory `/srv'", "ninja: no work to do.", "FAILED: 3 of 9 checks were slow"),
)
