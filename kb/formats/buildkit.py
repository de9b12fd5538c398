"""`#12 3.456 ` — docker build's plain progress: step and seconds."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="buildkit",
    pattern=(
        r"(?P<source>#\d{1,4}) (?:(?P<time>\d{1,6}\.\d{1,3})(?: |$)|(?=ERROR: |\[(?!<)[^\]\n]{1,80}\] |sha256:|DONE "
        r"|CACHED$|CANCELED$))"
    ),
    per="line",
    samples=(
        Sample(
            "#8 6.109 Reading package lists...",
            "Reading package lists...",
            (
                ("source", "#8"),
                ("time", "6.109"),
            ),
        ),
        Sample("#8 7.655", "", (("source", "#8"),)),
        Sample(
            '#8 ERROR: process "/bin/sh -c make" did not complete',
            'ERROR: process "/bin/sh -c make" did not complete',
            (("source", "#8"),),
        ),
        Sample("#1 [internal] load build definition", "[internal] load build definition"),
    ),
    strangers=("#0 0x00007f in main ()", "#12 is the issue", "#1 /var/www/index.php(12): run()"),
)
