"""What is wrong with the texts by which a record is recognised: its messages with holes and its regular expressions."""

import re
from collections import Counter
from collections.abc import Iterator

from kb.model.record import FieldFault
from kb.store.drafts import Draft, FieldPath
from kb.text.template import WEAK_LITERALS, WEAK_WORDS, parse_template, template_of_pattern

_REGEX = re.compile(r"\\[dswDSW](?:[+*?{]|$)|\\[.()\[\]*+?]|\(\?[:P<=!i]|\.\*|\.\+\??(?=$|[\s)\"'])|\[\^|\[(?:a-z|A-Z|0-9)")
"""What messages hardly ever hold and regular expressions often: classes with a quantifier, escapes, groups."""


def text_faults(draft: Draft) -> Iterator[FieldFault]:
    """All that can be said without looking at other records. Never raises, whatever stands in the fields."""
    yield from _refused(draft)
    yield from _misplaced(draft)
    yield from _repeated_holes(draft)
    if draft.curated:
        yield from _weak(draft)


def short(text: str) -> str:
    """A text in quotes, its beginning when it is long."""
    return repr(text if len(text) <= 60 else f"{text[:59]}…")


def _refused(draft: Draft) -> Iterator[FieldFault]:
    """Regular expressions that RE2 refuses. A record's own pattern counts only where no signature replaces it."""
    own = [] if draft.signatures else _own_text(draft, "message_pattern")
    for path, pattern in [*_signature_texts(draft, "pattern"), *own]:
        if why := _why_refused(pattern):
            sentence = f"is refused by RE2 ({why}): look-around and back-references do not exist there"
            yield FieldFault(path, f"{short(pattern)} {sentence}")


def _why_refused(pattern: str) -> str:
    """Why RE2 does not take a pattern; empty when it does."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options=options)
    except re2.error as error:
        why = error.args[0] if error.args else "no reason given"
        return why.decode("utf-8", "replace") if isinstance(why, bytes) else str(why)
    except UnicodeEncodeError:
        return "half a surrogate pair is no text"
    return ""


def _misplaced(draft: Draft) -> Iterator[FieldFault]:
    """Messages that are patterns, and patterns that are messages."""
    for path, text in _messages(draft):
        if found := _REGEX.search(text):
            sentence = f"looks like a regular expression ({found[0]}): move it to pattern, or write {{holes}}"
            yield FieldFault(path, f"{short(text)} {sentence}")
    for path, pattern in _signature_texts(draft, "pattern"):
        if _is_plain(pattern):
            yield FieldFault(path, f"{short(pattern)} has no metacharacter: move it to message")


def _is_plain(pattern: str) -> bool:
    template = None if pattern[:1] == "^" or pattern[-1:] == "$" else template_of_pattern(pattern)
    return template is not None and not parse_template(template).names


def _repeated_holes(draft: Draft) -> Iterator[FieldFault]:
    for path, text in _messages(draft):
        for name, count in Counter(parse_template(text).names).items():
            if count > 1:
                yield FieldFault(path, f"has the hole {{{name}}} {count} times: give each hole a name of its own")


def _weak(draft: Draft) -> Iterator[FieldFault]:
    """Messages that match too much, with nothing beside them that must agree."""
    texts = list(_signature_texts(draft, "message", bare=True))
    if not (draft.signatures or draft.get("message_pattern") or draft.get("error_class")):
        texts += _own_text(draft, "error_message")
    least = f"fewer than {WEAK_LITERALS} literal characters or {WEAK_WORDS} words"
    for path, text in texts:
        if parse_template(text).weak:
            yield FieldFault(path, f"{short(text)} is weak ({least}): add a class or frames, or more of the text")


def _messages(draft: Draft) -> Iterator[tuple[FieldPath, str]]:
    """The messages that somebody wrote for matching: another collection's `errorMessage` is its own affair."""
    yield from _signature_texts(draft, "message")
    if draft.curated:
        yield from _own_text(draft, "error_message")


def _signature_texts(draft: Draft, name: str, bare: bool = False) -> Iterator[tuple[FieldPath, str]]:
    """One field of all signatures; with `bare` only of those that have nothing beside it that must agree."""
    for at, one in draft.signatures:
        text = one.get(name)
        beside = bare and any(map(one.get, ("class", "frames", "exit_status")))
        if isinstance(text, str) and text and not beside:
            yield ("kb", "signatures", at, name), text


def _own_text(draft: Draft, name: str) -> Iterator[tuple[FieldPath, str]]:
    text = draft.get(name)
    if isinstance(text, str) and text:
        yield (draft.named(name),), text
