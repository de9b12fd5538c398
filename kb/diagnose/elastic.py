"""What torchelastic's failure block says of each rank.

Source of the format: torch/distributed/elastic/multiprocessing/errors/__init__.py.
"""

import re
from dataclasses import dataclass

_ENTRY = re.compile(
    r"^\s*rank\s*: (?P<rank>\d+) \(local_rank: \d+\)\s*\n\s*exitcode\s*: (?P<status>-?\d+) \(pid: (?P<pid>\d+)\)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class RankEnd:
    """How one rank ended; a signal is negative."""

    rank: str
    status: int
    pid: int


def rank_ends(message: str) -> list[RankEnd]:
    """The ends of ranks that a failure block lists, in its order; empty for any other text."""
    return [RankEnd(found["rank"], int(found["status"]), int(found["pid"])) for found in _ENTRY.finditer(message)]
