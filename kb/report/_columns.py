"""Text in columns of a terminal."""

from unicodedata import east_asian_width


def columns(text: str) -> int:
    """How many columns `text` takes: wide characters take two."""
    return len(text) if text.isascii() else sum(map(_width, text))


def fold(text: str, width: int, *, whole_words: bool = False) -> list[str]:
    """`text` in lines of at most `width` columns, broken at blanks where there are any.

    With `whole_words` a longer word, such as a URL, stands alone on a line that is too long, so that it can be copied.
    """
    lines = []
    while (fits := _fitting(text, width)) < len(text):
        blank = text.rfind(" ", 0, fits + 1)
        if not text[: max(blank, 0)].strip():
            blank = text.find(" ", fits) if whole_words else fits
            blank = blank if blank > 0 else len(text)
        lines.append(text[:blank].rstrip())
        text = text[blank:].lstrip()
    return [*lines, text] if text or not lines else lines


def clip(text: str, width: int) -> str:
    """`text` on at most `width` columns; dots stand for what was cut."""
    return text if columns(text) <= width else text[: _fitting(text, width - 3)].rstrip() + "..."


def _fitting(text: str, width: int) -> int:
    """How many characters fit on `width` columns, at least one."""
    if len(text) <= width and columns(text) <= width:
        return len(text)
    if text[: width + 1].isascii():
        return max(width, 1)
    used = 0
    for at, char in enumerate(text):
        used += _width(char)
        if used > width:
            return max(at, 1)
    return len(text)


def _width(char: str) -> int:
    return 2 if east_asian_width(char) in "WF" else 1
