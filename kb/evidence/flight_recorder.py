"""torch's flight recorder: JSON, or a pickle that is read by a machine which can make nothing but plain containers."""

import io
import json
import pickle
import re
from collections.abc import Iterable, Mapping
from typing import Any

from kb.evidence import Evidence, Page
from kb.evidence._stack import call
from kb.model.snapshot import Fact, Flight, Trouble, Work

MAX_BYTES = 64 * 1024 * 1024
"""A larger pickle is refused: the recorder's default of 2,000 entries with stacks takes 4 MB."""
MAX_WORKS = 4000
"""Operations kept of one rank, the newest."""
MAX_ROWS = 2_000_000


class _Refused(pickle.UnpicklingError):
    """The pickle asks for something that no flight recorder holds."""


class _Plain(pickle.Unpickler):
    """Gives dicts, lists, tuples, sets, texts, bytes, numbers, booleans and None; any class, function or outside object is refused."""

    def find_class(self, module: str, name: str) -> Any:
        """Never gives anything."""
        raise _Refused(f"it asks for {module}.{name}"[:100])

    def persistent_load(self, pid: Any) -> Any:
        """Never gives anything."""
        raise _Refused("it refers to an object outside")


def plain(data: bytes) -> Any:
    """What a pickle of plain containers holds. Raises pickle.UnpicklingError for everything else, and runs nothing."""
    if len(data) > MAX_BYTES:
        raise _Refused(f"it has {len(data)} bytes")
    try:
        return _Plain(io.BytesIO(data)).load()
    except _Refused:
        raise
    except (
        pickle.UnpicklingError,
        EOFError,
        ValueError,
        TypeError,
        KeyError,
        IndexError,
        AttributeError,
        OverflowError,
        MemoryError,
        RecursionError,
        UnicodeDecodeError,
        ImportError,
        NotImplementedError,
    ) as error:
        raise pickle.UnpicklingError(f"it is broken ({type(error).__name__})") from None


def decode(data: bytes, file: str) -> list[Fact]:
    """The recorder in a pickle, or why there is none."""
    try:
        raw = plain(data)
    except pickle.UnpicklingError as error:
        return [Trouble("refused", f"the pickle is not read: {error}", file, 1)]
    return _flights(raw, file, 1) or [Trouble("refused", "the pickle is no flight recorder", file, 1)]


def parse(page: Page) -> list[Fact]:
    """The recorder in JSON."""
    rows = page.rest(MAX_ROWS)
    text = "\n".join(row.text for row in rows)
    if '"entries"' not in text and '"pg_config"' not in text:
        return []
    try:
        raw, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        page.skip(len(rows))
        return [Trouble("cut", "the flight recorder's JSON is cut", page.file, rows[0].number)]
    found = _flights(raw, page.file, rows[0].number)
    if found:
        page.skip(text.count("\n", 0, end) + 1)
    return found


def _flights(raw: Any, file: str, line: int) -> list[Fact]:
    if not isinstance(raw, Mapping) or not isinstance(raw.get("entries"), list):
        return []
    groups = raw.get("pg_config")
    named = {str(name): _ranks(about) for name, about in groups.items()} if isinstance(groups, Mapping) else {}
    entries = [entry for entry in raw["entries"] if isinstance(entry, Mapping)][-MAX_WORKS:]
    rank = raw.get("rank")
    own = str(rank) if isinstance(rank, int) and not isinstance(rank, bool) else None
    return [Flight(file, line, tuple(sorted(named.items())), tuple(map(_work, entries)), own, "record" if own else "")]


def _ranks(about: Any) -> tuple[str, ...]:
    """The ranks of a group, which stand in a text such as `[0, 1]` or in a list."""
    ranks = about.get("ranks") if isinstance(about, Mapping) else None
    if isinstance(ranks, str):
        return tuple(re.findall(r"\d{1,7}", ranks[:2_000_000]))
    return tuple(str(rank) for rank in ranks if isinstance(rank, int)) if isinstance(ranks, Iterable) else ()


def _work(entry: Mapping[str, Any]) -> Work:
    group = entry.get("process_group")
    name = str(group[0]) if isinstance(group, list | tuple) and group else str(group or entry.get("pg_id", ""))
    p2p = entry.get("is_p2p") is True
    op = str(entry.get("profiling_name", "")).partition(":")[2] or str(entry.get("profiling_name", ""))
    frames = entry.get("frames")
    calls = (
        tuple(
            call(str(f.get("name", "?")), str(f.get("filename", "?")), f.get("line"), False) for f in frames[:60] if isinstance(f, Mapping)
        )
        if isinstance(frames, list)
        else ()
    )
    return Work(
        name,
        _number(entry.get("p2p_seq_id" if p2p else "collective_seq_id")),
        op[:80],
        str([entry.get("input_sizes"), entry.get("output_sizes")])[:400],
        str([entry.get("input_dtypes"), entry.get("output_dtypes")])[:200],
        str(entry.get("state", "")),
        calls,
        p2p,
    )


def _number(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return -1


EVIDENCE = Evidence(
    name="flight recorder",
    starts=r"\{",
    parse=parse,
    magic=b"\x80",
    decode=decode,
    samples=(
        '{"version": "2.10", "pg_config": {"": {"name": "", "desc": "", "ranks": "[0, 1]"}}, "entries": [{"collective_seq_id": 6, '
        '"profiling_name": "gloo:all_gather", "process_group": ["0", "default_pg"], "input_sizes": [[4]], "state": "scheduled"}]}\n',
    ),
    strangers=('{"level": "info", "message": "entries"}\n', "{\n"),
    order=30,
)
