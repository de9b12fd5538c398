"""`[node1:12345] ` — Open MPI's own messages."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="mpi_host",
    pattern=(
        r"\[(?P<source>(?![\w.-]*\.(?:py|cc|cpp|cu|c|h|hpp|go|rs|js|ts|java|rb|scala):)[A-Za-z][\w.-]*):"
        r"(?P<pid>\d{2,8})\](?: |$)"
    ),
    per="line",
    samples=(
        Sample(
            "[node1:12345] *** Process received signal ***",
            "*** Process received signal ***",
            (
                ("source", "node1"),
                ("pid", "12345"),
            ),
        ),
    ),
    strangers=("[core.py:700] x", "[node1] x", "[a:1]: x"),
)
