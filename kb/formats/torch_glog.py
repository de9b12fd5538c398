"""`E1129 12:49:11.775000 27520 torch/…/api.py:1002] ` — torch's Python logger in glog's shape."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="torch_glog",
    pattern=r"(?P<level>[EWIFV])(?P<time>\d{4} \d\d:\d\d:\d\d\.\d+) (?:(?P<pid>\d+) )?\S+\.(?:py|cc|cpp|go):\d+\] (?:\[\d+/\d+(?:_\d+)?\] )?",
    per="record",
    samples=(
        Sample("E1129 12:49:11.775000 27520 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: -9)",
               "failed (exitcode: -9)", (("level", "E"), ("pid", "27520"))),
        Sample("W0131 10:00:00.000001 torch/distributed/run.py:779] ", "", (("level", "W"),)),
    ),
    strangers=("E1129 is an article number", "E1129 12:49:11.775000 no file here"),
)  # fmt: skip
