"""`[E1129 12:49:11.775 ProcessGroupNCCL.cpp:607] [Rank 2] ` — torch's C++ logger, the rank where it says so."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="c10d_glog",
    pattern=r"\[(?P<level>[EWIF])(?P<time>\d{3,4} \d\d:\d\d:\d\d\.\d+) [\w./-]+:\d+\] (?:\[(?:PG [^\]]*?)?Rank (?P<rank>\d+)\] ?)?",
    per="record",
    samples=(
        Sample("[E1129 12:49:11.775 ProcessGroupNCCL.cpp:607] [Rank 2] Watchdog caught collective operation timeout",
               "Watchdog caught collective operation timeout", (("rank", "2"), ("level", "E"))),
        Sample("[W131 10:00:00.000001 socket.cpp:755] retrying", "retrying", (("level", "W"),)),
    ),
    strangers=("[E1129] x", "[E1129 12:49:11.775] x"),
)  # fmt: skip
