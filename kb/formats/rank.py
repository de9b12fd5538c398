"""`[rank3]: ` — torch puts it before each line of an uncaught exception."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="rank",
    pattern=r"\s*\[rank(?P<rank>\d+)\]: ?",
    per="line",
    samples=(
        Sample("[rank3]: Traceback (most recent call last):", "Traceback (most recent call last):", (("rank", "3"),)),
        Sample('[rank12]:   File "/srv/job/run.py", line 3, in main', '  File "/srv/job/run.py", line 3, in main', (("rank", "12"),)),
        Sample("[rank0]:", "", (("rank", "0"),)),
    ),
    strangers=("[rank 3] joined", "rank3: ready", "[ranked]: yes"),
)
