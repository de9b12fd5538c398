"""What shells say of commands that they cannot run and of scripts that they cannot read.

Source of the format (bash, dash, busybox, zsh, ksh, fish, env): bash's error.c, dash's error.c and exec.c, coreutils'
env.c. Complaints of the commands themselves (`df: …: No such file or directory`) are mostly noise and no events here.
"""

import re

from kb.model.event import Event, Frame, Line
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, ahead, told

_NAME = r"(?:-|[^\s:]*/)?(?:ba|da|z|k|mk|a|c|tc|fi)?sh|[^\s:]+\.(?:sh|bash|zsh|ksh)|[^\s:/]*/[^\s:]+|environment"
_SAID = (
    r"command not found|not found|No such file or directory|Permission denied|Is a directory|cannot execute(?:: .*| "
    r"binary file.*)?|bad interpreter: .*|"
    r"Exec format error|Argument list too long|unbound variable|parameter not set|parameter null or not set|ambiguous "
    r"redirect|bad substitution|Bad substitution|"
    r"Text file busy|division by 0.*|readonly variable|Cannot fork|fork: .*|arithmetic syntax error.*|Syntax error: .*|"
    r"syntax error.*|"
    r"unexpected EOF while looking for matching .*|cannot open .*|cannot create .*|invalid option|Too many open files|"
    r"No space left on device|Cannot allocate memory"
)
_SHELL = Lazy(
    rf"^\s*(?:\d+\.\d+ )?(?P<shell>{_NAME}): (?:(?:line |第 ?)?(?P<line>\d+)(?: ?行)?: )?(?:(?P<what>[^\n]+?): "
    rf")?(?P<said>{_SAID})\s*$"
)
_SYNTAX = Lazy(
    rf"^\s*(?P<shell>{_NAME}): (?:-c: )?(?:eval: )?line (?P<line>\d+): (?P<said>syntax error.*|unexpected EOF .*)$"
)
_ZSH = Lazy(
    r"^\s*(?P<shell>(?:zsh|-zsh|\S+\.zsh)(?::\d+)?): (?P<said>(?:command not found|no such file or directory|"
    r"permission denied|no matches found): \S.*)$"
)
_ENV = Lazy(
    r"^\s*(?P<shell>(?:\S*/)?env): [‘'`]?(?P<what>[^\n'’]+)[’']?: (?P<said>No such file or directory|Permission "
    r"denied)\s*$"
)
_FISH = Lazy(r"^\s*(?P<shell>fish): (?P<said>Unknown command:? .*)$")
_ECHO = Lazy(r": line \d+: `")


def parse(cursor: Cursor) -> list[Event]:
    """The complaint of a shell on the line here; the source line that bash repeats after a syntax error is claimed."""
    line = cursor.line
    if line is None:
        return []
    found = (
        _SYNTAX.match(line.text)
        or _SHELL.match(line.text)
        or _ZSH.match(line.text)
        or _ENV.match(line.text)
        or _FISH.match(line.text)
    )
    if found is None or _is_a_program(found):
        return []
    cursor.claim()
    _claim_echo(cursor, line)
    number = found.groupdict().get("line")
    script = found["shell"]
    frames = (Frame(script, int(number)),) if number and "." in script.rpartition("/")[2] else ()
    return [told(cursor, line, line.text.strip(), kind="error", language="shell", frames=frames)]


def _is_a_program(found: re.Match[str]) -> bool:
    """Whether it is no shell but some program with a path (`/usr/bin/ls: x: Permission denied`)."""
    shell, number = found["shell"], found.groupdict().get("line")
    is_shell = (
        re.search(
            r"(?:^-?|/)(?:ba|da|z|k|mk|a|c|tc|fi)?sh$|\.(?:sh|bash|zsh|ksh)$|(?:^|/)env$|^environment$",
            shell.partition(":")[0],
        )
        is not None
    )
    return not is_shell and number is None


def _claim_echo(cursor: Cursor, line: Line) -> None:
    following = ahead(cursor, 1)
    if following and following[0].formats == line.formats and _ECHO.search(following[0].text):
        cursor.claim()


TRACE = Trace(
    name="shell",
    starts=(
        rf": (?:{_SAID})\s*$|: (?:command not found|no such file or directory|permission denied|no matches found|"
        rf"Unknown command:?) ?:? "
    ),
    parse=parse,
    order=42,
    marks=(
        "not found",
        ": No such file or directory",
        ": Permission denied",
        ": Is a directory",
        "cannot execute",
        "bad interpreter",
        "Exec format error",
        "Argument list too long",
        "unbound variable",
        "parameter not set",
        "parameter null",
        "ambiguous redirect",
        "ad substitution",
        "yntax error",
        "unexpected EOF while",
        ": fork: ",
        "Cannot fork",
        "cannot open",
        "cannot create",
        "no matches found",
        "Unknown command",
        "no such file or directory: ",
        "permission denied: ",
        "Text file busy",
    ),
    samples=(
        TraceSample(
            "bash: line 3: heapify: command not found",
            (("error", None, "bash: line 3: heapify: command not found", 1),),
        ),
        TraceSample("/bin/sh: 1: heapify: not found", (("error", None, "/bin/sh: 1: heapify: not found", 1),)),
        TraceSample(
            "./run.sh: line 9: syntax error near unexpected token `fi'\n./run.sh: line 9: `fi'",
            (("error", None, "./run.sh: line 9: syntax error near unexpected token `fi'", 1),),
        ),
        TraceSample(
            "/usr/bin/env: ‘python’: No such file or directory",
            (("error", None, "/usr/bin/env: ‘python’: No such file or directory", 1),),
        ),
        TraceSample("zsh: command not found: heapify", (("error", None, "zsh: command not found: heapify", 1),)),
    ),
    strangers=(
        "df: /mnt/heap: No such file or directory",
        "page not found",
        "checking for heap... not found",
        "Looking for pthread.h - not found",
    ),
)
