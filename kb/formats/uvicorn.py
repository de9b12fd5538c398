"""`ERROR:    ` — uvicorn's padded levels."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="uvicorn",
    pattern=r"(?P<level>INFO|ERROR|WARNING|DEBUG|TRACE):(?: {4,5}| {2}(?=\S))",
    per="record",
    samples=(
        Sample("ERROR:    Exception in ASGI application", "Exception in ASGI application", (("level", "ERROR"),)),
        Sample("INFO:     Started server process [7]", "Started server process [7]", (("level", "INFO"),)),
        Sample("WARNING:  Invalid HTTP request", "Invalid HTTP request"),
    ),
    strangers=("ERROR: x", "INFO x"),
    needs=":  ",
)
