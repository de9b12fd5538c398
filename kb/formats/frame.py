"""`│ … │` — output pasted with the frame of a terminal window around it. Rich's own boxes stay."""

from kb.formats import Decoded, Format, Sample


def _decode(rest: str) -> Decoded:
    return Decoded((rest.rstrip()[:-1].rstrip(),))


FORMAT = Format(
    name="frame",
    pattern=r"[│┃║] ?(?=.{0,4000}[│┃║]\s{0,20}$)",
    per="line",
    samples=(
        Sample("│ make: done      │", "make: done"),
        Sample("┃ x ┃", "x"),
    ),
    strangers=("│ left only", "a │ b │"),
    shy=True,
    run=6,
    beside=r"^\s{0,20}[╭╰]|❱",
    decode=_decode,
)
