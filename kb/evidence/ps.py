"""`ps -o pid,ppid,stat,wchan,…`: which processes there are, their states and their children."""

from kb.evidence import Evidence, Page
from kb.evidence._stack import number
from kb.model.snapshot import Fact, Task

_COLUMNS = {
    "PID": "pid",
    "PPID": "parent",
    "STAT": "state",
    "S": "state",
    "STATE": "state",
    "WCHAN": "wchan",
    "CMD": "title",
    "COMMAND": "title",
    "ARGS": "title",
    "TID": "tid",
    "LWP": "tid",
    "SPID": "tid",
}
_LAST = ("CMD", "COMMAND", "ARGS")


def parse(page: Page) -> list[Fact]:
    """One task a line; columns are told apart by the heading."""
    start = page.at
    heading = page.take().text.split()
    columns = [_COLUMNS.get(name.upper(), "") for name in heading]
    found: list[Fact] = []
    while (row := page.row) and (fields := row.text.split(None, len(columns) - 1)) and len(fields) >= min(3, len(columns)):
        values = dict(zip(columns, fields, strict=False))
        if number(values.get("pid")) is None or not values["pid"].isdigit():
            break
        page.take()
        found.append(_task(page.file, row.number, values))
    if not found:
        page.skip(start + 1 - page.at)
    return found


def _task(file: str, line: int, values: dict[str, str]) -> Task:
    wchan = values.get("wchan")
    return Task(
        number(values["pid"]),
        number(values.get("tid")),
        file,
        line,
        state=(values.get("state") or " ")[0].strip() or None,
        wchan=None if wchan in ("-", "*", "?") else wchan,
        parent=number(values.get("parent")),
        title=(values.get("title") or "")[:800],
    )


EVIDENCE = Evidence(
    name="ps",
    starts=r"\s*(?:USER\s+)?PID\s+(?=.*\b(?:CMD|COMMAND|STAT|WCHAN)\b)",
    parse=parse,
    samples=("  PID  PPID STAT WCHAN                    NLWP CMD\n22542 19976 D    kernel_clone                1 python prog.py\n",),
    strangers=("PID file written\n",),
    order=10,
)
