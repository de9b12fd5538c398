"""`ss -tlnp`, `-tnp` and `-tinp`: which processes are connected, and whether what they send arrives."""

import re
from dataclasses import replace

from kb.evidence import Evidence, Page
from kb.evidence._stack import number
from kb.model.snapshot import Fact, Socket

_SOCKET = re.compile(r"([A-Z][A-Z0-9-]+)\s+(\d+)\s+(\d+)\s+(\S+:\S+)\s+(\S+:\S+)(?:\s+(users:.*))?\s*$")
_PID = re.compile(r"pid=(\d+)")
_INFO = re.compile(r"\b(backoff|unacked|lastrcv):(\d+)")
_MAPPED = re.compile(r"^\[::ffff:([\d.]+)\]")


def parse(page: Page) -> list[Fact]:
    """One socket a line, with what its second line adds."""
    start = page.at
    if (row := page.row) and row.text.startswith("State"):
        page.take()
    found: list[Fact] = []
    while (row := page.row) and (fields := _SOCKET.match(row.text)):
        page.take()
        pids = tuple(int(pid) for pid in dict.fromkeys(_PID.findall(fields[6] or "")) if len(pid) < 12)
        socket = Socket(
            fields[1], number(fields[2]) or 0, number(fields[3]) or 0, address(fields[4]), address(fields[5]), pids, page.file, row.number
        )
        if (more := page.row) and more.text[:1] in ("\t", " ") and _INFO.search(more.text + " lastrcv:0"):
            socket = _detailed(socket, more.text)
            page.take()
        found.append(socket)
    if not found and page.at == start:
        page.skip(1)
    return found


def address(text: str) -> str:
    """An address without its IPv4 mapping and interface, so that both ends of a connection read alike."""
    return re.sub(r"%\w+", "", _MAPPED.sub(r"\1", text))


def _detailed(socket: Socket, text: str) -> Socket:
    says = {name: int(value) for name, value in _INFO.findall(text) if len(value) < 16}
    return replace(socket, detailed=True, backoff=says.get("backoff", 0), unacked=says.get("unacked", 0), last_received=says.get("lastrcv"))


EVIDENCE = Evidence(
    name="ss",
    starts=r"State\s+Recv-Q\s+Send-Q|(?:ESTAB|LISTEN)\s+\d+\s+\d+\s+\S+:\S+\s+\S+:",
    parse=parse,
    samples=(
        "State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess\n"
        'ESTAB 0      1398296 127.0.0.1:44944 127.0.0.1:35079 users:(("python",pid=25199,fd=10))\n'
        "\t bbr rto:52224 backoff:8 lastsnd:50396 lastrcv:104804 unacked:1\n",
        'LISTEN 0      4096               *:46607            *:*    users:(("python",pid=20779,fd=12))\n',
    ),
    strangers=("State of the union\n", "ESTABLISHED connection to 10.0.0.1:80\n"),
    order=10,
)
