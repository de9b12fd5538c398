"""Failures of Maven: `Failed to execute goal …`, and the advice that follows it.

Source of the format: org.apache.maven.cli.MavenCli (logSummary) and the plugins' exceptions.
"""

from kb.model.event import Event, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, told

_TAG = r"^\s*(?:\[(?:ERROR|FATAL)\]\s+)?"
_GOAL = Lazy(
    rf"{_TAG}(?P<message>(?:Failed to execute goal|Plugin \S+ or one of its dependencies could not be resolved|No "
    rf"plugin found for prefix|"
    r"The goal you specified requires a project|Unknown lifecycle phase|Non-resolvable (?:parent|import) POM|Could not "
    r"find the selected project|"
    r"Some problems were encountered while processing the POMs|Error resolving version for plugin|The build could not "
    r"read \d+ project).*)$"
)
_ADVICE = Lazy(
    rf"{_TAG}(?:$|-> \[Help|To see the full stack trace|Re-run Maven|For more information about|After correcting the "
    rf"problems|\[Help \d+\]|"
    r"mvn <args>|  mvn |Please refer to|See (?:\S+ )?(?:for|dump)|The following dump files)"
)
_HELP = Lazy(r"-> \[Help \d+\]\s*$")


def parse(cursor: Cursor) -> list[Event]:
    """The goal that failed; advice is claimed, what the plugin repeats of its own errors is left."""
    line = cursor.line
    found = _GOAL.match(line.text) if line else None
    if line is None or found is None:
        return []
    cursor.claim()
    _claim_advice(cursor, line)
    return [told(cursor, line, _HELP.sub("", found["message"]).rstrip(" :"), language="java")]


def _claim_advice(cursor: Cursor, first: Line) -> None:
    """Claims advice up to eight other lines ahead; those are left to other grammars."""
    passed = 0
    while passed < 8 and (line := cursor.line) is not None:
        if _ADVICE.match(line.text) and (line.text.strip() or line.level == first.level):
            cursor.claim()
        else:
            passed += 1
            cursor.skip()


TRACE = Trace(
    name="maven",
    starts=_GOAL.pattern.replace("(?P<message>", "(?:"),
    parse=parse,
    order=24,
    marks=(
        "Failed to execute goal",
        "could not be resolved",
        "No plugin found for prefix",
        "The goal you specified",
        "Unknown lifecycle phase",
        "Non-resolvable ",
        "Could not find the selected project",
        "Some problems were encountered while processing",
        "Error resolving version",
        "The build could not read",
    ),
    samples=(
        TraceSample(
            "[INFO] BUILD FAILURE\n[ERROR] Failed to execute goal org.example:heap-plugin:1.0:test (default) on "
            "project heap: There are holes. -> [Help 1]\n"
            "[ERROR] \n[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.",
            (
                (
                    "build",
                    None,
                    "Failed to execute goal org.example:heap-plugin:1.0:test (default) on project heap: There are "
                    "holes.",
                    2,
                ),
            ),
        ),
    ),
    strangers=("[INFO] BUILD SUCCESS", "[WARNING] The goal is near"),
)
