"""`web-1  | ` — docker compose puts the container before each line."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="compose",
    pattern=r"(?P<source>[a-z0-9][\w.-]*?)\s{1,80}\|(?: |$)",
    per="line",
    program=True,
    samples=(
        Sample("trainer-1  | Killed", "Killed", (("source", "trainer-1"),)),
        Sample("db_1       |   DETAIL:  Key exists.", "  DETAIL:  Key exists.", (("source", "db_1"),)),
        Sample("web-1      |", "", (("source", "web-1"),)),
    ),
    strangers=("  | ValueError: x", "| a | b |", "Name | Value"),
    shy=True,
    needs="|",
)
