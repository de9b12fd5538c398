"""`[1,3]<stderr>:` — mpirun's tagged output, Horovod's too."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="mpi",
    pattern=r"\[(?:[\w.-]+@)?(?:\d+,)?(?P<rank>\d+)\]<std(?:out|err|diag)>: ?",
    per="line",
    samples=(
        Sample("[1,3]<stderr>:boom", "boom", (("rank", "3"),)),
        Sample("[0]<stdout>: ready", "ready", (("rank", "0"),)),
        Sample("[prterun-node1-7@1,2]<stderr>: x", "x", (("rank", "2"),)),
    ),
    strangers=("[1,3] x", "[1]: <stderr>"),
    needs="]<std",
)
