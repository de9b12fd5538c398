"""Errors that kubectl and helm print.

Source of the format: k8s.io/kubectl/pkg/cmd/util/helpers.go (`Error from server (Reason): …`), helm's cmd/helm
(`Error: INSTALLATION FAILED: …`).
"""

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, told

_SERVER = Lazy(r"^(?P<message>Error from server(?: \((?P<cls>\w+)\))?: .*)$")
_HELM = Lazy(
    r"^(?P<message>Error: (?:(?:INSTALLATION|UPGRADE|ROLLBACK|UNINSTALL) FAILED: |failed to download \"|template: |"
    r"chart requires kubeVersion|"
    r"repo \S+ not found|no repositories |release: not found|execution error at |values don't meet |unable to build "
    r"kubernetes objects|"
    r"Kubernetes cluster unreachable|query: failed to query).*)$"
)
_CLIENT = Lazy(
    r"^(?P<message>(?:error: (?:unable to (?:recognize|connect|load|read)|error (?:validating|parsing|loading|"
    r"converting)|the server doesn't have|"
    r"timed out waiting for the condition|no matching resources|resource mapping not found|You must be logged in|"
    r"deployment \"|"
    r"the path \").*|The connection to the server \S+ was refused.*|Unable to connect to the server: .*))$"
)


def parse(cursor: Cursor) -> list[Event]:
    """The error on the line here."""
    line = cursor.line
    if line is None:
        return []
    found = _SERVER.match(line.text) or _HELM.match(line.text) or _CLIENT.match(line.text)
    if found is None:
        return []
    cursor.claim()
    return [told(cursor, line, found["message"].rstrip(), kind="error", cls=found.groupdict().get("cls"))]


TRACE = Trace(
    name="kubectl",
    starts=(
        r"^(?:Error from server|Error: [a-zA-Z]|error: [a-zA-Z]|The connection to the server|Unable to connect to the "
        r"server: )"
    ),
    parse=parse,
    order=28,
    marks=(
        "Error from server",
        "Error: INSTALLATION",
        "Error: UPGRADE",
        "Error: ROLLBACK",
        "Error: UNINSTALL",
        "Error: failed to download",
        "Error: template: ",
        "Error: chart requires",
        "Error: repo ",
        "Error: release: ",
        "Error: execution error",
        "Error: values don't",
        "Error: unable to build",
        "Error: Kubernetes cluster",
        "error: unable to ",
        "error: error ",
        "error: the server",
        "error: timed out waiting",
        "error: no matching resources",
        "error: resource mapping",
        "error: You must be logged in",
        "The connection to the server",
        "Unable to connect to the server",
    ),
    samples=(
        TraceSample(
            'Error from server (NotFound): pods "heap" not found',
            (("error", "NotFound", 'Error from server (NotFound): pods "heap" not found', 1),),
        ),
        TraceSample(
            "Error: INSTALLATION FAILED: cannot re-use a name that is still in use",
            (("error", None, "Error: INSTALLATION FAILED: cannot re-use a name that is still in use", 1),),
        ),
    ),
    strangers=("deployment.apps/heap configured", "Errors from servers are rare"),
)
