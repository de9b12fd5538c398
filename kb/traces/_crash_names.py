"""The names by which crashes are known, where a report prints a sentence or only a signal.

What was printed stays in the message; the class is the name under which trackers, dashboards and papers file the crash.

Source: the check names of UndefinedBehaviorSanitizer (compiler-rt/lib/ubsan/ubsan_checks.inc) and the wording of its
handlers (ubsan_handlers.cpp); the crash types that ClusterFuzz documents.
"""

import re

_UNDEFINED = tuple(
    (re.compile(wording), name)
    for wording, name in (
        (r"^assumption is violated", "Assumption-violation"),
        (r"^control flow integrity check", "Bad-cast"),
        (r"^upcast of null pointer", "Upcast-of-null-pointer"),
        (r"^[a-z ]{4,40} address \S+ which does not point to an object", "Bad-cast"),
        (r"^division by zero", "Divide-by-zero"),
        (r"^call to function .* through pointer to incorrect", "Incorrect-function-pointer-type"),
        (r"^index .* out of bounds", "Index-out-of-bounds"),
        (r"^unsigned integer overflow", "Unsigned-integer-overflow"),
        (r"^signed integer overflow|^division of .* cannot be represented|^negation of .*", "Integer-overflow"),
        (r"^implicit conversion from", "Implicit-conversion"),
        (r"^\S+ is outside the range of representable values", "Float-cast-overflow"),
        (r"^load of value .* not a valid value for type .?bool\b", "Invalid-bool-value"),
        (r"^load of value .* not a valid value", "Invalid-enum-value"),
        (r"^load of null pointer", "Null-dereference READ"),
        (r"^store to null pointer", "Null-dereference WRITE"),
        (r"^[a-z ]{4,40} null pointer of type", "Null-dereference"),
        (r"^[a-z ]{4,40} address \S+ with insufficient space", "Object-size"),
        (r"^[a-z ]{4,40} misaligned address", "Misaligned-address"),
        (r"^(?:addition|subtraction) of unsigned offset", "Pointer-overflow"),
        (r"^applying (?:non-)?zero offset|^pointer index expression", "Pointer-overflow"),
        (r"^(?:left )?shift (?:of|exponent)", "Undefined-shift"),
        (r"^null pointer passed as argument", "Invalid-null-argument"),
        (r"^null pointer returned from function", "Invalid-null-return"),
        (r"^variable length array bound", "Non-positive-vla-bound-value"),
        (r"^execution reached an unreachable program point", "Unreachable code"),
        (r"^execution reached the end of a value-returning function", "No-return-value"),
        (r"^passing zero to ", "Invalid-builtin-use"),
    )
)
"""One line for each wording of UndefinedBehaviorSanitizer; the first that fits counts."""

_SIGNALS = {
    "FPE": "Floating-point-exception",
    "int-divide-by-zero": "Divide-by-zero",
    "illegal-instruction": "ILL",
    "deadly signal": "Fatal-signal",
    "fuzz target exited": "Unexpected-exit",
    "fuzz target overwrites its const input": "Overwrites-const-input",
}
"""What sanitizers and libFuzzer print, and the name under which it is filed."""

_ACCESSES = ("SEGV", "access-violation", "unknown-crash")
_ADDRESS = re.compile(r"^[\w-]+ on (?:unknown )?address (?P<address>0x[0-9a-f]+)")
_ACCESS = re.compile(r"^The signal is caused by a (?P<access>READ|WRITE) memory access", re.MULTILINE)
_NULL_PAGE = 0x10000
"""No system maps pages below this address: an access there went through a null pointer and an offset."""


def undefined_behavior(message: str) -> str | None:
    """The name of the check that failed, by the message of UndefinedBehaviorSanitizer; None for an unknown one."""
    return next((name for wording, name in _UNDEFINED if wording.search(message)), None)


def sanitizer(cls: str, message: str) -> str:
    """The name of a crash that a sanitizer or libFuzzer printed as `cls`: what a signal alone does not say, the address
    tells. `cls` itself where that is the name."""
    if cls not in _ACCESSES:
        return _SIGNALS.get(cls, cls)
    found, access = _ADDRESS.match(message), _ACCESS.search(message)
    if found is None:
        return cls
    name = "Null-dereference" if int(found["address"], 16) < _NULL_PAGE else "UNKNOWN"
    return f"{name} {access['access']}" if access else name
