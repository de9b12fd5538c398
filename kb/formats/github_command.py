"""`##[error]` — GitHub's and Azure's marks on a line."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="github_command",
    pattern=r"##\[(?P<level>error|warning|debug|notice)\]",
    per="line",
    samples=(
        Sample("##[error]Process completed with exit code 1.", "Process completed with exit code 1.", (("level", "error"),)),
        Sample("##[warning]Node 16 is old", "Node 16 is old", (("level", "warning"),)),
    ),
    strangers=("## [error] x", "#[error]x"),
)
