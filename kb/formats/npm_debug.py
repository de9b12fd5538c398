"""`41 verbose ` — npm's debug log numbers its lines."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="npm_debug",
    pattern=r"\d{1,6} (?P<level>error|verbose|info|silly|http|warn|timing|notice) ",
    per="line",
    samples=(
        Sample("41 error code ELIFECYCLE", "code ELIFECYCLE", (("level", "error"),)),
        Sample("41 verbose stack Error: boom", "stack Error: boom"),
    ),
    strangers=("12 errors found", "a 3 error x"),
    shy=True,
    run=4,
)
