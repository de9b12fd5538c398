"""`E1129 12:49:11.775000 27520 torch/…/api.py:1002] ` — glog's shape: torch's Python logger, absl, Go's klog."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="torch_glog",
    pattern=(
        r"(?P<level>[EWIFV])(?P<time>\d{4} \d\d:\d\d:\d\d\.\d+) +(?:(?P<pid>\d+) +)?\S+\.\w{1,5}:\d+\](?: |$)"
        r"(?:\[\d+/\d+(?:_\d+)?\] )?"
    ),
    per="record",
    samples=(
        Sample(
            "E1129 12:49:11.775000 27520 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: -9)",
            "failed (exitcode: -9)",
            (("level", "E"), ("pid", "27520")),
        ),
        Sample("W0131 10:00:00.000001 torch/distributed/run.py:779] ", "", (("level", "W"),)),
        Sample("E0131 10:00:00.000001       1 reflector.go:138] boom", "boom", (("level", "E"), ("pid", "1"))),
    ),
    strangers=("E1129 is an article number", "E1129 12:49:11.775000 no file here"),
    needs="]",
)
