"""Errors of NVIDIA's compilers: nvcc, ptxas, cicc, nvlink, fatbinary, and EDG's `file(line): error: message`.

Source of the format: the tools' own output, CUDA 9 to 13; EDG front ends (also icc's) write `error #20: …`,
`catastrophic error: …`.
"""

from kb.model.event import Event
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._build import Lazy, ahead, language_of, lines_to, place, told, without_border

_TOOL = Lazy(
    r"^\s*(?:\S*[/\\])?(?P<message>(?:nvcc|ptxas|cicc|cudafe\+\+|nvlink|fatbinary|nvdisasm|bin2c)(?:\.exe)?"
    r"(?: (?P<file>\S+), line (?P<line>\d+);)?\s+(?:fatal|error)\s*: .*)$"
)
_EDG = Lazy(
    r'^\s*"?(?P<file>[^\s()"]+)"?\((?P<line>\d+)\): (?P<message>(?:catastrophic |internal )?error(?: #\d+(?:-D)?)?: '
    r".*)$"
)
_MARKS = Lazy(r"^\s*\^[\s~^]*$")
_COUNT = Lazy(r"^\s*\d+ (?:catastrophic )?errors? detected in the compilation of ")
_DETAIL = Lazy(r"^ {8,}\S|^\s*detected during|^\s*(?:instantiation of|function|argument types are|object type is)\b")


def parse(cursor: Cursor) -> list[Event]:
    """The error on the line here; the source line and the notes under it are claimed."""
    line = cursor.line
    if line is None:
        return []
    text = without_border(line.text)
    if found := _TOOL.match(text):
        cursor.claim()
        frames = (place(found["file"], found["line"]),) if found["file"] else ()
        return [told(cursor, line, found["message"].strip(), language="cuda", frames=frames)]
    if found := _EDG.match(text):
        cursor.claim()
        code = _claim_rest(cursor)
        frame = place(found["file"], found["line"], code=code)
        return [told(cursor, line, found["message"].strip(), language=language_of(found["file"]), frames=(frame,))]
    return []


def _claim_rest(cursor: Cursor) -> str | None:
    """Claims source, mark, instantiation notes and the closing count; returns the source line."""
    code = None
    for _ in range(60):
        texts = [line.text for line in ahead(cursor, 3)]
        if len(texts) > 1 and texts[0].strip() and _MARKS.match(texts[1]):
            code = code or texts[0].strip()
            lines_to(cursor, 2)
        elif texts and _DETAIL.match(texts[0]):
            lines_to(cursor, 1)
        elif (ends := next((at for at, text in enumerate(texts) if text.strip()), None)) is not None and _COUNT.match(
            texts[ends]
        ):
            lines_to(cursor, ends + 1)
        else:
            break
    return code


TRACE = Trace(
    name="nvcc",
    starts=r"\b(?:fatal|error) *: |\(\d+\): (?:catastrophic |internal )?error",
    parse=parse,
    order=28,
    marks=(
        "nvcc",
        "ptxas",
        "cicc",
        "cudafe++",
        "nvlink",
        "fatbinary",
        "): error",
        "): catastrophic error",
        "): internal error",
    ),
    samples=(
        TraceSample(
            "nvcc fatal   : Value 'sm_1' is not defined for option 'gpu-architecture'",
            (("build", None, "nvcc fatal   : Value 'sm_1' is not defined for option 'gpu-architecture'", 1),),
        ),
        TraceSample(
            "ptxas /tmp/k.ptx, line 12; error   : Not a name of any known instruction: 'fma2'",
            (("build", None, "ptxas /tmp/k.ptx, line 12; error   : Not a name of any known instruction: 'fma2'", 1),),
        ),
        TraceSample(
            'k.cu(7): error: identifier "grid" is undefined\n    grid(3);\n    ^\n\n1 error detected in the '
            'compilation of "k.cu".',
            (("build", None, 'error: identifier "grid" is undefined', 1),),
        ),
    ),
    strangers=(
        "nvcc warning : incompatible redefinition for option 'std'",
        "ptxas info    : 0 bytes gmem",
        'k.cu(7): warning #177-D: variable "error" unused',
    ),
)
