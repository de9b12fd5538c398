"""Times as logs print them, comparable within one run."""

import re

_DATE = re.compile(
    r"(?:(?P<year>\d{4})[-/.])?(?P<month>\d\d)[-/.]?(?P<day>\d\d)[T _,]+(?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d(?:[.,]\d+)?)"
    r"(?:\s?(?P<zone>Z|[+-]\d\d:?\d\d))?"
)
_SYSLOG = re.compile(r"(?P<month>[A-Z][a-z]{2}) +(?P<day>\d{1,2}) (?:\d{4} )?(?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d(?:[.,]\d+)?)")
_MONTHS = {
    name: number for number, name in enumerate(["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"], 1)
}
_DAYS_BEFORE = (0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335)


def seconds(printed: str | None) -> float | None:
    """Seconds since the start of the year that a printed time tells, None when it has no date.

    The year is left out, since half of the formats do not print it; a zone is applied. Only differences mean something, and only within
    one clock.
    """
    found = _DATE.search(printed or "") or _SYSLOG.search(printed or "")
    if found is None:
        return None
    month = _MONTHS.get(found["month"]) or (int(found["month"]) if found["month"].isdigit() else 0)
    if not 1 <= month <= 12:
        return None
    days = _DAYS_BEFORE[month - 1] + int(found["day"])
    time = int(found["h"]) * 3600 + int(found["m"]) * 60 + float(found["s"].replace(",", "."))
    return days * 86400 + time - _offset(found.groupdict().get("zone"))


def _offset(zone: str | None) -> int:
    """Seconds that a zone lies ahead of UTC."""
    if zone is None or zone == "Z":
        return 0
    digits = zone[1:].replace(":", "")
    return (1 if zone[0] == "+" else -1) * (int(digits[:2]) * 3600 + int(digits[2:]) * 60)
