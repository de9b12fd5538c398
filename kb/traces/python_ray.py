"""Errors of Ray's remote tasks: `ray::Actor.method() (pid=…)` stands where a traceback has its header.

Source of the format: `RayTaskError` in python/ray/exceptions.py.
"""

import re
from dataclasses import replace

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._chain import parse_chain
from kb.traces._python import closed, frame_of, named

_TASK = re.compile(r"\bray::\S{1,300}\(\) \((?:pid|actor_id)=")


def parse(cursor: Cursor) -> list[Event]:
    """The exceptions of the task here; nothing where no frames follow its name."""
    head = cursor.line
    if head is None or not _TASK.search(head.text) or named(head.text) is not None:
        return []
    cursor.claim()
    line = cursor.line
    if line is None or frame_of(line.text) is None or line.number > head.number + 1:
        return []
    events = parse_chain(cursor)
    first = min(range(len(events)), key=lambda place: events[place].span[0], default=None)
    if first is None:
        return []
    event = replace(events[first], header=head.text.strip())
    return [*events[:first], closed(event, (head.number, *event.claimed)), *events[first + 1 :]]


TRACE = Trace(
    name="python_ray",
    starts=_TASK.pattern,
    parse=parse,
    order=12,
    marks=("ray::",),
    samples=(
        TraceSample(
            'Unhandled error: ray::Mill.grind() (pid=7, ip=10.0.0.1)\n'
            '  File "python/ray/_raylet.pyx", line 9, in ray._raylet.run\n'
            '  File "mill.py", line 3, in grind\n    assert n\nAssertionError: no grain',
            (("exception", "AssertionError", "no grain", 5),),
        ),
        TraceSample(
            'Traceback (most recent call last):\n  File "main.py", line 3, in <module>\n    ray.get(x)\n'
            "ray.exceptions.RayTaskError(ValueError): ray::Mill.grind() (pid=7)\n"
            '  File "mill.py", line 3, in grind\n    raise ValueError(n)\nValueError: no grain',
            (("exception", "ValueError", "no grain", 7),
             ("exception", "ray.exceptions.RayTaskError(ValueError)", "ray::Mill.grind() (pid=7)", 4)),
        ),
    ),
    strangers=("167 44.41 ray::Mill", "ray::Mill.grind() (pid=7) took 3 s"),
)  # fmt: skip
