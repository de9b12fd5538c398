"""Errors of git: `fatal: …` with its explanation, `error: …` of checkout, push and apply.

Source of the format: git's usage.c (die, error) and the messages of its commands. The kind is `error`, not `build`:
tools that ask git for a version print `fatal: not a git repository` in builds that succeed.
"""

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, block, joined, told

_FATAL = Lazy(r"^(?:(?:remote|error): )?(?P<message>fatal: (?!\[)\S.*)$")
_ERROR = Lazy(
    r"^(?P<message>error: (?:failed to push some refs|pathspec '|RPC failed|Your local changes|The following untracked|"
    r"patch failed|could not apply|"
    r"unable to (?:read|create|write|unlink|resolve)|object file|insufficient permission|src refspec|cannot lock ref|"
    r"remote unpack failed|"
    r"Server does not allow|corrupt |invalid object|bad (?:object|signature)|inflate|external filter).*|CONFLICT "
    r"\([\w/ ]+\): .*|"
    r"ERROR: Repository not found\.|Host key verification failed\.|\S+: Permission denied \(publickey[^)]*\)\.?)$"
)
_MORE = Lazy(
    r"^(?:Please make sure|and the repository exists|To add an exception|\tgit |Use '--' to|'git <command>|Not "
    r"possible|Did you mean|hint: |\s+\S|"
    r"Please,? commit|Aborting|Stopping at filesystem|Perhaps you should)"
)


def parse(cursor: Cursor) -> list[Event]:
    """The error on the line here, with git's explanation."""
    line = cursor.line
    if line is None:
        return []
    found = _FATAL.match(line.text) or _ERROR.match(line.text)
    if found is None:
        return []
    cursor.claim()
    rest = block(cursor, line, lambda text: _MORE.match(text) or not text.strip(), 12) if _goes_on(cursor) else []
    return [told(cursor, line, joined(found["message"].rstrip(), rest), kind="error")]


def _goes_on(cursor: Cursor) -> bool:
    """Whether the next line explains; a blank line first ends the message unless git's advice stands behind it."""
    line = cursor.line
    return line is not None and _MORE.match(line.text) is not None


TRACE = Trace(
    name="git",
    starts=(
        r"^(?:(?:remote|error): )?fatal: [^\[\s]|^error: [a-zA-Z]|^CONFLICT \(|^ERROR: Repository not found|^Host key "
        r"verification|Permission denied \(publickey"
    ),
    parse=parse,
    order=45,
    marks=(
        "fatal: ",
        "error: failed to push",
        "error: pathspec",
        "error: RPC failed",
        "error: Your local changes",
        "error: The following untracked",
        "error: patch failed",
        "error: could not apply",
        "error: unable to ",
        "error: object file",
        "error: insufficient permission",
        "error: src refspec",
        "error: cannot lock ref",
        "CONFLICT (",
        "ERROR: Repository not found",
        "Host key verification failed",
        "Permission denied (publickey",
    ),
    samples=(
        TraceSample(
            "fatal: could not read from remote repository.\nPlease make sure you have the correct access rights\nand "
            "the repository exists.",
            (
                (
                    "error",
                    None,
                    "fatal: could not read from remote repository.\nPlease make sure you have the correct access "
                    "rights\n"
                    "and the repository exists.",
                    1,
                ),
            ),
        ),
        TraceSample(
            "error: pathspec 'heap' did not match any file(s) known to git",
            (("error", None, "error: pathspec 'heap' did not match any file(s) known to git", 1),),
        ),
    ),
    strangers=("non-fatal: the heap was kept", "it was fatal: all was lost"),
)
