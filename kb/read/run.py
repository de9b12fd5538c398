"""What belongs to one run: a file, a directory, a zip or tar archive, or several files joined."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from kb.errors import KbError
from kb.read.source import Tally, inflated, open_log
from kb.settings import MAX_INFLATION, MAX_MEMBERS, MIN_INFLATED_BYTES

if TYPE_CHECKING:
    from tarfile import TarFile, TarInfo
    from zipfile import ZipFile, ZipInfo

_RANK = re.compile(
    r"(?:^|[/_.\-])(?:global_rank|local_rank|rank|proc|task|worker|trainer|replica|node_rank|TP)[_.\-=]?(\d{1,6})(?=[/_.\-]|$)"
)
_ELASTIC = re.compile(r"(?:^|/)attempt_\d+/(\d{1,6})/(?:stdout|stderr)(?:\.log)?(?:\.gz)?$")
_NUMBER = re.compile(r"\d+")
_ROTATED = re.compile(r"\.(?:log|txt|out|err)\.\d+(?:\.gz)?$")
_JOB_LOG = re.compile(r"^-?\d+_(?P<job>.+)\.txt$")
_SKIPPED_SUFFIXES = (".json", ".pyc", ".so", ".bin", ".pt", ".safetensors", ".db", ".png", ".jpg", ".pdf", ".whl", ".toml", ".yaml", ".yml")
"""Files of a folder that are no logs. A file that is named by itself is read whatever its suffix."""


Opener = Callable[[], AbstractContextManager[BinaryIO]]


@dataclass(frozen=True, slots=True)
class Member:
    """One file of a run. `name` is its path within the run, None when the run is this one file."""

    name: str | None
    open: Opener
    rank: str | None = None


def members_of(paths: Sequence[str]) -> list[Member]:
    """The files of the run that the paths make up together, in a fixed order. Raises KbError where one cannot be had."""
    if len(paths) == 1:
        path = Path(paths[0])
        if paths[0] != "-" and path.is_dir():
            return _ranked(_folder(path))
        if paths[0] != "-" and path.is_file() and (archive := _archive(path)) is not None:
            return _ranked(archive)
        return [Member(None, partial(open_log, paths[0]))]
    found: list[tuple[str, Opener]] = []
    for path_text in paths:
        for member in members_of([path_text]):
            found.append((f"{path_text}/{member.name}" if member.name else path_text, member.open))
    return _ranked(found)


def ranks_of_names(names: Sequence[str]) -> dict[str, str]:
    """The ranks that file names tell: by a word (`rank_3.log`), torchelastic's folders (`attempt_0/3/stderr.log`), or the one number
    in which names are otherwise equal (`job-12-3.out`)."""
    told = {name: found[1] for name in names if (found := _ELASTIC.search(name) or _RANK.search(name))}
    rest = [name for name in names if name not in told and not _ROTATED.search(name)]
    shapes: dict[str, list[str]] = {}
    for name in rest:
        shapes.setdefault(_NUMBER.sub("#", name), []).append(name)
    for alike in shapes.values():
        numbers = [_NUMBER.findall(name) for name in alike]
        varying = [at for at in range(len(numbers[0])) if len({row[at] for row in numbers}) > 1]
        if len(alike) > 1 and len(varying) == 1 and all(len(row[varying[0]]) <= 6 for row in numbers):
            told |= {name: str(int(row[varying[0]])) for name, row in zip(alike, numbers, strict=True)}
    return {name: str(int(rank)) for name, rank in told.items()}


def _ranked(found: Iterable[tuple[str, Opener]]) -> list[Member]:
    opened = dict(found)
    names = _without_whole_job_logs(sorted(opened, key=_natural))
    ranks = ranks_of_names(names)
    return [Member(name, opened[name], ranks.get(name)) for name in names]


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """`10_test.txt` after `9_build.txt`."""
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.split(r"(\d+)", name)]


def _without_whole_job_logs(names: list[str]) -> list[str]:
    """GitHub's archives hold each job twice, whole and by step: the steps say more, and one telling is enough."""
    folders = {name.split("/", 1)[0] for name in names if "/" in name}
    return [name for name in names if not ((found := _JOB_LOG.match(name)) and found["job"] in folders)]


def _folder(path: Path) -> Iterator[tuple[str, Opener]]:
    count = 0
    for file in sorted(path.rglob("*")):
        name = file.relative_to(path).as_posix()
        if any(part.startswith(".") for part in name.split("/")) or file.suffix in _SKIPPED_SUFFIXES or not file.is_file():
            continue
        count += 1
        if count > MAX_MEMBERS:
            raise KbError(f"{path} holds more than {MAX_MEMBERS} files", "name a smaller folder")
        yield name, partial(open_log, str(file))
    if not count:
        raise KbError(f"{path} holds no logs", "name a folder with log files in it")


def _archive(path: Path) -> list[tuple[str, Opener]] | None:
    """The files in an archive, None when it is none."""
    with path.open("rb") as stream:
        head = stream.read(512)
    if head.startswith(b"PK\x03\x04"):
        return list(_zip(path))
    if head.startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00")) or head[257:262] == b"ustar":
        return _tar(path)
    return None


def _zip(path: Path) -> Iterator[tuple[str, Opener]]:
    import zipfile

    try:
        archive = zipfile.ZipFile(path)  # open as long as its members may be read
        infos = [info for info in archive.infolist() if not info.is_dir() and not info.filename.endswith(_SKIPPED_SUFFIXES)]
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise KbError(f"{path} is a broken zip archive ({error})", "fetch it again, or unpack what can be saved") from None
    if len(infos) > MAX_MEMBERS:
        raise KbError(f"{path} holds more than {MAX_MEMBERS} files", "unpack it and name a folder")
    for info in infos:
        yield info.filename, partial(_in_zip, archive, info, path)


@contextmanager
def _in_zip(archive: "ZipFile", info: "ZipInfo", path: Path) -> Iterator[BinaryIO]:
    import zipfile

    if info.file_size > max(MIN_INFLATED_BYTES, MAX_INFLATION * max(info.compress_size, 1)):
        raise KbError(f"{path}: {info.filename} inflates more than {MAX_INFLATION} times", "a compression bomb? Unpack it by hand")
    try:
        with archive.open(info) as stream:
            yield cast("BinaryIO", stream)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError) as error:
        raise KbError(f"{path}: {info.filename} cannot be unpacked ({error})", "unpack it by hand and name the folder") from None


def _tar(path: Path) -> list[tuple[str, Opener]] | None:
    """The files in a tar archive; None when a compressed file is no archive but a log."""
    import tarfile

    try:
        with tarfile.open(path) as archive:
            archive.next()
    except (tarfile.TarError, OSError, EOFError, ValueError, ArithmeticError):
        return None
    try:
        archive = tarfile.open(fileobj=_unpacked(path))  # noqa: SIM115 - open as long as its members may be read
        infos = [info for info, _ in zip(archive, range(MAX_MEMBERS + 1), strict=False) if info.isfile()]
    except (tarfile.TarError, OSError, EOFError, ValueError, ArithmeticError) as error:
        raise KbError(f"{path} is a broken tar archive ({error})", "fetch it again, or unpack what can be saved") from None
    if len(infos) > MAX_MEMBERS:
        raise KbError(f"{path} holds more than {MAX_MEMBERS} files", "unpack it and name a folder")
    wanted = (info for info in infos if not info.name.endswith(_SKIPPED_SUFFIXES))
    return [(info.name, partial(_in_tar, archive, info, path)) for info in wanted] or None


def _unpacked(path: Path) -> IO[bytes]:
    """A compressed archive as a temporary file: reading member after member from a compressed one would begin anew each time."""
    from tempfile import TemporaryFile

    tally, plain = Tally(), TemporaryFile()  # noqa: SIM115 - the caller reads it
    with path.open("rb") as stream:
        for chunk in inflated(stream, str(path), tally):
            plain.write(chunk)
    plain.seek(0)
    return plain


@contextmanager
def _in_tar(archive: "TarFile", info: "TarInfo", path: Path) -> Iterator[BinaryIO]:
    import tarfile

    try:
        stream = archive.extractfile(info)
        if stream is None:
            raise KbError(f"{path}: {info.name} is no file", "unpack the archive and name the folder")
        yield cast("BinaryIO", stream)
    except (tarfile.TarError, EOFError, OSError) as error:
        raise KbError(f"{path}: {info.name} cannot be unpacked ({error})", "unpack it by hand and name the folder") from None
