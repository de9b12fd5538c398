"""Errors of the container engines: Docker's daemon, containerd, runc, podman.

Source of the format: docker/cli's error reports, runc's libcontainer errors. A chain of `: ` ends in the cause.
"""

import re

from kb.model.event import Event, Line
from kb.traces import Trace, TraceSample
from kb.traces._told import one_line, told

_ERROR = re.compile(
    r"(?:^|\s)(?:docker: |podman: |Error: |ERROR: (?:for \S+ +)?)?(?P<message>(?:Error response from daemon: |Cannot"
    r" start service \S+: |OCI runtime \w+ (?:error|failed): |failed to create (?:shim )?task)\S?.*)$"
)
_SOCKET = re.compile(r"(?P<message>Cannot connect to the Docker daemon at .*)$")


def _build(line: Line, found: re.Match[str]) -> Event:
    return told(line, "error", (found["message"] or found["socket"]).strip())


TRACE = Trace(
    name="docker_daemon",
    starts=r"Error response from daemon: |Cannot start service |OCI runtime \w+ (?:error|failed): |failed to create"
    r" (?:shim )?task|Cannot connect to the Docker daemon",
    parse=one_line(re.compile(rf"{_ERROR.pattern}|{_SOCKET.pattern.replace('message', 'socket')}"), _build),
    order=38,
    marks=(
        "Error response from daemon",
        "Cannot start service ",
        "OCI runtime ",
        "failed to create shim task",
        "failed to create task",
        "Cannot connect to the Docker daemon",
    ),
    samples=(
        TraceSample(
            "docker: Error response from daemon: failed to create task for container: no such pier: unknown.",
            (
                (
                    "error",
                    None,
                    "Error response from daemon: failed to create task for container: no such pier: unknown.",
                    1,
                ),
            ),
        ),
        TraceSample(
            "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
            (
                (
                    "error",
                    None,
                    "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
                    1,
                ),
            ),
        ),
    ),
    strangers=("the daemon answered at once",),
)
