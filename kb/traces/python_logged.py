"""A log record that quotes an exception, and right below it the exception's traceback: one error told twice.

Source of the wordings: celery's `raised unexpected: Class('message')`, and every `logger.exception(str(error))`.
"""

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._chain import parse_chain
from kb.traces._echo import echo_of
from kb.traces._message import adjoins
from kb.traces._python import HEADER, frame_of


def parse(cursor: Cursor) -> list[Event]:
    """The copy in the record here and the exceptions below; nothing where the record quotes none of them."""
    head = cursor.line
    if head is None or HEADER.search(head.text) or frame_of(head.text) is not None:
        return []
    cursor.claim()
    line = cursor.line
    if (
        line is None
        or not adjoins(head, line)
        or (found := HEADER.search(line.text)) is None
        or line.text[: found.start()].strip()
    ):
        return []
    events = parse_chain(cursor)
    echo = echo_of(events[-1], head, head.text) if events else None
    return [echo, *events] if echo is not None else []


TRACE = Trace(
    name="python_logged",
    starts=r"\braised unexpected: \w|\bTask handler raised error: \w",
    parse=parse,
    order=26,
    leveled=True,
    marks=(" raised unexpected: ", "Task handler raised error: "),
    samples=(
        TraceSample(
            "Task rows.count[7] raised unexpected: ValueError('the table \"t\" is empty')\n"
            "Traceback (most recent call last):\n"
            '  File "rows.py", line 3, in count\n    raise ValueError(m)\nValueError: the table "t" is empty',
            (
                ("exception", "ValueError", 'the table "t" is empty', 1),
                ("exception", "ValueError", 'the table "t" is empty', 5),
            ),
        ),
    ),
    strangers=("nothing raised unexpected: rows",),
)
