"""`12.3s | 41 | ` — Kaggle's notebook logs: seconds and line number."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="kaggle",
    pattern=r"(?P<time>\d+\.\d+s) \| \d+ \|(?: |$)",
    per="line",
    samples=(
        Sample("12.3s | 41 | Epoch 1", "Epoch 1", (("time", "12.3s"),)),
        Sample("12.3s | 42 |", ""),
    ),
    strangers=("12.3s | x", "12.3 | 4 | x"),
    needs="s | ",
)
