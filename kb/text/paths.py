"""Paths of source files as logs print them."""

import re

_ROOTS = re.compile(r".*(?:site-packages|dist-packages|\.egg|\.zip|lib/python\d(?:\.\d+)?)/(?=.)")
_SESSION = re.compile(r".*/(?:runtime_resources/working_dir_files/[^/]+|_ray_pkg_\w+)/")


def package_path(path: str) -> str:
    """`path` from its package's root, with forward slashes: what stays the same on another machine."""
    plain = path.replace("\\", "/")
    return _SESSION.sub("", _ROOTS.sub("", plain))


def suffix_agrees(path: str, wanted: str) -> int:
    """How many last components two paths share when, from their packages' roots, one is the tail of the other; else 0.

    A bare file name agrees only with a path that is wanted as a bare file name.
    """
    ours, theirs = package_path(path).split("/"), package_path(wanted).split("/")
    shared = 0
    for left, right in zip(reversed(ours), reversed(theirs), strict=False):
        if left != right:
            break
        shared += 1
    return shared if shared in (len(ours), len(theirs)) and shared >= min(2, len(theirs)) else 0


def is_installed(path: str) -> bool:
    """Whether a file belongs to the interpreter or an installed package, not to the user's own code."""
    plain = path.replace("\\", "/")
    return _ROOTS.match(plain) is not None or plain.startswith("<")
