"""`bench.node1 [stderr] ` — programs that run others and name them before each line."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="multiplexer",
    pattern=r"(?P<source>[\w.-]{1,100}) \[std(?:err|out)\](?: |$)",
    per="line",
    samples=(
        Sample("bench.node1.D3 [stderr] boom", "boom", (("source", "bench.node1.D3"),)),
        Sample("Bench-2 [stdout]", "", (("source", "Bench-2"),)),
        Sample("0.worker [stdout] up", "up"),
    ),
    strangers=("see [stderr]: x", "a b [stderr] x"),
    needs=" [std",
)
