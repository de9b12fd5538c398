"""The lines between which pytest prints its reports, and the short summary that repeats them.

Source of the format: `_pytest/terminal.py`.
"""

import re

from kb.traces import Cursor

TITLE = r"^_+ (?!_)\S.* _+\s*$|^_+ (?!_)[^\s_]\S* _+\s*$"
HEADING = re.compile(r"^_+ (?P<title>(?!_ )\S(?:.*\S)?) _+\s*$")
SUMMARY = "short test summary info"
SECTION = re.compile(r"^={3,} (?P<title>\S.*?) ={3,}\s*$")
REPORTS = ("FAILURES", "ERRORS")
FINAL = re.compile(r"^=* ?(?:\d+ \w+,? ?)+ in \d[\d.]*s(?: \([\d:, a-z]+\))? ?=*\s*$|^!+ .* !+\s*$")
REPEATS = re.compile(r"^(?:FAILED|ERROR)(?: CONSISTENTLY:| \[[\d.]+s\])? (?P<test>\S+\.\w+(?:::.*?)?|\S+::\S.*?)(?: - (?P<said>.*))?$")
_ENTRY = re.compile(r"^(?:SUB)?(?:FAILED|ERROR|SKIPPED|XFAIL|XPASS|PASSED|FAIL|RERUN)\b")
_SEARCH = 1500
"""Lines between the last report and the summary: warnings, durations, a coverage table."""


def claim_summary(cursor: Cursor) -> None:
    """Use up the summary that follows, when it does; the lines before it are left to others."""
    at, claimed = cursor.at, len(cursor.claimed)
    for _ in range(_SEARCH):
        line = cursor.line
        if line is None or HEADING.match(line.text):
            break
        if SECTION.match(line.text) and SUMMARY in line.text:
            cursor.claim()
            while (line := cursor.line) is not None and (_ENTRY.match(line.text) or line.text[:1] in " \t"):
                cursor.claim()
            return
        cursor.skip()
    cursor.at = at
    del cursor.claimed[claimed:]
