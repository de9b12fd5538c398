"""Terminal control out of log text."""

import re

_ESCAPE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)"  # OSC, DCS, SOS, PM, APC with their text
    r"|\x1b[ -/]*[0-~]"  # two-byte and charset sequences
)
_LOST_ESCAPE = re.compile(r"\[(?:\d{1,3};)*\d{1,3}m|\[[0m]?K(?=\s|$)")
_JSON_ESCAPE = re.compile(r"\\u001b\[[0-9;]*m", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def clean(text: str) -> str:
    """One line as a terminal would leave it: colours and other control sequences dropped, and of what carriage returns overwrote the
    last text kept."""
    if "\x1b" in text:
        text = _ESCAPE.sub("", text)
    if "\\u001b" in text or "\\u001B" in text:  # first: a lost escape would be seen in the middle of one
        text = _JSON_ESCAPE.sub("", text)
    if "m" in text and "[" in text:
        text = _LOST_ESCAPE.sub("", text)
    if "\r" in text:
        text = text.rstrip("\r").rsplit("\r", 1)[-1]
    return text


def printable(text: str) -> str:
    """`text` for a terminal: whatever could steer it is shown as a replacement character."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
