"""faultbook's own records in full, one a line: what `--records` reads again."""

import json
from collections.abc import Iterator, Sequence

from kb.export import Export, Layout, Loss, Text
from kb.store.files import Stored


def write(items: Sequence[Stored], layout: Layout) -> Iterator[Text | Loss]:
    """Every record. Only a curated record's key is lost, since it is its place among the files."""
    for item in items:
        yield Text("", f"{json.dumps(item.record.to_json(), ensure_ascii=False)}\n")
        if item.key != f"{item.record.repo}/{item.record.slug}":
            yield Loss(item.key, "key", whole=False)


EXPORT = Export(
    name="jsonl",
    summary="faultbook's own records in full, one a line.",
    layouts=(Layout("jsonl", "one record a line"),),
    write=write,
)
