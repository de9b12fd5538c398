"""Failures of Ansible: a task that failed on a host, and faults of the playbook itself.

Source of the format: ansible/plugins/callback/default.py (`fatal: [host]: FAILED! => {…}`) and cli/__init__.py
(`ERROR! text`).
"""

import json
import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, ahead, block, joined, told

_TASK = Lazy(
    r"^(?:fatal|failed): \[(?P<host>[^\]]+)\](?: \(item=(?P<item>.*?)\))?: (?P<word>FAILED!|UNREACHABLE!)(?: => "
    r"(?P<result>.*))?$|^failed: \[(?P<host2>[^\]]+)\] \(item=.*?\) => (?P<result2>.*)$"
)
_ERROR = Lazy(r"^(?:\[ERROR\]: |ERROR! )(?P<message>\S.*)$")
_MSG = Lazy(r'"msg": "(?P<msg>(?:[^"\\]|\\.)*)"')
_AT = Lazy(r"^The error appears to be in '(?P<file>[^']+)': line (?P<line>\d+)")
_KEYS = ("msg", "stderr", "module_stderr", "exception", "reason")


def parse(cursor: Cursor) -> list[Event]:
    """The failed task or the fault on the line here; a failure that Ansible ignores is none."""
    line = cursor.line
    if line is None:
        return []
    if found := _TASK.match(line.text):
        after = ahead(cursor, 3)
        ignored = any(each.text.strip() == "...ignoring" for each in after[1:])
        cursor.claim()
        rest = block(cursor, line, lambda text: re.match(r"^  \S|^    |^}$", text), 60)
        message = _message(found["result"] or found["result2"] or "", rest)
        if ignored:
            block(cursor, line, lambda text: text.strip() == "...ignoring", 1)
        said = message or line.text.strip()
        return [told(cursor, line, said, kind="error" if ignored else "build", language="ansible", plain=ignored)]
    found = _ERROR.match(line.text)
    if found is None:
        return []
    cursor.claim()
    at = next((place for each in ahead(cursor, 6) if (place := _AT.match(each.text))), None)
    frames = (Frame(at["file"], int(at["line"])),) if at else ()
    return [told(cursor, line, found["message"].rstrip(), language="ansible", frames=frames)]


def _message(result: str, rest: list[str]) -> str:
    """The message of a task's result: JSON on the line, JSON over several lines, or YAML."""
    text = "\n".join([result, *rest])
    try:
        values = json.loads(text)
    except ValueError:
        found = _MSG.search(text)
        if found:
            return found["msg"].replace("\\n", "\n").replace('\\"', '"').strip()
        yaml = next((row.split("msg:", 1)[1].strip(" '\"|-") for row in rest if row.startswith("  msg:")), "")
        return yaml or joined(result.strip(), rest)
    if not isinstance(values, dict):
        return result.strip()
    said = [str(values[key]).strip() for key in _KEYS if values.get(key)]
    return "\n".join(said[:2]) or result.strip()


TRACE = Trace(
    name="ansible",
    starts=r"^(?:fatal|failed): \[[^\]]+\]|^ERROR! \S|^\[ERROR\]: \S",
    parse=parse,
    order=22,
    marks=("fatal: [", "failed: [", "ERROR! ", "[ERROR]: "),
    samples=(
        TraceSample(
            'fatal: [heap-1]: FAILED! => {"changed": false, "msg": "No package matching \'heap\' is available"}',
            (("build", None, "No package matching 'heap' is available", 1),),
        ),
        TraceSample(
            "ERROR! couldn't resolve module/action 'heap'",
            (("build", None, "couldn't resolve module/action 'heap'", 1),),
        ),
    ),
    strangers=("ok: [heap-1]", "failed: 0 of 3"),
)
