"""`[default3]:` — torchrun's `--tee` and `--redirects` put role and local rank before each line."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="default",
    pattern=r"\[(?:default|worker|trainer)(?P<rank>\d+)\]:",
    per="line",
    samples=(
        Sample("[default3]:loading shard 3", "loading shard 3", (("rank", "3"),)),
        Sample(
            "[default0]:[rank0]: Traceback (most recent call last):",
            "[rank0]: Traceback (most recent call last):",
            (("rank", "0"),),
        ),
    ),
    strangers=("[default]: on", "default3: x"),
    needs="]:",
)
