"""`> ` — a block quoted in Markdown or mail."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="quote",
    pattern=r">(?: |$)",
    per="line",
    samples=(
        Sample("> Traceback (most recent call last):", "Traceback (most recent call last):"),
        Sample(">", ""),
    ),
    strangers=(">>> f()", ">x"),
    shy=True,
    run=5,
)
