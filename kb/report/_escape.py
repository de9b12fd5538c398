"""Plain text as Markdown that shows it and does nothing else, on GitHub and wherever CommonMark is read."""

import re
from collections.abc import Iterable

from kb.report._visible import COMMAND

_TOKEN = re.compile(r"(?:`[^`]+`|[^\s`])+|`+")
_SPAN = re.compile(r"`([^`]+)`")
_TRAILING = ".,;:!?'\""
_ACTIVE = re.compile(
    r"[@_$`]|#\d|://|www\.|^::|:[\w+-]+:|\b[A-Z]+-\d|\b(?=[0-9a-f]*\d)[0-9a-f]{7,}\b", re.IGNORECASE
)  # mentions, names with underscores, formulas, code, issues, links, runner commands, emoji, issues elsewhere, commits
_BLOCK_START = re.compile(r"[-+=]+|\d+[.)]")
_SYNTAX = re.compile(r"[\\*\[\]~|#]")
_SPECIAL = re.compile(r"[^\w ]|_")


def inline(text: str) -> str:
    """`text` as one line of prose.

    A word that GitHub turns into more than a word, such as a link, a mention or a reference, is set as code, and so is
    what stands in backticks; all other syntax is escaped.
    """
    return _TOKEN.sub(_word, " ".join(text.split()))


def code(text: str) -> str:
    """`text` as a code span; with `<` or a command of a CI runner in it as an element, special characters escaped."""
    flat = " ".join(text.split())
    if "<" in flat or COMMAND.search(flat):
        return f"<code>{_SPECIAL.sub(_entity, flat)}</code>"
    fence = "`" * (1 + max(map(len, re.findall("`+", flat)), default=0))
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}" if flat else ""


def pre(lines: Iterable[str], language: str = "") -> str:
    """Lines as they stand, in an element that no content can close."""
    text = COMMAND.sub(lambda found: f"{found[0][:-1]}&#{ord(found[0][-1])};", _without_tags("\n".join(lines)))
    return f'<pre lang="{language}">{text}</pre>' if language else f"<pre>{text}</pre>"


def _word(found: re.Match[str]) -> str:
    token = found[0]
    if token.strip("`") == "":
        return "&#96;" * len(token)
    if not _ACTIVE.search(token) and not (found.start() == 0 and _BLOCK_START.fullmatch(token)):
        return _without_tags(_SYNTAX.sub(r"\\\g<0>", token))
    body = token.lstrip("(\"'")
    core = body.rstrip(_TRAILING)
    if core.endswith(")") and core.count("(") < core.count(")"):
        core = core[:-1]
    span = _SPAN.fullmatch(core)
    return token[: len(token) - len(body)] + code(span[1] if span else core) + body[len(core) :]


def _without_tags(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _entity(found: re.Match[str]) -> str:
    """A character as an entity; those that make links and mentions are cut off from what follows."""
    return f"&#{ord(found[0])};" + ("<wbr>" if found[0] in ":@" else "")
