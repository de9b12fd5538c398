"""Errors of rustc and cargo.

Source of the format: rustc_errors' human emitter (`error[E0308]: …` and ` --> file:line:column`),
cargo/src/cargo/core/shell.rs and cargo's `Caused by:` chains.
"""

import re

from kb.model.event import Event, Frame, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import BLOCK_LINES, Lazy, ahead, joined, lines_to, shell_status, told

_RUSTC = Lazy(r"^\s*(?P<message>error(?:\[(?P<cls>E\d{4})\])?: .*)$")
_ARROW = Lazy(r"^\s*--> (?P<file>\S.*?):(?P<line>\d+):\d+\s*$")
_EXCERPT = Lazy(
    r"^\s*(?:\d+|\.\.\.)?\s*(?:\||--> |::: )|^\s+= (?:note|help|warning): |^\s*(?:note|help): |^\.\.\.\s*$|"
    r"^\s*[A-Z]?\d+ [-+|] "
)
_SOURCE = Lazy(r"^\s*\d+ \| ?(?P<code>.*\S)\s*$")
_CARGO = Lazy(
    r"^\s*(?P<message>error: (?:could not compile `|aborting due to |linking with `|failed to (?:run custom build "
    r"command|select a version|parse|load|get|"
    r"download|resolve|compile|fetch|read|determine|verify|find|query)|no matching (?:package|version)|test failed, to "
    r"rerun|\d+ targets? failed|"
    r"process didn't exit successfully|package `|the lock file |toolchain '|no such (?:command|subcommand)|"
    r"Unrecognized option|build failed|"
    r"manifest path `|virtual manifests must).*)$"
)
_CHAIN = Lazy(
    r"^\s*Caused by:|^ {2,}\S|^\s*$|^(?:required by package|versions that meet|perhaps you meant|location searched|the "
    r"lock file) ?"
)
_STATUS = Lazy(r"\(?\b(?:exit (?:status|code): (?P<code>\d+)|signal: (?P<signal>\d+))\b")


def parse(cursor: Cursor) -> list[Event]:
    """The error of rustc (with its excerpt) or of cargo (with its chain of causes) on the line here."""
    line = cursor.line
    if line is None:
        return []
    if found := _CARGO.match(line.text):
        return [_cargo(cursor, line, found["message"].rstrip())]
    found = _RUSTC.match(line.text)
    place = next((at for at, each in enumerate(ahead(cursor, 5)) if at and _ARROW.match(each.text)), 0) if found else 0
    if found is None or not (place or found["cls"]):
        return []
    cursor.claim()
    more = [each.text for each in lines_to(cursor, max(place - 1, 0))]
    frame = _excerpt(cursor, line)
    return [
        told(
            cursor,
            line,
            joined(found["message"].rstrip(), more),
            cls=found["cls"],
            language="rust",
            frames=(frame,) if frame else (),
        )
    ]


def _excerpt(cursor: Cursor, carrier: Line) -> Frame | None:
    """Claims the excerpt, notes and hints under an error; returns the place of the error."""
    rows: list[str] = []
    while len(rows) < BLOCK_LINES and (row := _row(cursor, carrier)) is not None:
        rows.append(row)
    arrow = next((found for row in rows if (found := _ARROW.match(row))), None)
    if arrow is None:
        return None
    sources = {row.split("|")[0].strip(): found["code"] for row in rows if (found := _SOURCE.match(row))}
    return Frame(arrow["file"], int(arrow["line"]), None, sources.get(arrow["line"]))


def _row(cursor: Cursor, carrier: Line) -> str | None:
    """Claims the next row of an excerpt; a note of the linker stays for the linker's grammar."""
    lines = [line for line in ahead(cursor, 2) if line.formats == carrier.formats]
    if not lines:
        return None
    text = lines[0].text
    told_by_others = text.lstrip().startswith("= note: ") and cursor.begins_event(lines[0])
    gap = not text.strip() and len(lines) > 1 and re.match(r"^\s*(?:note|help): ", lines[1].text)
    if told_by_others or not (gap or _EXCERPT.match(text)):
        return None
    return cursor.claim().text


def _cargo(cursor: Cursor, line: Line, message: str) -> Event:
    cursor.claim()
    if message.startswith(("error: linking with", "error: aborting", "error: test failed")):
        return told(cursor, line, message, language="rust", status=_status(message))
    rest: list[str] = []
    while len(rest) < 40 and _goes_on(cursor, line, rest):
        rest.append(cursor.claim().text.rstrip())
    whole = joined(message, rest)
    return told(cursor, line, whole, language="rust", status=_status(whole))


def _goes_on(cursor: Cursor, carrier: Line, rest: list[str]) -> bool:
    """Whether the next line belongs to cargo's message: a blank one when a cause follows, no output of a child."""
    lines = [each.text for each in ahead(cursor, 2)]
    here = cursor.line
    if here is None or here.formats != carrier.formats or not _CHAIN.match(lines[0]) or "--- std" in lines[0]:
        return False
    if not lines[0].strip():
        return len(lines) > 1 and lines[1].lstrip().startswith("Caused by:")
    return "Caused by:" in lines[0] or bool(rest and "Caused by:" in rest[-1]) or not cursor.begins_event(here)


def _status(text: str) -> int | None:
    found = _STATUS.search(text)
    if found is None:
        return None
    return -int(found["signal"]) if found["signal"] else shell_status(int(found["code"]))


TRACE = Trace(
    name="rustc",
    starts=r"^\s*error(?:\[E\d{4}\])?: ",
    parse=parse,
    order=30,
    marks=("error[E", "error: "),
    samples=(
        TraceSample(
            "error[E0308]: mismatched types\n --> src/heap.rs:4:5\n  |\n3 | fn top() -> i32 {\n  |             --- "
            "expected `i32`\n"
            '4 |     "7"\n  |     ^^^ expected `i32`, found `&str`\n  |\n  = note: expected type `i32`\n\nerror: '
            "aborting due to 1 previous error",
            (
                ("build", "E0308", "error[E0308]: mismatched types", 1),
                ("build", None, "error: aborting due to 1 previous error", 11),
            ),
        ),
        TraceSample(
            "error: expected `;`, found `}`\n --> src/heap.rs:9:14\n  |\n9 |     let top = 3\n  |                ^ "
            "help: add `;` here",
            (("build", None, "error: expected `;`, found `}`", 1),),
        ),
        TraceSample(
            "error: failed to run custom build command for `heap-sys v0.1.0`\n\nCaused by:\n  process didn't exit "
            "successfully: `/b/build` (exit status: 101)\n"
            "  --- stderr\n  no luck",
            (
                (
                    "build",
                    None,
                    "error: failed to run custom build command for `heap-sys v0.1.0`\n\nCaused by:\n"
                    "  process didn't exit successfully: `/b/build` (exit status: 101)",
                    1,
                ),
            ),
        ),
    ),
    strangers=("warning: unused variable: `error`\n --> src/heap.rs:9:14", "see error[E0308] in the index"),
)
