"""faultbook: find the error that caused a failing run, and what is known about it.

    import kb

    diagnosis = kb.match_log("run.log")
    for number in diagnosis.roots:
        finding = diagnosis.findings[number]
        print(finding.event.line, finding.event.message, [match.key for match in finding.matches])

Everything else of the package may change; these functions and the values of `kb.model` that they return are kept.
"""

from collections.abc import Iterable
from os import PathLike
from typing import TYPE_CHECKING

from kb.errors import KbError

if TYPE_CHECKING:
    from kb.model.report import Diagnosis
    from kb.store.reader import Index

__version__ = "0.1.0"
__all__ = ["KbError", "__version__", "match_log", "match_text"]


def match_log(path: str | PathLike[str], *, db: str | PathLike[str] | None = None,
              records: Iterable[str | PathLike[str]] = ()) -> "Diagnosis":  # fmt: skip
    """The diagnosis of one log file (plain, gzip, bzip2 or xz).

    `db` is an index to read as it is; `records` are folders of records beside the shipped ones. Line numbers count from 1. Raises
    KbError when the log or the knowledge cannot be read.
    """
    from kb.pipeline import Pipeline

    return Pipeline(_index(db, records)).run(str(path))


def match_text(text: str, *, db: str | PathLike[str] | None = None, records: Iterable[str | PathLike[str]] = ()) -> "Diagnosis":
    """The diagnosis of a log given as text; otherwise like `match_log`."""
    from kb.pipeline import match_text

    return match_text(text, _index(db, records))


def _index(db: str | PathLike[str] | None, records: Iterable[str | PathLike[str]]) -> "Index":
    from pathlib import Path

    from kb.store.cache import open_index
    from kb.store.reader import Index

    return Index(Path(db)) if db else open_index(map(Path, records))
