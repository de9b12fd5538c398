"""`[pod/web-6f7d/app] ` — `kubectl logs --prefix`."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="kubectl",
    pattern=r"\[pod/(?P<source>[^/\]\s]+/[^\]\s]+)\](?: |$)",
    per="line",
    program=True,
    samples=(
        Sample("[pod/web-6f7d8-x2x/app] ready", "ready", (("source", "web-6f7d8-x2x/app"),)),
        Sample("[pod/web-6f7d8-x2x/app]", ""),
    ),
    strangers=("[pod/web] x", "pod/web/app x"),
    needs="[pod/",
)
