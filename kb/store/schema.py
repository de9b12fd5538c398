"""The tables of the index, as migrations: an index of an older version is brought up, never guessed at."""

from sqlite_utils import Database, Migrations

migrations = Migrations("faultbook")

VERSION = 1
"""Of the index's shape. A reader refuses a newer one and rebuilds an older one."""

RECORD_COLUMNS: dict[str, type] = {
    "id": str, "key": str, "title": str, "project": str, "repo": str, "slug": str, "role": str, "trust": str, "severity": str,
    "error_type": str, "error_class": str, "error_code": str, "error_message": str, "message_pattern": str, "http_status": int,
    "documentation": str, "trigger_scenarios": str, "common_situations": str, "solutions": str, "handling_strategy": str,
    "try_catch_pattern": str, "example_fix": str, "validation_code": str, "type_guard": str, "prevention_tips": str, "tags": str,
    "background_tag": str, "file_path": str, "line_number": int, "source_code": str, "source_code_start": int,
    "source_code_end": int, "github_url": str, "analyzed_sha": str, "analyzed_at": str, "schema_version": int, "kb": str,
    "source": str,
}  # fmt: skip
"""Columns of `records`: the record's fields (lists and `kb` as JSON), its key, title, role, trust, project, and the file it is from."""

SEARCHED = ("title", "error_message", "error_class", "error_code", "documentation", "trigger_scenarios", "common_situations",
            "solutions", "tags", "key")  # fmt: skip
"""Columns that full-text search covers."""


@migrations()
def records_and_signatures(db: Database) -> None:
    """The knowledge itself."""
    db.table("records").create(RECORD_COLUMNS, pk="id", not_null={"key", "title", "repo", "role", "trust"}, strict=True)
    db.table("records").create_index(["key"], unique=True)
    for column in ("project", "error_class", "severity", "role", "trust"):
        db.table("records").create_index([column])
    db.table("record_tags").create({"record_id": str, "tag": str}, pk=("record_id", "tag"),
                             foreign_keys=[("record_id", "records", "id")], strict=True)  # fmt: skip
    db.table("record_tags").create_index(["tag"])
    db.table("signatures").create(
        {"id": int, "record_id": str, "when": str, "classes": str, "message": str, "pattern": str, "frames": str,
         "exit_status": int, "anchor": str, "weak": int},
        pk="id", foreign_keys=[("record_id", "records", "id")], strict=True,
    )  # fmt: skip
    db.table("signatures").create_index(["record_id"])
    db.table("signatures").create_index(["exit_status"])
    db.table("sites").create(
        {"basename": str, "file": str, "function": str, "line": int, "record_id": str, "signature_id": int},
        foreign_keys=[("record_id", "records", "id"), ("signature_id", "signatures", "id")], strict=True,
    )  # fmt: skip
    db.table("sites").create_index(["basename"])
    db.table("kb_meta").create({"key": str, "value": str}, pk="key", strict=True)
