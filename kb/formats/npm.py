"""`npm ERR! ` and `gyp ERR! stack ` — the tag of npm and node-gyp on each line."""

from kb.formats import Format, Sample

FORMAT = Format(
    name="npm",
    pattern=(
        r"(?P<source>npm|gyp|pnpm|yarn) (?:(?:ERR!|WARN!?|error|warn|info|notice|verb)(?: |$)(?:(?:stack"
        r"|verbose stack) (?=\s|\w*Error))?)"
    ),
    per="line",
    samples=(
        Sample("npm ERR! code ELIFECYCLE", "code ELIFECYCLE", (("source", "npm"),)),
        Sample("npm error code 1", "code 1"),
        Sample(
            "gyp ERR! stack Error: `make` failed with exit code: 2",
            "Error: `make` failed with exit code: 2",
            (("source", "gyp"),),
        ),
        Sample(
            "gyp ERR! stack     at ChildProcess.onExit (build.js:203:23)",
            "    at ChildProcess.onExit (build.js:203:23)",
        ),
        Sample("npm ERR!", ""),
    ),
    strangers=("npm install", "npm errors are", "gyp: x"),
)
