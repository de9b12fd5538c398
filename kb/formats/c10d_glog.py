"""`[E1129 12:49:11.775 ProcessGroupNCCL.cpp:607] [Rank 2] ` — torch's C++ logger; old ones print no time."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="c10d_glog",
    pattern=(
        r"\[(?P<level>[EWIFV])(?P<time>\d{3,4} \d\d:\d\d:\d\d\.\d+)? [\w./-]+\.\w{1,4}:\d+\] (?:\[(?:PG "
        r"[^\]\n]{0,200}?)?Rank (?P<rank>\d+)\] ?)?"
    ),
    per="record",
    samples=(
        Sample(
            "[E1129 12:49:11.775 ProcessGroupNCCL.cpp:607] [Rank 2] Watchdog caught collective operation timeout",
            "Watchdog caught collective operation timeout",
            (("rank", "2"), ("level", "E")),
        ),
        Sample("[W131 10:00:00.000001 socket.cpp:755] retrying", "retrying", (("level", "W"),)),
        Sample(
            "[E1129 12:49:11.775 ProcessGroupNCCL.cpp:607] [PG ID 0 PG GUID 0(default_pg) Rank 2] x",
            "x",
            (("rank", "2"),),
        ),
        Sample("[E ProcessGroupNCCL.cpp:474] [Rank 1] boom", "boom", (("rank", "1"), ("level", "E"))),
    ),
    strangers=("[E1129] x", "[E1129 12:49:11.775] x"),
    needs="] ",
)
