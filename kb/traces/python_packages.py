"""Errors of uv, poetry and conda: resolvers that explain themselves, and builds that failed.

Source of the format: uv's miette reports (`× …`, `├─▶`, `╰─▶`), poetry's `version solving failed`,
conda/exceptions.py and libmamba.
"""

from kb.model.event import Event, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, ahead, block, joined, shell_status, told

_UV = Lazy(
    r"^\s*× (?P<message>(?:No solution found|Failed to |Invalid |Missing |Requirements |Distribution |Querying |Could "
    r"not ).*)$"
)
_UV_ROW = Lazy(r"^\s+(?:[├╰]─▶ |│|\S)")
_CONDA = Lazy(
    r"^\s*(?P<cls>(?:LibMamba)?UnsatisfiableError|PackagesNotFoundError|ResolvePackageNotFound|Conda\w*Error|"
    r"EnvironmentLocationNotFound"
    r"|SpecsConfigurationConflictError|InvalidSpec|InvalidMatchSpec|PackagesNotFoundInChannelsError|ClobberError|"
    r"ChecksumMismatchError)"
    r"\s*:\s*(?P<message>.*)$"
)
_CONDA_ROW = Lazy(r"^\s+\S|^\s*- |^\s*[└├│]|^\s*$|^(?:Could not solve|The following|To search|Package \S+ conflicts)")
_MAMBA = Lazy(r"^(?:error|critical)\s+libmamba (?P<message>.*)$")
_BECAUSE = Lazy(r"^\s*(?:And |So, |Thus, |Because |Due to |and because |And because |\(\d+\) )")
_STATUS = Lazy(r"\(exit (?:status|code): (?P<code>\d+)\)")


def parse(cursor: Cursor) -> list[Event]:
    """The explanation that begins on the line here, whole."""
    line = cursor.line
    if line is None:
        return []
    if found := _UV.match(line.text):
        cursor.claim()
        rest = block(cursor, line, lambda text: _UV_ROW.match(text) and not text.lstrip().startswith("× "), 60)
        message = joined(found["message"].rstrip(), rest)
        code = _STATUS.search(message)
        return [
            told(
                cursor,
                line,
                message,
                language="python",
                status=shell_status(int(code["code"])) or None if code else None,
            )
        ]
    if found := _CONDA.match(line.text):
        cursor.claim()
        return [
            told(
                cursor, line, joined(found["message"].strip(), _rows(cursor, line)), cls=found["cls"], language="python"
            )
        ]
    if found := _MAMBA.match(line.text):
        cursor.claim()
        return [told(cursor, line, joined(found["message"].strip(), _rows(cursor, line)), language="python")]
    return _solver(cursor, line) if _BECAUSE.match(line.text) else []


def _rows(cursor: Cursor, line: Line) -> list[str]:
    """Claims the list under a conda error; blank lines at its end stay."""
    rows: list[str] = []
    while len(rows) < 120:
        lines = [each for each in ahead(cursor, 3) if each.formats == line.formats and _CONDA_ROW.match(each.text)]
        full = next((at for at, each in enumerate(lines) if each.text.strip()), None)
        if full is None or lines[0] is not cursor.line:
            return rows
        rows += [cursor.claim().text for _ in range(full + 1)]
    return rows


def _solver(cursor: Cursor, line: Line) -> list[Event]:
    """Poetry's chain of reasons, which ends with its verdict."""
    lines = ahead(cursor, 60)
    until = next((at for at, each in enumerate(lines) if "version solving failed" in each.text), None)
    blanks = [
        at for at, each in enumerate(lines) if not _BECAUSE.match(each.text) and "solving failed" not in each.text
    ]
    if until is None or [at for at in blanks if at < until and not lines[at].text.startswith(" ")]:
        return []
    texts = [cursor.claim().text for _ in range(until + 1)]
    return [told(cursor, line, joined(texts[0].strip(), texts[1:]), language="python")]


TRACE = Trace(
    name="python_packages",
    starts=(
        rf"^\s*× (?:No|Failed|Invalid|Missing|Req|Dist|Query|Could)|{_CONDA.pattern}|{_MAMBA.pattern}|"
        rf"{_BECAUSE.pattern}"
    )
    .replace("(?P<message>", "(?:")
    .replace("(?P<cls>", "(?:"),
    parse=parse,
    order=22,
    marks=(
        "× No solution",
        "× Failed to",
        "× Invalid",
        "× Missing",
        "× Requirements",
        "× Distribution",
        "× Querying",
        "× Could not",
        "UnsatisfiableError",
        "PackagesNotFound",
        "ResolvePackageNotFound",
        "CondaError",
        "CondaHTTPError",
        "CondaValueError",
        "CondaVerificationError",
        "CondaFileIOError",
        "CondaSSLError",
        "CondaMemoryError",
        "CondaToSNonInteractiveError",
        "EnvironmentLocationNotFound",
        "SpecsConfigurationConflictError",
        "InvalidSpec",
        "InvalidMatchSpec",
        "ChecksumMismatchError",
        "libmamba ",
        "Because ",
    ),
    samples=(
        TraceSample(
            "  × No solution found when resolving dependencies:\n  ╰─▶ Because heap was not found and you require "
            "heap,\n"
            "      we can conclude that your requirements are unsatisfiable.",
            (
                (
                    "build",
                    None,
                    "No solution found when resolving dependencies:\n╰─▶ Because heap was not found and you require "
                    "heap,\n"
                    "    we can conclude that your requirements are unsatisfiable.",
                    1,
                ),
            ),
        ),
        TraceSample(
            "PackagesNotFoundError: The following packages are not available from current channels:\n\n  - heap=9\n\n"
            "Current channels: x",
            (
                (
                    "build",
                    "PackagesNotFoundError",
                    "The following packages are not available from current channels:\n\n- heap=9",
                    1,
                ),
            ),
        ),
        TraceSample(
            "Because sort depends on heap (>=9) which doesn't match any versions, version solving failed.",
            (
                (
                    "build",
                    None,
                    "Because sort depends on heap (>=9) which doesn't match any versions, version solving failed.",
                    1,
                ),
            ),
        ),
    ),
    strangers=("Because the heap was small, sorting was fast.", "info     libmamba ok", "  × 3 checks were skipped"),
)
