"""Failures of `docker build`: classic builder, BuildKit, buildx, compose, and Dockerfile faults.

Source of the format: moby's builder/dockerfile, buildkit's solver/errdefs and progressui. BuildKit tells a failed
step twice, as `#N ERROR: process …` and at the end as `ERROR: failed to solve: process …`; both become one message,
so that they fold.
"""

import re

from kb.model.event import Event, Frame, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import ahead, shell_status, told

_STEP = re.compile(
    r"^\s*(?:#\d+ )?(?:\d+\.\d+ )?(?P<message>ERROR: (?:process \"|executor failed running|failed to |.*: not "
    r"found$).*)$"
)
_SOLVE = re.compile(
    r"^\s*(?:ERROR: |error: )?(?:failed to build: |Service '\S+' failed to build ?: |target \S+: )?failed to (?:solve|"
    r"build)(?: with frontend [\w.-]+)?: "
    r"(?:rpc error: code = \w+ desc = )?(?:failed to solve: |failed to build LLB: )?(?P<message>\S.*)$"
)
_CLASSIC = re.compile(
    r"^\s*(?:ERROR: Service '\S+' failed to build ?: )?(?P<message>The command '.*' returned a non-zero code: "
    r"(?P<code>\d+))\s*$"
)
_PARSE = re.compile(
    r"^\s*(?:Error response from daemon: |ERROR: )?(?P<message>(?:dockerfile parse error|Dockerfile parse error|failed "
    r"to parse Dockerfile).*)$"
)
_AT = re.compile(r"^(?P<file>\S*[Dd]ockerfile\S*):(?P<line>\d+)$")
_CODE = re.compile(r"(?:exit code|exit status): (?P<code>\d+)")
_RULE = re.compile(r"^-{6,}$")


def parse(cursor: Cursor) -> list[Event]:
    """The failure on the line here, or at the end of the excerpt `Dockerfile:N` that stands before it."""
    line = cursor.line
    if line is None:
        return []
    at = _AT.match(line.text)
    if at:
        line = _past_excerpt(cursor)
    if line is None:
        return []
    found = _SOLVE.match(line.text) or _STEP.match(line.text) or _CLASSIC.match(line.text) or _PARSE.match(line.text)
    if found is None:
        return []
    cursor.claim()
    message = found["message"].removeprefix("ERROR: ").rstrip()
    code = _CODE.search(message)
    number = found.groupdict().get("code") or (code["code"] if code else None)
    # a failed step is told once without its place and once with it, and both have to be equal
    frames = (Frame(at["file"], int(at["line"])),) if at and not number and "parse error" in message else ()
    return [told(cursor, line, message, frames=frames, status=shell_status(int(number)) or None if number else None)]


def _past_excerpt(cursor: Cursor) -> Line | None:
    """Claims `Dockerfile:N`, a rule, source lines, a rule; returns the line after them or None."""
    lines = ahead(cursor, 30)
    rules = [at for at, each in enumerate(lines) if _RULE.match(each.text.strip())]
    if len(rules) < 2 or rules[0] != 1 or len(lines) <= rules[1] + 1:
        return None
    for _ in range(rules[1] + 1):
        cursor.claim()
    return cursor.line


TRACE = Trace(
    name="docker_build",
    starts=(
        r"(?:ERROR|error): |failed to (?:solve|build)|returned a non-zero code: \d|ockerfile parse error|"
        r"^\S*[Dd]ockerfile\S*:\d+$"
    ),
    parse=parse,
    order=22,
    marks=(
        'ERROR: process "',
        "executor failed running",
        "failed to solve",
        "failed to build LLB",
        "returned a non-zero code",
        "ockerfile parse error",
        "failed to parse Dockerfile",
        "ockerfile:",
    ),
    samples=(
        TraceSample(
            '#8 ERROR: process "/bin/sh -c make" did not complete successfully: exit code: 2\n------\n > [2/2] RUN '
            "make:\n------\nDockerfile:2\n"
            "--------------------\n   2 | >>> RUN make\n--------------------\n"
            'ERROR: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2',
            (
                ("build", None, 'process "/bin/sh -c make" did not complete successfully: exit code: 2', 1),
                ("build", None, 'process "/bin/sh -c make" did not complete successfully: exit code: 2', 9),
            ),
        ),
        TraceSample(
            "The command '/bin/sh -c make' returned a non-zero code: 2",
            (("build", None, "The command '/bin/sh -c make' returned a non-zero code: 2", 1),),
        ),
        TraceSample(
            "ERROR: failed to build: failed to solve: heap:9: docker.io/library/heap:9: not found",
            (("build", None, "heap:9: docker.io/library/heap:9: not found", 1),),
        ),
    ),
    strangers=("Dockerfile:2\nall is well", "#8 DONE 0.1s", "they failed to solve the riddle"),
)
