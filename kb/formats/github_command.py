"""`##[error]`, `::error file=a,line=1::`, `##vso[task.logissue type=error]` — GitHub's and Azure's marks on a line."""

from kb.formats import Decoded, Format, Sample


def _decode(rest: str) -> Decoded:
    """A command's value; it may hold escaped line ends."""
    text = rest.replace("%0D", "").replace("%0A", "\n").replace("%25", "%") if "%0A" in rest else rest
    return Decoded(tuple(text.split("\n")))


FORMAT = Format(
    name="github_command",
    pattern=r"(?:##\[(?:(?P<level>error|warning|debug|notice)|group|endgroup|section|command)\]"
    r"|::(?:error|warning|notice|debug|group|endgroup)(?: [^\n]{1,400}?)?::"
    r"|##vso\[task\.(?:logissue|complete|logdetail)[^\]\n]{0,400}\])",
    per="line",
    samples=(
        Sample(
            "##[error]Process completed with exit code 1.", "Process completed with exit code 1.", (("level", "error"),)
        ),
        Sample("##[warning]Node 16 is old", "Node 16 is old", (("level", "warning"),)),
        Sample("##[group]Run make", "Run make"),
        Sample("::error file=a.c,line=3,title=x::no rows%0Aleft", "no rows\nleft"),
        Sample("##vso[task.logissue type=error;sourcepath=a.c]no rows", "no rows"),
    ),
    strangers=("## [error] x", "#[error]x", "::errors::x"),
    decode=_decode,
)
