"""Failures of Bazel (also Blaze, Buck's older reports): `ERROR: place: text`.

Source of the format: com.google.devtools.build.lib.events.EventKind and the spawn failure messages of SpawnResult.
"""

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, shell_status, told

_PLACE = Lazy(
    r"^\s*ERROR: (?P<file>[^\s:]*(?:BUILD(?:\.bazel)?|WORKSPACE(?:\.bazel|\.bzlmod)?|MODULE\.bazel|"
    r"\.bzl)):(?P<line>\d+):\d+: (?P<message>.*)$"
)
_BUILD = Lazy(
    r"^\s*(?:ERROR|FAILED): (?P<message>(?:Analysis of target|Build did NOT complete successfully|no such (?:package|"
    r"target)|Error computing the main|"
    r"An error occurred during the fetch of repository|Skipping '|error loading package|Unable to find package|The "
    r"'build' command|"
    r"Traceback of|Command failed|Evaluation of query|Target .* failed to build).*)$"
)
_STATUS = Lazy(r"(?:failed: )?\(Exit (?P<code>\d+)\)|\((?:Killed|Terminated)\)|terminated by signal (?P<signal>\d+)")
_ENDING = "Build did NOT complete successfully"


def parse(cursor: Cursor) -> list[Event]:
    """The error on the line here."""
    line = cursor.line
    if line is None:
        return []
    found = _PLACE.match(line.text) or _BUILD.match(line.text)
    if found is None:
        return []
    cursor.claim()
    message = found["message"].rstrip()
    frames = (Frame(found["file"], int(found["line"])),) if "file" in found.groupdict() else ()
    return [told(cursor, line, message, frames=frames, status=_status(message))]


def _status(message: str) -> int | None:
    found = _STATUS.search(message)
    if found is None:
        return 1 if message.startswith(_ENDING) else None
    if found["code"]:
        return shell_status(int(found["code"])) or None
    return -int(found["signal"]) if found["signal"] else {"(Killed)": -9}.get(found[0], -15)


TRACE = Trace(
    name="bazel",
    starts=r"^\s*ERROR: \S+:\d+:\d+: |^\s*(?:ERROR|FAILED): [A-Zaenu]",
    parse=parse,
    order=24,
    marks=(
        "BUILD:",
        "BUILD.bazel:",
        "WORKSPACE",
        "MODULE.bazel:",
        ".bzl:",
        "ERROR: Analysis of",
        "did NOT complete successfully",
        "ERROR: no such ",
        "ERROR: An error occurred",
        "ERROR: Skipping '",
        "ERROR: error loading",
        "ERROR: Error computing",
        "ERROR: Unable to find package",
        "ERROR: The 'build'",
        "ERROR: Evaluation of",
    ),
    samples=(
        TraceSample(
            "ERROR: /srv/heap/BUILD:3:11: Compiling heap.cc failed: (Exit 1): gcc failed: error executing command\n"
            "heap.cc:1:2: error: no heap\nERROR: Build did NOT complete successfully",
            (
                ("build", None, "Compiling heap.cc failed: (Exit 1): gcc failed: error executing command", 1),
                ("build", None, "error: no heap", 2),
                ("build", None, "Build did NOT complete successfully", 3),
            ),
        ),
    ),
    strangers=("INFO: Build completed successfully", "WARNING: /srv/heap/BUILD:3:11: old rule"),
)
