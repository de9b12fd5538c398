"""Errors of pip itself: no such version, conflicts, wheels that were not built, files that cannot be installed.

Source of the format: pip/_internal/resolution/resolvelib/factory.py, wheel_builder.py, commands/install.py.
"""

from kb.model.event import Event, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, ahead, block, joined, told

_NOTICE = Lazy(r"^\s*ERROR: (?:pip's (?:legacy )?dependency resolver|After October 2020)")
_CONFLICT = Lazy(r"^\S+ \S+ (?:requires|has requirement) .* (?:incompatible|not installed)\.?$|^We recommend|^\s*$")
_ONE = Lazy(
    r"^\s*(?:ERROR: )?(?P<message>Could not find a version that satisfies the requirement .*|No matching distribution "
    r"found for .*"
    r"|Failed building wheel for .*|Could not build wheels for .*|Failed to build .*|Could not install packages due to "
    r"an? \w+Error.*"
    r"|Could not open requirements file: .*|Package '?\S+'? requires a different Python.*|\S+ is not a supported wheel "
    r"on this platform\.?"
    r"|THESE PACKAGES DO NOT MATCH THE HASHES.*|Directory '.*' is not installable\..*|Invalid requirement: .*|"
    r"ResolutionImpossible: .*"
    r"|Cannot install .* because these package versions have conflicting dependencies\.|Cannot uninstall .*|Cannot "
    r"find command 'git'.*)$"
)
_MORE = {
    "Could not find": Lazy(r"^\s*ERROR: No matching distribution found for |^\s*No matching distribution found"),
    "Failed building": Lazy(r"^\s*Failed to build [\w.-]+(?: [\w.-]+)*$"),
    "Could not install": Lazy(r"^(?:Consider using|Check the permissions)|^\s*$"),
    "THESE": Lazy(r"^\s+\S|^\s*$"),
}


def parse(cursor: Cursor) -> list[Event]:
    """What pip says on the line here; its notice on packages that do not fit together fails nothing."""
    line = cursor.line
    if line is None:
        return []
    if _NOTICE.match(line.text):
        cursor.claim()
        rest = block(cursor, line, _CONFLICT.match, 40)
        return [told(cursor, line, joined(line.text.strip(), rest), kind="error", language="python", plain=True)]
    found = _ONE.match(line.text)
    return _one(cursor, line, found["message"].rstrip()) if found else []


def _one(cursor: Cursor, line: Line, message: str) -> list[Event]:
    if message.startswith("Failed to build ") and "ERROR: " not in line.text:
        return []  # uv, docker and others say so too; pip repeats it
    cursor.claim()
    rest: list[str] = []
    if message.endswith("conflicting dependencies."):
        rest = _conflict(cursor, line)
    elif more := next((pattern for words, pattern in _MORE.items() if message.startswith(words)), None):
        rest = [text.replace("ERROR: ", "", 1) for text in block(cursor, line, more.match, 20)]
    return [told(cursor, line, joined(message, rest), language="python")]


def _conflict(cursor: Cursor, line: Line) -> list[str]:
    """Claims the explanation of a conflict up to the line that names it."""
    until = next((at for at, each in enumerate(ahead(cursor, 60)) if "ResolutionImpossible" in each.text), None)
    return [cursor.claim().text for _ in range(until + 1)] if until is not None else []


TRACE = Trace(
    name="pip_resolver",
    starts=r"^\s*(?:ERROR: )?(?:pip's |After October|Could not |No matching |Failed |Package |THESE |"
    r"Directory |Invalid |Cannot |Resolution|\S+\.whl )",
    parse=parse,
    order=24,
    marks=(
        "ERROR: pip's ",
        "ERROR: After October 2020",
        "Could not find a version that satisfies",
        "No matching distribution found",
        "Failed building wheel for",
        "ERROR: Could not ",
        "ERROR: Failed to build",
        "Could not build wheels for",
        "requires a different Python",
        "is not a supported wheel on this platform",
        "DO NOT MATCH THE HASHES",
        "is not installable",
        "ERROR: Invalid requirement",
        "ResolutionImpossible",
        "have conflicting dependencies",
        "ERROR: Cannot ",
    ),
    samples=(
        TraceSample(
            "  ERROR: Failed building wheel for heap\nFailed to build heap",
            (("build", None, "Failed building wheel for heap\nFailed to build heap", 1),),
        ),
        TraceSample(
            "ERROR: Could not find a version that satisfies the requirement heap==9 (from versions: 1.0)\n"
            "ERROR: No matching distribution found for heap==9",
            (
                (
                    "build",
                    None,
                    "Could not find a version that satisfies the requirement heap==9 (from versions: 1.0)\n"
                    "No matching distribution found for heap==9",
                    1,
                ),
            ),
        ),
        TraceSample(
            "ERROR: Cannot install heap and sort because these package versions have conflicting dependencies.\n\n"
            "The conflict is caused by:\n    heap 1 depends on top==1\nERROR: ResolutionImpossible: for help visit "
            "https://example.org",
            (
                (
                    "build",
                    None,
                    "Cannot install heap and sort because these package versions have conflicting dependencies.\n\n"
                    "The conflict is caused by:\n    heap 1 depends on top==1\nERROR: ResolutionImpossible: for help "
                    "visit https://example.org",
                    1,
                ),
            ),
        ),
    ),
    strangers=(
        "Successfully installed heap-1.0",
        "WARNING: Failed to write executable",
        "Failed to build trust",
    ),
)
