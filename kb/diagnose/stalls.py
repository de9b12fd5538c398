"""Which rank kept the others waiting, from the timeouts of collectives that several ranks report (R7).

Source of the fields: WorkNCCL's description in torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_WORK = re.compile(r"\bWork\w+\(SeqNum=(?P<seq>\d+), OpType=(?P<op>\w+)(?:, NumelIn=(?P<size>\d+))?")


@dataclass(frozen=True, slots=True)
class Work:
    """A collective that a rank could not finish."""

    seq: int
    op: str
    size: str | None


def work_of(message: str) -> Work | None:
    """The collective that a timeout names."""
    found = _WORK.search(message)
    return Work(int(found["seq"]), found["op"], found["size"]) if found else None


def lagging(works: Sequence[Work]) -> tuple[int, str] | None:
    """The place of the one that is to blame, and why: it alone lags behind in the sequence, or it alone does something else at the same
    place of the sequence. None when nothing tells them apart."""
    if len(works) < 2:
        return None
    first = min(range(len(works)), key=lambda at: works[at].seq)
    others = [work.seq for at, work in enumerate(works) if at != first]
    if works[first].seq < min(others):
        return first, f"it lags behind at collective {works[first].seq}, the others are at {min(others)} or later"
    doing = Counter((work.op, work.size) for work in works)
    rare = [at for at, work in enumerate(works) if doing[work.op, work.size] == 1]
    if len({work.seq for work in works}) == 1 and len(rare) == 1 and len(works) > 2:
        return rare[0], f"it alone runs {works[rare[0]].op} at collective {works[rare[0]].seq}"
    return None
