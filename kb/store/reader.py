"""Reading an index: what the match path asks, with nothing but sqlite3 and json."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from kb.errors import KbError
from kb.model.match import FrameSite, Known
from kb.model.report import KnowledgeBase

INDEX_VERSION = 1  # equals kb.store.schema.VERSION, which lives beside heavy imports; a test holds them together
_JSON = ("solutions", "prevention_tips", "tags", "kb")
_REBUILD = "build it again with `kb build --db PATH`, or leave out --db and KB_DB to use the shipped records"
_KNOWN = """
select s.id, s.record_id, r.key, r.role, r.trust, s."when", s.classes, s.message, s.pattern, s.frames, s.exit_status,
       r.error_class, r.file_path, r.line_number
  from signatures s join records r on r.id = s.record_id
"""


class Index:
    """An open index. Asking it raises KbError when the file is broken."""

    def __init__(self, path: Path) -> None:
        """Open `path` for reading. Raises KbError when it is missing, unreadable, no index, or one of another version."""
        self.path = path
        if not path.is_file():
            raise KbError(f"no index at {path}", _REBUILD)
        try:
            self._db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        except sqlite3.Error as error:
            raise KbError(f"the index {path} cannot be opened ({error})", _REBUILD) from None
        self._meta = dict(self._ask("select key, value from kb_meta"))
        if self._meta.get("schema_version") != str(INDEX_VERSION):
            raise KbError(f"the index {path} has version {self._meta.get('schema_version')}, {INDEX_VERSION} is needed", _REBUILD)

    def close(self) -> None:
        """Give the file back."""
        self._db.close()

    @property
    def knowledge(self) -> KnowledgeBase:
        """Which index this is."""
        return KnowledgeBase(str(self.path), int(self._meta.get("records", 0)), self._meta.get("generation", ""))

    def anchors(self) -> list[tuple[str, int]]:
        """(literal, signature) of every signature that is worth trying only where its literal stands."""
        return self._ask("select anchor, id from signatures where anchor is not null order by id")

    def unanchored(self) -> list[int]:
        """Signatures with a pattern of which no literal is certain."""
        return [row[0] for row in self._ask("select id from signatures where anchor is null and pattern is not null order by id")]

    def signatures(self, ids: Iterable[int]) -> list[Known]:
        """The signatures with these ids, in their order in the index."""
        wanted = sorted(set(ids))
        found: list[Known] = []
        for at in range(0, len(wanted), 500):
            some = wanted[at : at + 500]
            rows = self._ask(f"{_KNOWN} where s.id in ({','.join('?' * len(some))}) order by s.id", some)
            found += map(_known, rows)
        return found

    def signatures_of(self, record_id: str) -> list[int]:
        """The signatures of one record."""
        return [row[0] for row in self._ask("select id from signatures where record_id = ? order by id", [record_id])]

    def by_file(self, basename: str) -> list[int]:
        """Signatures whose raise site lies in a file of this name."""
        rows = self._ask("select distinct signature_id from sites where basename = ? order by signature_id", [basename])
        return [row[0] for row in rows]

    def by_exit(self, status: int) -> list[int]:
        """Signatures of this exit status; a signal is negative."""
        return [row[0] for row in self._ask("select id from signatures where exit_status = ? order by id", [status])]

    def similar(self, words: Sequence[str], limit: int) -> list[int]:
        """The signatures whose messages share most with these words, rarest first (SQLite FTS5's bm25)."""
        query = " OR ".join(f'"{word}"' for word in words if '"' not in word)
        if not query:
            return []
        sql = "select rowid from signatures_fts where signatures_fts match ? order by bm25(signatures_fts), rowid limit ?"
        return [row[0] for row in self._ask(sql, [query, limit])]

    def counter_examples(self, record_id: str) -> list[str]:
        """The texts of a record's counter-examples."""
        found = self._ask("select kb from records where id = ?", [record_id])
        return [example["text"] for (text,) in found for example in json.loads(text or "{}").get("counter_examples", ())]

    def record(self, record_id: str) -> dict[str, Any]:
        """A record in JSON's names, with `key`, `title`, `role` and `trust`; empty when there is none of this id."""
        rows = self._named("select * from records where id = ?", [record_id])
        return rows[0] if rows else {}

    def find(self, name: str) -> list[dict[str, Any]]:
        """The records with this id or key, or with a key that ends in it."""
        sql = "select * from records where id = ?1 or key = ?1 or key like '%/' || replace(?1, '%', '') order by key limit 50"
        return self._named(sql, [name])

    def search(self, text: str, limit: int = 20) -> list[dict[str, Any]]:
        """The records that full-text search finds for plain words, best first."""
        query = " ".join(f'"{word}"' for word in text.replace('"', " ").split())
        if not query:
            return []
        sql = ("select records.* from records_fts join records on records.rowid = records_fts.rowid "
               "where records_fts match ? order by bm25(records_fts, 10.0, 8.0, 5.0, 5.0), records.key limit ?")  # fmt: skip
        return self._named(sql, [query, limit])

    def all_records(self) -> Iterable[dict[str, Any]]:
        """Every record, by key."""
        for (record_id,) in self._ask("select id from records order by key"):
            yield self.record(record_id)

    def _named(self, sql: str, values: Sequence[object]) -> list[dict[str, Any]]:
        try:
            cursor = self._db.execute(sql, values)
            names = [column[0] for column in cursor.description]
            return [_record(dict(zip(names, row, strict=True))) for row in cursor]
        except sqlite3.Error as error:
            raise KbError(f"the index {self.path} cannot be read ({error})", _REBUILD) from None

    def _ask(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise KbError(f"the index {self.path} cannot be read ({error})", _REBUILD) from None


def _known(row: Sequence[Any]) -> Known:
    number, record, key, role, trust, when, classes, message, pattern, frames, status, error_class, file, line = row
    return Known(
        number, record, key, role, trust, when, tuple(json.loads(classes)), message, pattern,
        tuple(FrameSite(f["file"], f.get("function"), f.get("code")) for f in json.loads(frames)), status, error_class,
        FrameSite(file, line=line) if file else None,
    )  # fmt: skip


def _record(row: dict[str, Any]) -> dict[str, Any]:
    """A row of `records` in JSON's names, JSON columns decoded."""
    row |= {name: json.loads(row[name] or "null") for name in _JSON}
    return {_camel(name): value for name, value in row.items()}


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(map(str.capitalize, rest))
