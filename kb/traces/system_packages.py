"""Errors of apk, dnf and yum, zypper, pacman and Homebrew.

Source of the format: apk-tools' src/commit.c and solver reports, dnf/cli, pacman's `error: …`, brew's `Error: …`.
"""

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, block, joined, told

_ERROR = Lazy(
    r"^\s*(?P<message>ERROR: unable to select packages:|ERROR: \S+: (?:trying to overwrite|BAD signature|UNTRUSTED "
    r"signature|IO ERROR|DNS lookup error|"
    r"temporary error).*|(?:ERROR: )?unsatisfiable constraints:|Error: Unable to find a match: .*|No match for "
    r"argument: .*|"
    r"Error: (?:Failed to download metadata for repo|Cannot find a valid baseurl for repo|Failed to synchronize cache "
    r"for repo|"
    r"Error downloading packages|Transaction test error|GPG check FAILED).*|Cannot find a valid baseurl for repo: .*|"
    r"Error: ?$|error: (?:target not found: |failed to prepare transaction|failed to commit transaction|failed to "
    r"synchronize).*|"
    r"Error: No (?:available formula|formulae|casks|similarly named).*|No provider of '.*' found\.)$"
)
_MORE = Lazy(r"^\s+\S|^:: |^ Problem|^Errors occurred")
_MATCH = Lazy(r"^Error: Unable to find a match: ")


def parse(cursor: Cursor) -> list[Event]:
    """The error on the line here, with the indented reasons under it."""
    line = cursor.line
    found = _ERROR.match(line.text) if line else None
    if line is None or found is None:
        return []
    cursor.claim()
    message = found["message"].strip()
    if message.startswith("No match"):
        rest = block(cursor, line, lambda text: _MATCH.match(text) or text.startswith("No match for argument"), 20)
    else:
        rest = block(cursor, line, _MORE.match, 60)
    if message == "Error:" and not (rest and rest[0].lstrip().startswith("Problem")):
        return []
    return [told(cursor, line, joined(message, rest))]


TRACE = Trace(
    name="system_packages",
    starts=_ERROR.pattern.replace("(?P<message>", "(?:"),
    parse=parse,
    order=24,
    marks=(
        "ERROR: unable to select",
        "unsatisfiable constraints",
        "trying to overwrite",
        " signature",
        "IO ERROR",
        "DNS lookup error",
        "temporary error",
        "Unable to find a match",
        "No match for argument",
        "Error: Failed to ",
        "valid baseurl for repo",
        "Error downloading packages",
        "Transaction test error",
        "GPG check FAILED",
        "Error:",
        "error: target not found",
        "error: failed to ",
        "Error: No ",
        "No provider of",
    ),
    samples=(
        TraceSample(
            "ERROR: unable to select packages:\n  heap (no such package):\n    required by: world[heap]",
            (
                (
                    "build",
                    None,
                    "ERROR: unable to select packages:\nheap (no such package):\n  required by: world[heap]",
                    1,
                ),
            ),
        ),
        TraceSample(
            "No match for argument: heap\nError: Unable to find a match: heap",
            (("build", None, "No match for argument: heap\nError: Unable to find a match: heap", 1),),
        ),
    ),
    strangers=("Errors: none", "No match was lost", "Error handling: on"),
)
