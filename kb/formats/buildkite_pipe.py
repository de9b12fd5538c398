"""`  | ` — the gutter of a log copied from Buildkite's page. Exception groups have one too, tables close theirs."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="buildkite_pipe",
    pattern=r" {1,4}\|(?: (?!.{0,2000}\|\s{0,20}$)|$)",
    per="line",
    samples=(
        Sample("  | make: done", "make: done"),
        Sample("  |", ""),
        Sample("    |   indented", "  indented"),
    ),
    strangers=("  | a | b |", "x | y", "      | ^"),
    shy=True,
    run=6,
    beside=r"^\s{0,20}\+(?:-|\s{0,20}Exception Group)",
    needs="|",
)
