"""Parts that many prefixes share: dates, clock times, zones and the names of severities.

They take what they can and never give back (`?+`): nothing that follows a time begins with a part of one.
"""

DATE = r"(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d/\d\d/\d{4})"
CLOCK = r"\d\d:\d\d:\d\d(?:[.,:]\d{1,9}+)?+"
ZONE = r"(?: ?(?:Z|UTC|GMT|CEST|CET|EST|EDT|PST|PDT|MSK|JST|IST|[+-]\d\d:?\d\d)\b)?+"
STAMP = rf"{DATE}[ T_]{CLOCK}{ZONE}"
DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL|SEVERE|PANIC)"
THREAD = r"\[[^\]\n]{1,120}\]"
"""A thread or an application in brackets, as Java's layouts print it."""
