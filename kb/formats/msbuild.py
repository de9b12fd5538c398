"""`  3>` — MSBuild and Visual Studio number the projects that they build side by side."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="msbuild",
    pattern=r"\s{0,20}(?P<source>\d{1,4}>)(?:  |(?![&=>|\d]))",
    per="line",
    samples=(
        Sample("27>  -- Found Threads: TRUE", "-- Found Threads: TRUE", (("source", "27>"),)),
        Sample("   3>a.cpp(1): error C2065: x", "a.cpp(1): error C2065: x", (("source", "3>"),)),
        Sample("3>", ""),
    ),
    strangers=("2>&1", "3>=2", "x> y"),
    shy=True,
    needs=">",
)
