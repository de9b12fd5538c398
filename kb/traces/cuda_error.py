"""Failed CUDA calls and memory errors as samples' macros, cuda-gdb and compute-sanitizer print them.

Source of the formats: cuda-samples' helper_cuda.h, the `gpuErrchk` idiom, compute-sanitizer and cuda-gdb of the CUDA
toolkit.
"""

import re

from kb.model.event import Event, Frame
from kb.traces import Cursor, Trace, TraceSample
from kb.traces._native_event import crash
from kb.traces._native_frames import bare_function

_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        # helper_cuda.h: CUDA error at a.cu:12 code=2(cudaErrorMemoryAllocation) "cudaMalloc(…)"
        r"^(?P<message>CUDA error at (?P<file>\S+):(?P<line>\d+) code=\d+\((?P<cls>\w+)\) .*)$",
        # gpuErrchk: GPUassert: invalid argument a.cu 12
        r"^(?P<message>GPUassert: .+?) (?P<file>\S+\.\w+) (?P<line>\d+)$",
        # cuda-gdb: CUDA Exception: Warp Illegal Address
        r"^(?P<message>CUDA Exception: (?P<cls>\w.*))$",
        r"^(?:Thread \d+ .*)?(?P<message>received signal (?P<cls>CUDA_EXCEPTION_\d+), .+)$",
        # compute-sanitizer: ========= Invalid __global__ read of size 4 bytes
        r"^={9} (?P<message>(?P<cls>Invalid __\w+__ (?:read|write|atomic)) of size .*|Program hit (?P<code>cuda\w+"
        r"|CUDA_\w+) .*)$",
    )
)
_AT = re.compile(r"^={9} +at (?P<function>.+?)(?:\+0x[0-9a-f]+)?(?: in (?P<file>\S+):(?P<line>\d+))?$")
_MORE = re.compile(r"^={9}(?:\s{5,}\S.*)?$")


def parse(cursor: Cursor) -> list[Event]:
    """The error told here; compute-sanitizer's further lines are claimed."""
    line = cursor.line
    if line is None:
        return []
    found = next(filter(None, (shape.search(line.text.strip()) for shape in _SHAPES)), None)
    if found is None:
        return []
    cursor.claim()
    groups = found.groupdict()
    frames = [Frame(groups["file"], int(groups["line"]))] if groups.get("file") else []
    while (
        line.text.lstrip().startswith("=========")
        and (here := cursor.line) is not None
        and _MORE.match(here.text.strip())
    ):
        cursor.claim()
        if (at := _AT.match(here.text.strip())) and not frames:
            frames.append(
                Frame(at["file"] or "", int(at["line"]) if at["line"] else None, bare_function(at["function"]))
            )
    cls = groups.get("cls") or groups.get("code")
    return [crash(cursor, line, groups["message"] or "", cls, tuple(frames), language="cuda")]


TRACE = Trace(
    name="cuda_error",
    starts=r"^\s*CUDA error at \S+:\d+ code=|^\s*GPUassert: |^\s*CUDA Exception: |received signal CUDA_EXCEPTION"
    r"|^\s*={9} (?:Invalid __|Program hit )",
    parse=parse,
    order=30,
    marks=(
        "CUDA error at ",
        "GPUassert: ",
        "CUDA Exception: ",
        "signal CUDA_EXCEPTION",
        "========= Invalid __",
        "========= Program hit ",
    ),
    samples=(
        TraceSample(
            'CUDA error at rows.cu:12 code=2(cudaErrorMemoryAllocation) "cudaMalloc(&rows, n)"',
            (
                (
                    "crash",
                    "cudaErrorMemoryAllocation",
                    'CUDA error at rows.cu:12 code=2(cudaErrorMemoryAllocation) "cudaMalloc(&rows, n)"',
                    1,
                ),
            ),
        ),
        TraceSample(
            "========= Invalid __global__ read of size 4 bytes\n=========     at gather(float *)+0x90 in "
            "/src/gather.cu:9\n=========",
            (("crash", "Invalid __global__ read", "Invalid __global__ read of size 4 bytes", 1),),
        ),
        TraceSample("GPUassert: invalid argument rows.cu 12", (("crash", None, "GPUassert: invalid argument", 1),)),
    ),
    strangers=("no CUDA error at all", "========= COMPUTE-SANITIZER", "========= ERROR SUMMARY: 0 errors"),
)
