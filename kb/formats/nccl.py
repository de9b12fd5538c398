"""`node1:1234:1250 [3] NCCL WARN ` — NCCL's log: host, process, thread and device; the words stay."""

from kb.formats import Format, Sample
from kb.formats._parts import STAMP

FORMAT = Format(
    name="nccl",
    pattern=(
        rf"(?:\[{STAMP}\] )?(?P<source>[\w.-]+:(?P<pid>\d+):\d+) \[(?:-1|(?P<rank>\d+))\] (?:[\w./]+:\d+ )?(?=NCCL |ncclN|include/"
        rf"|misc/|init|transport)"
    ),
    per="line",
    samples=(
        Sample(
            "node1:1234:1250 [3] NCCL WARN Call to x failed",
            "NCCL WARN Call to x failed",
            (
                ("source", "node1:1234:1250"),
                ("pid", "1234"),
            ),
        ),
        Sample("[2026-01-31 10:00:00] Node1:1234:1250 [3] init.cc:12 NCCL WARN x", "NCCL WARN x"),
        Sample("Node1:1234:1250 [0] NCCL INFO x", "NCCL INFO x"),
    ),
    strangers=("node1:1234 [3] x", "a:1:2 [3] x"),
    needs="] ",
)
