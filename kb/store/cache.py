"""The index that nobody had to build: made on first use in the user's cache directory, and again when the records change."""

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from kb.errors import KbError
from kb.store.reader import INDEX_VERSION, Index

_KEEP_SECONDS = 14 * 24 * 3600
"""Files of other record sets and other versions are removed when they are this old."""


def open_index(folders: Iterable[Path]) -> Index:
    """The index of the shipped records and those below `folders`.

    Two processes that start at once each build their own file and rename it into place, so neither sees half of one. Where the
    cache cannot be written the index lives in a temporary file. Raises KbError for a folder that is not there.
    """
    everything = [shipped_records(), *folders]
    name = f"index-{fingerprint(everything)}.db"
    path = cache_folder() / name
    try:
        index = Index(path)
        _touch(path)
        return index
    except KbError:
        return _make(everything, path)


def remember(name: str, stamp: str, make: Callable[[], Any]) -> Any:
    """A JSON value that is dear to make and depends on nothing but `stamp`: from the cache, else made and put there if possible."""
    digest = hashlib.sha256(f"{stamp} {sys.version}".encode(errors="surrogateescape")).hexdigest()[:16]
    file = cache_folder() / f"{name}-{digest}.json"
    try:
        return json.loads(file.read_bytes())
    except (OSError, ValueError):
        value = make()
    beside = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(value), encoding="utf-8")
        beside.replace(file)
        _sweep(file, f"{name}-*.json")
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
    return json.loads(json.dumps(value))


def cache_folder() -> Path:
    """Where indexes are kept."""
    from platformdirs import user_cache_path

    return user_cache_path("faultbook")


def shipped_records() -> Path:
    """The folder of the records that come with faultbook: beside the code in an installation, above it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    return package / "records" if (package / "records").is_dir() else package.parent / "records"


def fingerprint(folders: Iterable[Path]) -> str:
    """A name for a set of record files that changes with them: their paths, sizes and times. Raises KbError for a missing folder."""
    digest = hashlib.sha256(f"{INDEX_VERSION} {_code_stamp()}".encode())
    for folder in folders:
        if not folder.exists():
            raise KbError(f"no record folder {folder}", "name a folder of .toml or .jsonl files")
        digest.update(str(folder.resolve()).encode(errors="surrogateescape"))
        for path, size, changed in sorted(_walk(str(folder))):
            digest.update(f"{path}\0{size}\0{changed}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()[:16]


def _code_stamp() -> int:
    """Changes when the code that builds indexes does, so that a checkout in work never reads an index of old code."""
    return max(Path(__file__).with_name(name).stat().st_mtime_ns for name in ("build.py", "schema.py", "files.py"))


def _walk(folder: str) -> Iterable[tuple[str, int, int]]:
    if not os.path.isdir(folder):  # noqa: PTH112 - this walk runs at every start, os.scandir is the quick way
        yield folder, os.stat(folder).st_size, os.stat(folder).st_mtime_ns  # noqa: PTH116
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir():
                yield from _walk(entry.path)
            elif entry.name.endswith((".toml", ".jsonl", ".json")):
                about = entry.stat()
                yield entry.path, about.st_size, about.st_mtime_ns


def _make(folders: list[Path], path: Path) -> Index:
    from kb.store.build import build_index

    try:
        built = build_index(folders, path)
        _sweep(path, "index-*.db")
    except OSError:
        import atexit
        import shutil
        import tempfile

        place = Path(tempfile.mkdtemp(prefix="faultbook-"))
        atexit.register(shutil.rmtree, place, ignore_errors=True)
        built = build_index(folders, place / path.name)
    for fault in built.faults:
        print(f"kb: record left out: {fault}", file=sys.stderr)
    return Index(built.path)


def _touch(path: Path) -> None:
    """Note that the index is in use, at most once a day."""
    try:
        if time.time() - path.stat().st_mtime > 24 * 3600:
            os.utime(path)
    except OSError:
        return


def _sweep(path: Path, pattern: str) -> None:
    """Remove the files like `path` that nobody used for long."""
    for other in path.parent.glob(pattern):
        try:
            if other != path and time.time() - other.stat().st_mtime > _KEEP_SECONDS:
                other.unlink()
        except OSError:
            continue
