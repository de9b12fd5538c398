"""`[actor0]:` — roles of torchrun and of launchers like it, with the local rank."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="bracket_role",
    pattern=r"\[(?P<source>[a-zA-Z_][\w-]*?)(?P<rank>\d{1,5})\]:",
    per="line",
    samples=(
        Sample(
            "[actor3]:boom",
            "boom",
            (
                ("source", "actor"),
                ("rank", "3"),
            ),
        ),
    ),
    strangers=("[1]: x", "[actor]: x", "[actor3] x"),
    shy=True,
    needs="]:",
)
