"""What a path stands for, as text: a file, a folder's files, standard input; plain or gzip, UTF-8, never a bomb."""

import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from kb.errors import KbError
from kb.ingest import Refusal
from kb.settings import CHUNK_BYTES, MAX_INFLATION, MIN_INFLATED_BYTES

_GZIP = b"\x1f\x8b"


def files_below(path: Path) -> Iterator[Path | Refusal]:
    """The file itself (or `-`), or the regular files below a folder, sorted; hidden ones are passed over.

    A link back to a folder already seen is not walked again. Raises KbError for a path that is not there.
    """
    try:
        is_folder = str(path) != "-" and stat.S_ISDIR(path.stat().st_mode)
    except OSError as error:
        raise KbError(f"{path} cannot be read ({error.strerror or error})", "name a file or a folder") from None
    if not is_folder:
        yield path
        return
    closed: list[OSError] = []
    for file in sorted(_walk(path, closed)):
        # a pipe among the files of a folder could make us wait for ever
        special = file.exists() and not file.is_file()
        yield Refusal(file, None, ("is no regular file: it is not opened",)) if special else file
    yield from (Refusal(Path(error.filename), None, (f"cannot be read ({error.strerror})",)) for error in closed)


def read_texts(files: Iterable[Path | Refusal]) -> Iterator[tuple[Path, str] | Refusal]:
    """Each file with its text, or why it has none."""
    for file in files:
        text = file if isinstance(file, Refusal) else read_text(file)
        yield text if isinstance(text, Refusal) else (file, text)  # type: ignore[misc]


def read_text(file: Path) -> str | Refusal:
    """The text of a file or of standard input (`-`) without a byte order mark, decompressed where it is gzip."""
    try:
        raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return (_inflated(raw) if raw.startswith(_GZIP) else raw).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return Refusal(file, line, (f"is no UTF-8 text (byte {error.start}): convert it",))
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        return Refusal(file, None, (f"is broken gzip data ({error}): fetch it again",))
    except KbError as error:
        return Refusal(file, None, (str(error),))
    except OSError as error:
        return Refusal(file, None, (f"cannot be read ({error.strerror or error})",))


def _walk(folder: Path, closed: list[OSError]) -> Iterator[Path]:
    seen = set()
    for place, names, files in os.walk(folder, onerror=closed.append, followlinks=True):
        about = Path(place).stat()
        if (about.st_dev, about.st_ino) in seen:
            names.clear()
            continue
        seen.add((about.st_dev, about.st_ino))
        names[:] = [name for name in names if not name.startswith(".")]
        yield from (Path(place) / name for name in files if not name.startswith("."))


def _inflated(raw: bytes) -> bytes:
    limit, parts, size = max(MIN_INFLATED_BYTES, MAX_INFLATION * len(raw)), [], 0
    with gzip.GzipFile(fileobj=io.BytesIO(raw)) as stream:
        while part := stream.read(CHUNK_BYTES):
            size += len(part)
            if size > limit:
                raise KbError(f"inflates more than {MAX_INFLATION} times", "a compression bomb? Unpack it by hand")
            parts.append(part)
    return b"".join(parts)
