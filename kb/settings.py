"""Every threshold, each with the sentence that justifies it."""

MAX_LINE_BYTES = 64 * 1024
"""A longer line is cut here, so that a file without line ends cannot fill the memory; cut lines are counted and reported."""

CHUNK_BYTES = 1024 * 1024
"""Bytes asked of a file at a time: larger ones bring no speed, only memory (measured from 16 KB to 4 MB)."""

MAX_INFLATION = 200
"""Bytes that one compressed byte may become before a file counts as a bomb; real logs reach 10 to 40, runs of one line 120."""

MIN_INFLATED_BYTES = 64 * 1024 * 1024
"""Below this size no ratio is held against a compressed file."""

HEAD_LINES = 400
"""Lines at the start of a log that are always read closely: start-up tells which ranks there are."""

TAIL_LINES = 400
"""Lines at the end of a log that are always read closely: processes and launchers report their end there."""

CONTEXT_BEFORE = 40
"""Lines read closely before a mark of failure: a message may begin long before the word that gives it away."""

CONTEXT_AFTER = 60
"""Lines read closely after a mark of failure: a message may go on without any."""

WATCHDOG_LINES = 5_000
"""Lines of watchdogs and of ends of processes that are kept to judge a hang: of 8 ranks each says a dozen."""

MAX_MEMBERS = 20_000
"""Files of a folder or an archive that are read as one run: ten thousand ranks with two streams each."""

MAX_PREFIXES = 6
"""Prefixes stacked on one line; four were seen in real logs."""

MESSAGE_LINES = 60
"""Lines that one message may have; the longest seen in real logs had 40 (a launcher's failure block)."""

MESSAGE_CHARS = 16_000
"""Characters of a message that are kept."""

FUZZY_ACCEPT = 0.75
"""Score from which a fuzzy match counts: the measured point with 0.4 % false links on foreign logs."""

FUZZY_COVERAGE = 0.9
"""Share of a record's words (by letters) that a message must hold: near misses differ in one telling word, as all the counter-examples
do that scored high without this."""

FUZZY_BUDGET = 200
"""Distinct events that are compared fuzzily in one run; the rest is counted as skipped."""

FUZZY_CANDIDATES = 50
"""Records that share the rarest words and are scored in full; the right one is among fifty in 97 % of cases."""

FUZZY_MAX_CHARS = 400
"""Characters of a message that are compared fuzzily: behind them come values, not wording."""

CONFIDENCE_TEMPLATE = 0.9
"""A strong template found as part of a longer message."""

CONFIDENCE_WHOLE = 0.95
"""A template that is the whole message."""

CONFIDENCE_PATTERN = 0.85
"""A regular expression of a record, which may say less than it seems."""

CONFIDENCE_CODE = 0.85
"""An exit status: the number is sure, what it means for this program is not."""

CONFIDENCE_FRAME = 0.5
"""Only the raise site agrees: the same function may raise several errors."""

CONFIDENCE_SITE_AND_CLASS = 0.75
"""Raise site and class agree, as a signature without a message demands."""

CONFIDENCE_LIKELY = 0.7
"""Below it a match is called possible, and nothing is concluded from it that a likely one contradicts."""

AGREEMENT = 0.04
"""What an agreeing class or frame adds to a message that matched."""

WEAK_PENALTY = 0.15
"""What a weak template loses even when class or frame agrees."""

LINE_DRIFT = 30
"""Lines by which a raise site may have moved between versions; within it a line number breaks ties, beyond it says nothing."""

ANNOTATIONS = 10
"""Annotations that GitHub shows for one step and severity."""

ANNOTATION_CHARS = 4096
"""Characters of an annotation's message that GitHub keeps."""

SUMMARY_BYTES = 900 * 1024
"""Size at which a step summary is cut: above 1 MiB GitHub drops all of it."""
