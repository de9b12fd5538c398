"""Collectives that did not finish, as torch's NCCL watchdog and heartbeat monitor report them.

Source of the format: torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp (1.13 to 2.9), also of RCCL, XCCL, HCCL.
"""

import re

from kb.model.event import Event, Line
from kb.traces import PATIENCE, Cursor, Trace, TraceSample
from kb.traces._told import told

_RANK = r"(?:\[(?:PG [^\]]*?)?Rank (?P<rank>\d+)\] ?)?"
_TIMEOUT = re.compile(
    rf"(?P<before>(?:{_RANK}Process group watchdog thread terminated with exception: )?)(?:\[(?:PG [^\]]*?)?Rank"
    rf" (?P<inner>\d+)\] ?)?"
    r"(?P<message>Watchdog caught collective operation timeout: Work\w+\(.*)$"
)
_WORK = re.compile(
    rf"{_RANK}(?P<message>(?:Exception \(either an error or timeout\) detected by watchdog at work|Timeout at \w+"
    rf" work): .*)$"
)
_MONITOR = re.compile(
    rf"{_RANK}(?P<message>(?:Heartbeat monitor timed out!|ProcessGroup\w+'s watchdog got stuck for |Received a (?:dump"
    rf" signal|timeout signal|global timeout)"
    r"|Could not acquire GIL within |Observed flight recorder dump signal|Watchdog caught collective operation timeout"
    r"|terminating the process due to watchdog).*)$"
)
_ABORTED = re.compile(
    rf"{_RANK}(?P<message>(?:NCCL watchdog thread terminated|Process group watchdog thread terminated) with exception:"
    rf" .*)$"
)
_STACK = re.compile(r"^Exception raised from \S+ at \S+|^frame #\d+: ")


def parse(cursor: Cursor) -> list[Event]:
    """The report that the line here begins, with the C++ stack and the second report on the same work behind it."""
    line = cursor.line
    if line is None:
        return []
    found = next((hit for each in (_TIMEOUT, _WORK, _MONITOR, _ABORTED) if (hit := each.search(line.text))), None)
    if found is None:
        return []
    cursor.claim()
    _rest(cursor, line)
    rank = found.groupdict().get("rank") or found.groupdict().get("inner") or _rank_before(line.text, found.start())
    return [
        told(
            line,
            "stall",
            found["message"].strip(),
            rank=line.rank or rank,
            claimed=cursor.numbers,
            header=_header(line, found),
        )
    ]


def _header(line: Line, found: re.Match[str]) -> str:
    return line.text[: found.start("message")].strip()


def _rank_before(text: str, end: int) -> str | None:
    ranks = re.findall(r"Rank (\d+)\]", text[:end])
    return ranks[-1] if ranks else None


def _rest(cursor: Cursor, head: Line) -> None:
    """Claim the C++ stack of the report, and the watchdog's further words on the same work."""
    end, passed = cursor.at, 0
    while passed <= PATIENCE and (line := cursor.line) is not None:
        again = _WORK.search(line.text) and line.stream == head.stream and line.formats == head.formats
        if _STACK.match(line.text) or again:
            cursor.claim()
            end, passed = cursor.at, 0
        elif line.text.strip():
            break
        else:
            cursor.skip()
            passed += 1
    cursor.at = end


TRACE = Trace(
    name="nccl_watchdog",
    starts=r"Watchdog caught collective operation timeout|Heartbeat monitor timed out|watchdog got stuck for |detected"
    r" by watchdog at work: "
    r"|Timeout at \w+ work: |Received a (?:dump|timeout) signal|Received a global timeout|Could not acquire GIL within "
    r"|Observed flight recorder dump signal|watchdog thread terminated with exception: ",
    parse=parse,
    order=13,
    marks=(
        "Watchdog caught collective",
        "Heartbeat monitor timed out",
        "watchdog got stuck for",
        "detected by watchdog at work",
        "Timeout at ",
        "Received a dump signal",
        "Received a timeout signal",
        "Received a global timeout",
        "Could not acquire GIL within",
        "Observed flight recorder dump signal",
        "watchdog thread terminated with exception",
    ),
    samples=(
        TraceSample(
            "[Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=8, OpType=ALLREDUCE,"
            " Timeout(ms)=600000) ran for 600012 "
            "milliseconds before timing out.\n[PG 0 Rank 3] Exception (either an error or timeout) detected by"
            " watchdog at work: 8, last enqueued",
            (
                (
                    "stall",
                    None,
                    "Watchdog caught collective operation timeout: WorkNCCL(SeqNum=8, OpType=ALLREDUCE,"
                    " Timeout(ms)=600000) ran for "
                    "600012 milliseconds before timing out.",
                    1,
                ),
            ),
        ),
        TraceSample(
            "[PG 0 Rank 1] Heartbeat monitor timed out! Process will be terminated",
            (("stall", None, "Heartbeat monitor timed out! Process will be terminated", 1),),
        ),
    ),
    strangers=("the watchdog barked at the pier", "Timeout at the pier: 3 s"),
)
