"""`[ERROR] ` — Maven's tag, and many a tool's."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="maven",
    pattern=(
        r"\[(?P<level>ERROR|WARNING|WARN|INFO|DEBUG|FATAL|CRITICAL|error|warn|warning|info|debug|fatal)\]"
        r"(?::? |$)"
    ),
    per="line",
    samples=(
        Sample("[ERROR] Failed to execute goal", "Failed to execute goal", (("level", "ERROR"),)),
        Sample("[INFO]   module a", "  module a", (("level", "INFO"),)),
        Sample("[error] boom", "boom", (("level", "error"),)),
    ),
    strangers=("[ERRORS] x", "[ERROR]x"),
)
