"""Text of records as HTML. Records are foreign input: everything is escaped, and only http and https become links."""

import json
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, urlsplit

from datasette.utils import tilde_encode
from markupsafe import Markup, escape

_CODE = re.compile(r"`([^`\n]+)`")
_HOLE = re.compile(r"\{\{|\}\}|\{[A-Za-z_]\w*\}")


def prose(text: str) -> Markup:
    """Text in which `words between backticks` are code."""
    parts = _CODE.split(text)  # every second part stood between backticks
    return _join(Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts))


def with_holes(text: str, *, doubled: bool) -> Markup:
    """A message whose `{holes}` are marked. `doubled` says that a literal brace is written twice, as in signatures."""
    last, parts = 0, []
    for found in _HOLE.finditer(text):
        parts.append(text[last : found.start()])
        last = found.end()
        literal = found[0] in ("{{", "}}")
        shown = found[0][0] if literal and doubled else found[0]
        parts.append(shown if literal else Markup('<var class="kb-hole">{}</var>').format(shown))
    return _join([*parts, text[last:]])


def safe_url(text: str | None) -> str | None:
    """`text` when it is a whole http or https address, else None."""
    if not text or re.search(r"[\s\x00-\x1f\x7f\\]", text):
        return None
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    return text if parts.scheme in ("http", "https") and parts.hostname else None


def external_link(text: str, url: str | None = None) -> Markup:
    """A link to `url`, or to `text` itself, where that is an address; else the text alone."""
    address = safe_url(url or text)
    link = Markup('<a href="{}" rel="nofollow noopener noreferrer">{}</a>')
    return link.format(address, text) if address else escape(text)


def record_link(datasette: Any, database: str, record_id: str, text: str) -> Markup:
    """A link to the page of a record."""
    return Markup('<a href="{}">{}</a>').format(datasette.urls.row(database, "records", tilde_encode(record_id)), text)


def tag_link(datasette: Any, database: str, tag: str) -> Markup:
    """A link to the records with this tag."""
    address = f"{datasette.urls.table(database, 'records')}?_tag={quote(tag, safe='')}"
    return Markup('<a class="kb-tag" href="{}">{}</a>').format(address, tag)


def tag_links(datasette: Any, database: str, tags: str) -> Markup | None:
    """Links for a JSON list of tags; None for what is no such list."""
    try:
        listed = json.loads(tags)
    except ValueError:
        return None
    if not isinstance(listed, list) or not all(isinstance(tag, str) for tag in listed):
        return None
    return Markup(" ").join(tag_link(datasette, database, tag) for tag in listed)


def _join(parts: Iterable[str]) -> Markup:
    return Markup("").join(parts)  # escapes every part that is no Markup
