"""`[rank3]: ` — torch puts it before each line of an uncaught exception; Lightning writes `[rank: 3] `."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="rank",
    pattern=r"\s{0,40}\[rank(?:: )?(?P<rank>\d+)\](?:: ?| (?=Seed|[A-Z]))",
    per="line",
    samples=(
        Sample("[rank3]: Traceback (most recent call last):", "Traceback (most recent call last):", (("rank", "3"),)),
        Sample(
            '[rank12]:   File "/srv/job/run.py", line 3, in main',
            '  File "/srv/job/run.py", line 3, in main',
            (("rank", "12"),),
        ),
        Sample("[rank0]:", "", (("rank", "0"),)),
        Sample("    [rank6]:[E0131 x", "[E0131 x", (("rank", "6"),)),
        Sample("[rank: 3] Seed set to 7", "Seed set to 7"),
    ),
    strangers=("[rank 3] joined", "rank3: ready", "[ranked]: yes"),
    needs="[rank",
)
