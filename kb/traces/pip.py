"""Errors of pip's subprocesses: boxed diagnostics, and the older `Command errored out` blocks.

Source of the format: pip/_internal/exceptions.py (DiagnosticPipError) and utils/subprocess.py. The output of the failed
subprocess stands inside the box and is left to the other grammars: the cause is there.
"""

from kb.model.event import Event, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, ahead, block, shell_status, told

_BOX = Lazy(
    r"^(?P<indent>\s*)(?P<message>error: [a-z]+(?:-[a-z]+)+|[×x] .*did not run successfully\.?.*|× Encountered error "
    r"while .*)\s*$"
)
_ROW = Lazy(r"^\s*[│|╰├]|^\s*$|^\s*[×x] ")
_OUTPUT = Lazy(
    r"╰─> (?:\[\d+ lines? of output\]|See above|No available output)|-> (?:\[\d+ lines? of output\]|See above)"
)
_CODE = Lazy(r"exit (?:code|status):? (?P<code>-?\d+)")
_NOTE = Lazy(
    r"^\s*(?P<message>note: This (?:error originates from a subprocess|is an issue with the package mentioned).*)$"
)
_ENDED = Lazy(r"^\s*\[end of output\]\s*$")
_ADVICE = Lazy(r"^\s*(?:note|hint): |^\s*$")
_ERRORED = Lazy(r"^\s*(?P<message>ERROR: Command errored out with exit status (?P<code>-?\d+):.*)$")
_HEAD = Lazy(r"^\s+(?:command|cwd|Complete output)\b")


def parse(cursor: Cursor) -> list[Event]:
    """What pip says on the line here; a box up to where the output of the subprocess begins."""
    line = cursor.line
    if line is None:
        return []
    if found := _BOX.match(line.text):
        return _box(cursor, line, found["message"])
    if _ENDED.match(line.text):
        line = _past_end(cursor)
    if line is not None and (found := _NOTE.match(line.text)):
        cursor.claim()
        block(cursor, line, lambda text: text.lstrip().startswith("hint: "), 2)
        return [told(cursor, line, found["message"].rstrip(), language="python")]
    if line is not None and (found := _ERRORED.match(line.text)):
        cursor.claim()
        block(cursor, line, _HEAD.match, 4)
        return [
            told(cursor, line, found["message"].rstrip(), language="python", status=shell_status(int(found["code"])))
        ]
    return []


def _past_end(cursor: Cursor) -> Line | None:
    """Claims the end of a subprocess's output and the blank line after it; returns the next line."""
    cursor.claim()
    line = cursor.line
    if line is not None and not line.text.strip():
        cursor.claim()
    return cursor.line


def _box(cursor: Cursor, line: Line, first: str) -> list[Event]:
    """A box: the reference, what was tried, the exit code, and the output's heading or the explanation."""
    if first.startswith("error: ") and not any(
        _ROW.match(each.text) and "×" in each.text for each in ahead(cursor, 4)[1:]
    ):
        return []
    cursor.claim()
    rows: list[str] = []
    while (
        len(rows) < 60
        and (here := cursor.line) is not None
        and here.formats == line.formats
        and _in_box(here.text, rows)
    ):
        rows.append(cursor.claim().text.strip(" │|"))
        if _OUTPUT.search(rows[-1]):
            break
    if rows and "[" not in rows[-1]:
        _claim_advice(cursor, line, rows)
    code = _CODE.search("\n".join([first, *rows]))
    message = "\n".join([first.removeprefix("error: "), *filter(None, rows)])
    return [
        told(cursor, line, message, language="python", status=shell_status(int(code["code"])) or None if code else None)
    ]


def _in_box(text: str, rows: list[str]) -> bool:
    """Whether a line belongs to the box: its own marks, or the indented explanation under its last corner."""
    opened = any(row.startswith("╰") for row in rows)
    return text.startswith((" ", "\t")) or not text.strip() if opened else _ROW.match(text) is not None


def _claim_advice(cursor: Cursor, line: Line, rows: list[str]) -> None:
    """Claims the note and the hint under a box that shows no output."""
    for _ in range(4):
        lines = [each for each in ahead(cursor, 2) if each.formats == line.formats]
        if not any(each.text.strip() for each in lines) or not all(_ADVICE.match(each.text) for each in lines[:1]):
            return
        if not lines[0].text.strip() and not _ADVICE.match(lines[-1].text):
            return
        rows.append(cursor.claim().text.strip())


TRACE = Trace(
    name="pip",
    starts=r"^\s*error: [a-z]+-[a-z-]+\s*$|^\s*[×x] .*(?:did not run successfully|Encountered error)"
    r"|^\s*note: This (?:error|is an issue)|^\s*\[end of output\]|^\s*ERROR: Command errored out",
    parse=parse,
    order=24,
    marks=(
        "error: subprocess-exited",
        "error: metadata-",
        "error: legacy-install",
        "error: externally-managed",
        "error: missing-",
        "error: invalid-",
        "error: uninstall-",
        "error: resolution-",
        "did not run successfully",
        "× Encountered error",
        "[end of output]",
        "note: This error originates from a subprocess",
        "note: This is an issue with the package",
        "ERROR: Command errored out",
    ),
    samples=(
        TraceSample(
            "  error: subprocess-exited-with-error\n\n  × Building wheel for heap did not run successfully.\n  │ exit "
            "code: 1\n"
            "  ╰─> [2 lines of output]\n      running build\n      heap.c:1:2: error: no heap\n      [end of output]\n"
            "\n"
            "  note: This error originates from a subprocess, and is likely not a problem with pip.",
            (
                (
                    "build",
                    None,
                    "subprocess-exited-with-error\n× Building wheel for heap did not run successfully.\nexit code: 1\n"
                    "╰─> [2 lines of output]",
                    1,
                ),
                ("build", None, "error: no heap", 7),
                (
                    "build",
                    None,
                    "note: This error originates from a subprocess, and is likely not a problem with pip.",
                    10,
                ),
            ),
        ),
        TraceSample(
            "error: externally-managed-environment\n\n× This environment is externally managed\n╰─> Use apt for that.\n"
            "    \n"
            "    Or make an environment.\n\nnote: You can override this.\nhint: See PEP 668.",
            (
                (
                    "build",
                    None,
                    "externally-managed-environment\n× This environment is externally managed\n╰─> Use apt for that.\n"
                    "Or make an environment.\nnote: You can override this.\nhint: See PEP 668.",
                    1,
                ),
            ),
        ),
    ),
    strangers=(
        "Building wheel for heap did run successfully",
        "note: This is a heap",
    ),
)
