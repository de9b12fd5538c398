"""`[66339] [rank0]: ` — numbered lines."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="line_counter",
    pattern=r"\[\d{2,7}\] (?=\[rank)",
    per="line",
    samples=(Sample("[66339] [rank0]: boom", "[rank0]: boom"),),
    strangers=("[66339] x", "[1] [rank0]"),
    needs="[rank",
)
