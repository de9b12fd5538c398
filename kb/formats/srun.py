"""`3: ` — `srun --label` puts the task before each line."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="srun",
    pattern=r" {0,4}(?P<rank>\d{1,5}):(?: |$)",
    per="line",
    samples=(
        Sample("3: boom", "boom", (("rank", "3"),)),
        Sample(" 12: up", "up", (("rank", "12"),)),
        Sample("0:", ""),
    ),
    strangers=("3:4: x", "12:00:01 x", "rank 3: x"),
    shy=True,
    needs=":",
)
