"""`[ 1388.105450] ` — the kernel's ring buffer: seconds since boot, or `--time-format iso`."""

from kb.formats import Format, Sample
from kb.formats._parts import DATE

FORMAT = Format(
    name="dmesg",
    pattern=(
        r"(?:<\d{1,2}>|kern {2}:\w+ *: )?(?:\[\s{0,20}(?P<time>\d{1,9}\.\d{6})\](?:\[ *[TC]\d+\])?:? ?|"
        rf"{DATE}T\d\d:\d\d:\d\d,\d{{6}}[+-]\d\d:\d\d )"
    ),
    per="line",
    samples=(
        Sample(
            "[ 1388.105450] Out of memory: Killed process 7 (python3)",
            "Out of memory: Killed process 7 (python3)",
            (("time", "1388.105450"),),
        ),
        Sample("[2059991.471214]  <TASK>", " <TASK>"),
        Sample("<4>[   12.000001][  T831] x", "x"),
        Sample("kern  :err   : [   12.000001] x", "x"),
        Sample("2026-01-31T10:00:00,123456+00:00 oom_reaper: reaped", "oom_reaper: reaped"),
    ),
    strangers=("[12.5] x", "[ 12%] Building"),
)
