"""Bytes of a log, whatever it is stored in: a file, standard input, gzip, bzip2 or xz; UTF-8, UTF-16 or anything else.

Memory is bounded whatever the size: chunks are fixed, lines are cut at a maximum, and what a compressed file becomes is watched.
"""

import codecs
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from kb.errors import KbError
from kb.settings import CHUNK_BYTES, MAX_INFLATION, MAX_LINE_BYTES, MIN_INFLATED_BYTES

_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "lzma"}
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SNIFF_BYTES = 8192
_BINARY_SHARE = 0.05  # of control characters in the first bytes: random bytes have 0.09, coloured logs none that count
_TEXT_CONTROLS = frozenset(b"\t\n\r\x1b\x08\x0c\x07\x00")


@dataclass(slots=True)
class Tally:
    """What was met while reading: counted here because a generator can return it to nobody."""

    bytes: int = 0
    lines: int = 0
    long_lines: int = 0
    truncated: bool = False  # a compressed file ended early


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive whole lines: the number of the first one, and their bytes (UTF-8 as far as known) without the line ends."""

    first: int
    lines: list[bytes] = field(repr=False)


@contextmanager
def open_log(path: str) -> Iterator[BinaryIO]:
    """The raw bytes of a file, or of standard input for `-`. Raises KbError when it cannot be had."""
    if path == "-":
        yield sys.stdin.buffer
        return
    file = Path(path)
    if file.is_dir():
        raise KbError(f"{path} is a directory", "name the log files in it")
    try:
        stream = file.open("rb")
    except FileNotFoundError:
        raise KbError(f"no file {path}", "name a log, or - for standard input") from None
    except OSError as error:
        raise KbError(f"{path} cannot be read ({error.strerror})", "check its permissions") from None
    with stream:
        yield stream


def read_blocks(stream: BinaryIO, path: str, tally: Tally) -> Iterator[Block]:
    """The lines of a log in blocks of about `CHUNK_BYTES`; only a line feed ends a line. Numbers count from 1.

    Raises KbError for bytes that are no log (binary data, a compression bomb, a broken archive).
    """
    chunks = _decoded(inflated(stream, path, tally), path)
    rest, number = _Rest(), 1
    for chunk in chunks:
        first, *more = chunk.split(b"\n")
        rest.add(first)
        if more:
            lines = [rest.take(tally), *(_cut(line, tally) for line in more[:-1])]
            yield Block(number, lines)
            number += len(lines)
            rest.add(more[-1])
    if not rest.empty:
        yield Block(number, [rest.take(tally)])
        number += 1
    tally.lines += number - 1


def inflated(stream: BinaryIO, path: str, tally: Tally) -> Iterator[bytes]:
    """The bytes of a stream in chunks, decompressed when its first bytes say so. Raises KbError for broken data and for bombs."""
    return _inflated(_counted(stream, path, tally), path, tally)


class _Rest:
    """The line that is not complete yet: of a very long one only head and tail are kept."""

    def __init__(self) -> None:
        self.empty = True
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, part: bytes) -> None:
        self.empty = self.empty and not part
        self._parts.append(part)
        self._size += len(part)
        if self._size > 4 * MAX_LINE_BYTES:
            whole = b"".join(self._parts)
            self._parts = [whole[:MAX_LINE_BYTES], whole[-MAX_LINE_BYTES:]]
            self._size = 2 * MAX_LINE_BYTES

    def take(self, tally: Tally) -> bytes:
        line = _cut(b"".join(self._parts), tally)
        self._parts, self._size, self.empty = [], 0, True
        return line


def _cut(line: bytes, tally: Tally) -> bytes:
    """A line, or of one that is too long its head and its tail: progress bars keep the news at the end."""
    if len(line) <= MAX_LINE_BYTES:
        return line
    tally.long_lines += 1
    half = MAX_LINE_BYTES // 2
    return line[:half] + b" ... " + line[-half:]


def _counted(stream: BinaryIO, path: str, tally: Tally) -> Iterator[bytes]:
    read = cast("Callable[[int], bytes]", getattr(stream, "read1", stream.read))  # read1: what a pipe has now
    while True:
        try:
            chunk = read(CHUNK_BYTES)
        except OSError as error:
            raise KbError(f"{path} cannot be read to its end ({error.strerror or error})", "check the file") from None
        if not chunk:
            return
        tally.bytes += len(chunk)
        yield chunk


def _inflated(chunks: Iterator[bytes], path: str, tally: Tally) -> Iterator[bytes]:
    """The chunks, decompressed when their first bytes say so."""
    head = b""
    for chunk in chunks:
        head += chunk
        if len(head) >= _SNIFF_BYTES:
            break
    kind = next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), None)
    if kind is None:
        yield head
        yield from chunks
        return
    yield from _decompressed(kind, head, chunks, path, tally)


def _decompressed(kind: str, head: bytes, chunks: Iterator[bytes], path: str, tally: Tally) -> Iterator[bytes]:
    """Stream after stream of a compressed file (gzip files may be joined)."""
    make, errors = _decompressor(kind)
    engine, compressed, inflated = make(), 0, 0
    for chunk in _chain(head, chunks):
        compressed += len(chunk)
        while chunk:
            if engine.eof:
                chunk = chunk.lstrip(b"\0")  # padding
                if not chunk:
                    break
                engine = make()
            for out in _steps(engine, chunk, errors, path):
                inflated += len(out)
                if inflated > max(MIN_INFLATED_BYTES, MAX_INFLATION * compressed):
                    raise KbError(f"{path} inflates more than {MAX_INFLATION} times", "a compression bomb? Unpack it by hand")
                yield out
            chunk = engine.unused_data
    if not engine.eof:
        tally.truncated = True


def _steps(engine: Any, chunk: bytes, errors: tuple[type[Exception], ...], path: str) -> Iterator[bytes]:
    """What a piece of compressed data becomes, at most `CHUNK_BYTES` at a time, so that a bomb never stands in memory."""
    try:
        yield engine.decompress(chunk, CHUNK_BYTES)
        while not engine.eof and (pending := _pending(engine)) is not None:
            yield engine.decompress(pending, CHUNK_BYTES)
    except errors as error:
        raise KbError(f"{path} is broken compressed data ({error})", "fetch it again, or unpack what can be saved") from None


def _pending(engine: Any) -> bytes | None:
    """Input that a decompressor holds back because its output was limited, None when it waits for more."""
    if hasattr(engine, "unconsumed_tail"):  # zlib hands it back
        return engine.unconsumed_tail or None
    return None if engine.needs_input else b""  # bz2 and lzma keep it


def _decompressor(kind: str) -> tuple[Callable[[], Any], tuple[type[Exception], ...]]:
    match kind:
        case "gzip":
            import zlib

            return (lambda: zlib.decompressobj(wbits=31)), (zlib.error,)
        case "bz2":
            import bz2

            return bz2.BZ2Decompressor, (OSError, EOFError)
        case _:
            import lzma

            return lzma.LZMADecompressor, (lzma.LZMAError, EOFError)


def _chain(head: bytes, chunks: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from chunks


def _decoded(chunks: Iterator[bytes], path: str) -> Iterator[bytes]:
    """The chunks as UTF-8 when they are UTF-16 or UTF-32; a byte order mark is dropped. Raises KbError for binary data."""
    head = b""
    for chunk in chunks:
        head += chunk
        if len(head) >= _SNIFF_BYTES:
            break
    encoding, skip = _encoding(head)
    if encoding == "utf-8":
        _refuse_binary(head, path)
        yield head[skip:]
        yield from chunks
        return
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    for chunk in _chain(head[skip:], chunks):
        yield decoder.decode(chunk).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def _encoding(head: bytes) -> tuple[str, int]:
    """(codec, length of the byte order mark); UTF-16 without a mark shows by a zero in every second byte."""
    for bom, name in _BOMS:
        if head.startswith(bom):
            return name, len(bom)
    sample = head[:_SNIFF_BYTES]
    half = len(sample) // 2
    if half >= 4:
        zeros_even, zeros_odd = sample[0::2].count(0), sample[1::2].count(0)
        if zeros_odd > 0.4 * half and zeros_even < 0.05 * half:
            return "utf-16-le", 0
        if zeros_even > 0.4 * half and zeros_odd < 0.05 * half:
            return "utf-16-be", 0
    return "utf-8", 0


def _refuse_binary(head: bytes, path: str) -> None:
    sample = head[:_SNIFF_BYTES]
    odd = sum(byte < 32 and byte not in _TEXT_CONTROLS for byte in sample) + sample.count(0) // 2
    if odd > _BINARY_SHARE * len(sample):
        raise KbError(f"{path} is binary data, not a log", "give the text output of the run")
