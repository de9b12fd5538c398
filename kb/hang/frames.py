"""Frames as they are compared: names without qualification, paths from their package's root, wrappers left out."""

import re
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache

from kb.hang.known_calls import SELF_STDLIB, WRAPPERS
from kb.model.snapshot import Call
from kb.text.paths import package_path

Key = tuple[str, str]
"""(function, file): what stays equal in loops, on other machines and in other versions of Python."""

_LIBRARIES = ("torch/", "nvidia/", "horovod/", "mpi4py/", "zmq/", "filelock/", "portalocker/", "numpy/", "uvloop/", "tqdm/", "jax/_src/")
_ANONYMOUS = re.compile(r"<(?:genexpr|listcomp|dictcomp|setcomp|lambda)>$")


@lru_cache(maxsize=20_000)
def bare(function: str) -> str:
    """The last component of a qualified Python name."""
    if function.endswith(">"):
        return function[function.rfind("<") :] if "<" in function else function
    return function.rsplit(".", 1)[-1]


@lru_cache(maxsize=20_000)
def home(file: str) -> str:
    """A path from its package's root."""
    return package_path(file)


@lru_cache(maxsize=20_000)
def is_library(file: str) -> bool:
    """Whether a Python file belongs to the standard library or to a library that only carries calls on."""
    short = home(file)
    if file.startswith("<"):
        return "frozen" in file
    if short.startswith("/"):
        return False
    if short.startswith(_LIBRARIES):
        return True
    top = short.partition("/")[0].removesuffix(".py")
    in_stdlib = short != file and "site-packages" not in file and "dist-packages" not in file
    return in_stdlib or (top in sys.stdlib_module_names and top not in SELF_STDLIB)


def is_wrapper(call: Call) -> bool:
    """Whether a frame only passes a call on."""
    return any(part in call.file for part in WRAPPERS)


def key(call: Call) -> Key:
    """The frame as it is compared."""
    return bare(call.function), home(call.file).rsplit("/", 1)[-1]


def python(frames: Iterable[Call]) -> tuple[Call, ...]:
    """The Python frames without wrappers, innermost first."""
    return tuple(call for call in frames if not call.native and not is_wrapper(call))


def user_frame(frames: Iterable[Call]) -> Call | None:
    """The innermost frame that is no library's."""
    return next((call for call in frames if not call.native and not is_library(call.file) and not is_wrapper(call)), None)


def path(frames: Sequence[Call]) -> tuple[Key, ...]:
    """The call path, outermost first, without lines."""
    return tuple(key(call) for call in reversed(python(frames)))


def user_path(frames: Sequence[Call]) -> tuple[Key, ...]:
    """The user's part of the call path, anonymous inner functions left out: what two samples are compared by."""
    return tuple(key(c) for c in reversed(python(frames)) if not is_library(c.file) and not _ANONYMOUS.search(c.function))


def shown(call: Call) -> str:
    """A frame as verdicts print it: `function (file:line)`."""
    name = call.function if len(call.function) <= 120 else f"{call.function[:117]}..."
    file = home(call.file)
    return f"{name} ({file}:{call.line})" if call.line else f"{name} ({file})"
