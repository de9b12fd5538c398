"""`[Stage-0] ` — vLLM's stages of a multi-modal pipeline."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="stage",
    pattern=r"\[(?P<source>Stage-\d+)\](?: |$)",
    per="line",
    samples=(Sample("[Stage-1] ready", "ready", (("source", "Stage-1"),)),),
    strangers=("[Stage] x", "[Stage-1]: x"),
    needs="[Stage-",
)
