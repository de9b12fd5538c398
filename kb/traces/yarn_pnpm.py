"""Errors of yarn (classic and berry) and pnpm.

Source of the format: yarn v1's console reporter (`error text`), berry's `➤ YN0028: │ text` with MessageName codes,
pnpm's default reporter (` ERR_PNPM_CODE  text`, ` ELIFECYCLE  text`).
"""

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, block, joined, shell_status, told

_CLASSIC = Lazy(
    r"^(?P<message>error (?:Command failed|An unexpected error occurred|Couldn't find|Found incompatible module|"
    r"@?[^\s:@]+@[^\s:]+: The engine|Your lockfile needs"
    r"|Package \"|Received |Incorrect integrity|Integrity check|Command \"|/[^\s:]+: Command failed|No lockfile|"
    r"Outdated lockfile|Unexpected ).*)$"
)
_BERRY = Lazy(
    r"^\s*➤ (?P<cls>YN0(?:001|009|010|012|014|015|016|018|020|023|025|027|028|035|041|046|071|078|080|082|090)): "
    r"(?:[│┌└] )?(?P<message>.*)$"
)
_PNPM = Lazy(r"^\s*(?P<message>(?P<cls>ERR_PNPM_[A-Z_]+|ELIFECYCLE)[\s ]{1,4}\S.*)$")
_MORE = Lazy(
    r"^(?:Exit code: |Command: |Arguments: |Directory: |Output:$|info Visit |info If you think|error Found "
    r"incompatible)"
)
_STATUS = Lazy(r"\b[Ee]xit code:? (?P<code>\d+)")


def parse(cursor: Cursor) -> list[Event]:
    """The error on the line here; of yarn classic with the command that failed."""
    line = cursor.line
    if line is None:
        return []
    found = _CLASSIC.match(line.text) or _BERRY.match(line.text) or _PNPM.match(line.text)
    if found is None:
        return []
    cursor.claim()
    rest = [text for text in block(cursor, line, _MORE.match, 8) if not text.startswith("info ")]
    message = joined(found["message"].strip(), rest)
    code = _STATUS.search(message)
    status = shell_status(int(code["code"])) or None if code else None
    return [told(cursor, line, message, cls=found.groupdict().get("cls"), language="node", status=status)]


TRACE = Trace(
    name="yarn_pnpm",
    starts=r"^error (?:[A-Z/]|\S+@)|^\s*➤ YN0|^\s*(?:ERR_PNPM_|ELIFECYCLE\s)",
    parse=parse,
    order=24,
    marks=(
        "error Command",
        "error An ",
        "error Couldn",
        "error Found",
        'The engine "',
        "error Your lockfile",
        "error Package",
        "error Incorrect",
        "error Integrity",
        "error Unexpected",
        "error Received",
        ": Command failed",
        "error Outdated",
        "error No lockfile",
        "➤ YN0",
        "ERR_PNPM_",
        "ELIFECYCLE",
    ),
    samples=(
        TraceSample(
            "error Command failed with exit code 2.\ninfo Visit https://yarnpkg.com/en/docs/cli/run for documentation "
            "about this command.",
            (("build", None, "error Command failed with exit code 2.", 1),),
        ),
        TraceSample(
            "➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.",
            (
                (
                    "build",
                    "YN0028",
                    "The lockfile would have been modified by this install, which is explicitly forbidden.",
                    1,
                ),
            ),
        ),
        TraceSample(
            " ERR_PNPM_OUTDATED_LOCKFILE  Cannot install, pnpm-lock.yaml is not up to date",
            (
                (
                    "build",
                    "ERR_PNPM_OUTDATED_LOCKFILE",
                    "ERR_PNPM_OUTDATED_LOCKFILE  Cannot install, pnpm-lock.yaml is not up to date",
                    1,
                ),
            ),
        ),
    ),
    strangers=("➤ YN0000: └ Completed", "error handling is on", "info Visit https://example.org"),
)
