"""`2026-01-31 10:00:00.123456: E external/xla/a.cc:12] ` — absl's C++ logger as TensorFlow and JAX use it."""

from kb.formats import Format, Sample
from kb.formats._parts import CLOCK, DATE

FORMAT = Format(
    name="tensorflow",
    pattern=rf"(?P<time>{DATE} {CLOCK}): (?P<level>[EWIF]) \S+:\d+\] ",
    per="record",
    samples=(Sample("2026-01-31 10:00:00.123456: E external/xla/a.cc:12] boom", "boom", (("level", "E"),)),),
    strangers=("2026-01-31 10:00:00.123456: E x",),
    needs="] ",
)
