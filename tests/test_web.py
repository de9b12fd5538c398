"""The Datasette plugin, in process, on whichever Datasette is installed; `kb serve` as a process."""

import asyncio
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from datasette.app import Datasette

from kb.model.record import record_id
from kb.store.build import build_index
from kb.web.markup import prose, safe_url, with_holes

HOSTILE = "<script>alert('x')</script>"
WINDOW = """def load(path):
    try:
        return _load(path)
    except OSError as error:
        raise BadShelf(path)
    finally:
        \x0c
        close()"""
FULL: dict[str, Any] = {
    "repo": "acme/shelves",
    "slug": "shelf-is-bad",
    "errorMessage": f"shelf {{path}} is bad on rank {{rank}} {HOSTILE}",
    "errorClass": "acme.BadShelf",
    "severity": "critical",
    "filePath": "acme/shelf.py",
    "lineNumber": 34,
    "sourceCode": WINDOW,
    "sourceCodeStart": 30,
    "sourceCodeEnd": 37,
    "githubUrl": "https://github.com/acme/shelves/blob/main/acme/shelf.py#L30-L37",
    "documentation": f"The loader of shelves gives up, see `load()`. {HOSTILE}",
    "triggerScenarios": f"A shelf is cut off. {HOSTILE}",
    "commonSituations": "A copy that was interrupted.",
    "solutions": [f"Copy again {HOSTILE}", "Check the disk with `fsck -n`"],
    "tryCatchPattern": f"try:\n    load(path)\nexcept BadShelf:\n    rebuild(path)  # {HOSTILE}\n",
    "exampleFix": "- load(path)\n+ rebuild(path)",
    "validationCode": "assert path.stat().st_size",
    "typeGuard": "isinstance(error, BadShelf)",
    "preventionTips": [f"Copy to a new name first {HOSTILE}"],
    "tags": ["nccl", "cuda", "storage"],
    "kb": {
        "title": f"A shelf is bad {HOSTILE}",
        "role": "symptom",
        "trust": "model",
        "signatures": [
            {
                "class": ["acme.BadShelf", "OSError"],
                "message": "shelf {path} is bad {{really}}",
                "frames": [{"file": "acme/shelf.py", "function": "load", "code": "raise BadShelf"}],
            },
            {"pattern": f"shelf .+ bad {HOSTILE}", "when": "dump"},
            {"exit_status": -9},
        ],
        "examples": [{"text": f"BadShelf: shelf a is bad {HOSTILE}", "why": "as the loader prints it"}],
        "counter_examples": [{"text": "BadShelf: shelf is missing", "why": "a shelf that was never there"}],
        "applies": [{"package": "acme-shelves", "versions": ">=2,<3"}],
        "symptom_of": ["acme/disks/disk-is-full", "gone/away"],
        "supersedes": [record_id("acme/lamps", "lamp is out", None)],
        "provenance": {
            "solutions": {"by": "curated", "source": "javascript:alert(1)", "confidence": "users"},
            "triggerScenarios": {"by": "mined", "rule": HOSTILE, "source": "https://acme.example/shelves?a=1&b=2"},
        },
        "links": ["https://acme.example/issues/7"],
    },
}
DISK: dict[str, Any] = {
    "repo": "acme/disks",
    "slug": "disk-is-full",
    "errorMessage": "no room on {disk}",
    "errorClass": "OSError",
    "filePath": "disk.c",
    "lineNumber": 7,
    "githubUrl": "https://github.com/acme/disks/blob/main/disk.c#L7",
    "documentation": "Nothing fits any more.",
    "solutions": ["Remove what nobody needs"],
    "tags": ["nccl", "storage"],
    "kb": {"trust": "mined"},
}
LAMP: dict[str, Any] = {
    "repo": "acme/lamps",
    "slug": "lamp-is-out",
    "errorMessage": "lamp is out",
    "severity": "warning",
    "documentation": "A filament has burnt through.",
    "tags": ["cuda"],
}
FULL_ID = record_id(FULL["repo"], FULL["errorMessage"], FULL["filePath"])
DISK_ID = record_id(DISK["repo"], DISK["errorMessage"], DISK["filePath"])
LAMP_ID = record_id(LAMP["repo"], LAMP["errorMessage"], None)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """An index of three records, under a name that says nothing."""
    folder = tmp_path / "records"
    folder.mkdir()
    (folder / "all.jsonl").write_text("".join(json.dumps(one) + "\n" for one in (FULL, DISK, LAMP)), encoding="utf-8")
    built = build_index([folder], tmp_path / "things.db")
    assert not built.faults
    assert built.records == 3
    return built.path


def get(path: Path, url: str, status: int = 200, **options: Any) -> str:
    """The body that a Datasette of one database answers with."""

    async def ask() -> Any:
        datasette = Datasette([str(path)], **options)
        await datasette.invoke_startup()
        return await datasette.client.get(url)

    answer = asyncio.run(ask())
    assert answer.status_code == status, answer.text
    text: str = answer.text
    return text


def keys(path: Path, query: str) -> list[str]:
    """The keys of the records that a query of the table gives, in its order."""
    return [row["key"] for row in json.loads(get(path, f"/things/records.json?_shape=array&{query}"))]


class Page(HTMLParser):
    """The elements of a page in their order, as a browser would see them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def all(self, tag: str) -> list[dict[str, str]]:
        """The attributes of every element of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]


def main_of(text: str) -> str:
    """What faultbook lays out of a page of a record."""
    found = re.search(r"<main class=\"kb-record\".*</main>", text, re.DOTALL)
    assert found, text
    return found[0]


def section(text: str, name: str) -> str:
    """One section of the page of a record."""
    return main_of(text).split(f'aria-labelledby="kb-{name}"', 1)[1].split("</section>")[0]


# --- the table


def test_table_has_its_facets_and_order(index: Path) -> None:
    """The five facets are there without being asked for, and the records come by key, whatever the file is called."""
    page = Page(get(index, "/things/records"))
    facets = {one["id"].removeprefix("facet-") for one in page.all("div") if one.get("id", "").startswith("facet-")}
    assert facets == {"project", "error_class", "severity", "role", "trust"}
    assert keys(index, "") == sorted(keys(index, "_sort=slug"))


def test_table_narrows_by_facet_and_search(index: Path) -> None:
    """A facet and the words of a record lead to it; the form of the search keeps the words."""
    assert keys(index, "project=lamps") == ["acme/lamps/lamp-is-out"]
    assert keys(index, "_search=filament") == ["acme/lamps/lamp-is-out"]
    assert keys(index, "_search=filament&project=disks") == []
    inputs = Page(get(index, "/things/records?_search=filament")).all("input")
    assert [one["value"] for one in inputs if one.get("id") == "_search"] == ["filament"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("_tag=nccl", ["acme/disks/disk-is-full", "acme/shelves/shelf-is-bad"]),
        ("_tag=nccl&_tag=cuda", ["acme/shelves/shelf-is-bad"]),
        ("_tag=cuda&_tag=cuda", ["acme/lamps/lamp-is-out", "acme/shelves/shelf-is-bad"]),
        ("_tag=nccl&severity=critical", ["acme/shelves/shelf-is-bad"]),
        ("_tag=nccl&_search=filament", []),
        ("_tag=nobody", []),
        ("_tag=", ["acme/disks/disk-is-full", "acme/lamps/lamp-is-out", "acme/shelves/shelf-is-bad"]),
        ("_tag=' or 1 --", []),
    ],
)
def test_tags_and_together(index: Path, query: str, expected: list[str]) -> None:
    """Every `_tag` narrows further, through the link table, together with facets and search."""
    assert keys(index, query) == expected


def test_table_says_which_tags_are_chosen(index: Path) -> None:
    """The filter is told in words, each tag can be taken away, and a hostile one is shown as text."""
    text = get(index, "/things/records?_tag=nccl&_tag=cuda")
    assert "where tag = &#34;nccl&#34; and tag = &#34;cuda&#34;" in text
    removals = {one["aria-label"]: one["href"] for one in Page(text).all("a") if "aria-label" in one}
    assert removals["Remove the tag nccl from the filter"] == "/things/records?_tag=cuda"
    assert removals["Remove the tag cuda from the filter"] == "/things/records?_tag=nccl"
    assert HOSTILE not in get(index, f"/things/records?_tag={HOSTILE}")


def test_table_shows_few_columns_until_some_are_chosen(index: Path) -> None:
    """Short list by default; choosing columns in any way shows what was chosen."""

    def is_short(query: str) -> bool:
        return "kb-short" in Page(get(index, f"/things/records{query}")).all("body")[0]["class"].split()

    assert is_short("")
    assert is_short("?project=lamps")
    assert '<a href="/things/records?project=lamps&amp;_all=on">' in get(index, "/things/records?project=lamps")
    assert not any(is_short(query) for query in ("?project=lamps&_all=on", "?_col=slug", "?_nocol=slug"))


def test_cells_link_titles_and_tags(index: Path) -> None:
    """A title leads to its record, a tag to its filter, in the table of records and in that of tags; nothing runs."""
    text = get(index, "/things/records")
    targets = [one["href"] for one in Page(text).all("a")]
    assert {f"/things/records/{FULL_ID}", "/things/records?_tag=storage"} <= set(targets)
    assert HOSTILE not in text
    tags = Page(get(index, "/things/record_tags"))
    assert "/things/records?_tag=storage" in [one["href"] for one in tags.all("a")]
    assert any(one.get("id") == "facet-tag" for one in tags.all("div"))


def test_addresses_keep_the_base_url(index: Path) -> None:
    """Behind a proxy every link and the style sheet stay below its prefix."""
    for url in ("/things/records?_tag=nccl", f"/things/records/{FULL_ID}"):
        page = Page(get(index, url, settings={"base_url": "/prefix/"}))
        own = [one["href"] for one in [*page.all("a"), *page.all("link")] if one["href"].startswith("/")]
        assert own
        assert all(address.startswith("/prefix/") for address in own), own


def test_user_configuration_wins(index: Path) -> None:
    """Facets and title that the user configured replace those of the plugin; the rest stays."""
    table = {"facets": ["repo"], "title": "My errors"}
    text = get(index, "/things/records", metadata={"databases": {"things": {"tables": {"records": table}}}})
    facets = [one["id"] for one in Page(text).all("div") if one.get("id", "").startswith("facet-")]
    assert facets == ["facet-repo"]
    assert "My errors</h1>" in text
    assert "sorted by key" in text
    assert 'id="facet-project"' in get(index, "/things/records"), "and does not reach another instance"


def test_menu_leads_to_the_records(index: Path, tmp_path: Path) -> None:
    """Every page has the way to the records, the home page too; two indexes are told apart."""
    for url in ("/", "/things"):
        assert re.search(r'<a href="/things/records">Known errors</a>', get(index, url))
    other = tmp_path / "others.db"
    other.write_bytes(index.read_bytes())

    async def home() -> str:
        datasette = Datasette([str(index), str(other)])
        await datasette.invoke_startup()
        return str((await datasette.client.get("/")).text)

    links = re.findall(r'<a href="([^"]+)">Known errors in', asyncio.run(home()))
    assert links == ["/others/records", "/things/records"]


# --- the page of a record


def test_record_page_shows_everything_in_order(index: Path) -> None:
    """All that a record says, in one fixed order."""
    text = main_of(get(index, f"/things/records/{FULL_ID}"))
    assert re.findall(r'<h2 id="kb-[a-z_]+">([^<]+?)\s*<', text) == [
        "What it means", "When it happens", "Common situations", "Solutions", "Handling it in code", "Example fix",
        "Check beforehand", "Type guard", "Prevention", "Where it is raised", "How it is recognised", "Related errors",
        "Links", "Where this comes from",
    ]  # fmt: skip
    for words in ("<span>role</span> symptom", "<span>trust</span> model", "<span>severity</span> critical",
                  "<code>acme.BadShelf</code>", "acme-shelves &gt;=2,&lt;3", "A copy that was interrupted.",
                  "<code>load()</code>",
                  "except BadShelf:", "+ rebuild(path)", "assert path.stat().st_size", "isinstance(error, BadShelf)",
                  "as the loader prints it", "a shelf that was never there"):  # fmt: skip
        assert words in text


def test_solutions_are_an_ordered_list(index: Path) -> None:
    """In the record's own order, with code between backticks; who wrote them is said where it is another."""
    part = section(get(index, f"/things/records/{FULL_ID}"), "solutions")
    assert [re.sub(r"<[^>]+>", "", item) for item in re.findall(r"<li>(.*?)</li>", part)] == [
        "Copy again &lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;", "Check the disk with fsck -n",
    ]  # fmt: skip
    assert part.index("<ol") < part.index("<li>")
    assert "<code>fsck -n</code>" in part
    assert "<small>curated</small>" in part


def test_message_shows_its_holes(index: Path) -> None:
    """A hole of the message is marked as one."""
    text = main_of(get(index, f"/things/records/{FULL_ID}"))
    assert 'shelf <var class="kb-hole">{path}</var> is bad on rank <var class="kb-hole">{rank}</var>' in text


def test_source_window_has_true_numbers_and_one_raised_line(index: Path) -> None:
    """The list begins at the excerpt's first line, has the file's own lines, and marks the one that raises."""
    part = section(get(index, f"/things/records/{FULL_ID}"), "source")
    assert '<ol start="30">' in part
    lines = re.findall(r"<li( class=\"kb-raised\")?>", part)
    assert len(lines) == 8  # a form feed ends no line
    assert [30 + at for at, raised in enumerate(lines) if raised] == [34]
    assert '<li class="kb-raised"><code><span class="kb-unseen">raised here: </span>        raise BadShelf' in part
    assert "acme/shelf.py:34" in part
    assert 'href="https://github.com/acme/shelves/blob/main/acme/shelf.py#L30-L37"' in part


def test_record_without_excerpt_names_file_and_link(index: Path) -> None:
    """No window, but the place and the permalink; and no part for what the record does not say."""
    text = get(index, f"/things/records/{DISK_ID}")
    part = section(text, "source")
    assert "disk.c:7" in part
    assert "https://github.com/acme/disks/blob/main/disk.c#L7" in part
    assert "kb-window" not in part
    assert "kb-common_situations" not in main_of(text)
    assert "kb-source" not in main_of(get(index, f"/things/records/{LAMP_ID}"))


def test_signatures_say_how_it_is_recognised(index: Path) -> None:
    """Every field of every signature; a record without any shows the one that its message gives."""
    part = section(get(index, f"/things/records/{FULL_ID}"), "recognised")
    for words in ("<code>acme.BadShelf</code> or <code>OSError</code>", "is bad {really}",
                  "<code>acme/shelf.py</code> in <code>load</code>",
                  "only in stack dumps", "<dd>-9</dd>", "Counter-examples"):  # fmt: skip
        assert words in part
    part = section(get(index, f"/things/records/{DISK_ID}"), "recognised")
    assert 'no room on <var class="kb-hole">{disk}</var>' in part


def test_related_records_are_linked_where_they_exist(index: Path) -> None:
    """By key and by id; what the index does not have stays a name."""
    part = section(get(index, f"/things/records/{FULL_ID}"), "related")
    assert f'<a href="/things/records/{DISK_ID}">no room on {{disk}}</a>' in part
    assert f'<a href="/things/records/{LAMP_ID}">lamp is out</a>' in part
    assert "<code>gone/away</code>" in part


def test_hostile_record_stays_text(index: Path) -> None:
    """No element, handler or address of a record's text becomes one of the page, on any page that shows it."""
    for url in (f"/things/records/{FULL_ID}", "/things/records?_all=on", "/things/record_tags", "/things/signatures"):
        text = get(index, url)
        page = Page(text)
        assert "<script>alert" not in text, url
        targets = [one.get("href", "") for one in page.all("a")]
        assert all(target.startswith(("/", "http://localhost", "https://", "#")) for target in targets), url
        assert not [name for _, attributes in page.elements for name in attributes if name in ("onerror", "onload")]
    assert "javascript:alert(1)" in section(get(index, f"/things/records/{FULL_ID}"), "origins")


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "//evil.example", "https:///x", "https://[x"]
)
def test_tampered_addresses_do_not_become_links(index: Path, url: str) -> None:
    """Even an index that was not built by `kb build` gets no link that is not http or https."""
    database = sqlite3.connect(index)
    database.execute("update records set github_url = ?", [url])
    database.commit()
    database.close()
    assert "permalink" not in section(get(index, f"/things/records/{DISK_ID}"), "source")


def test_row_that_cannot_be_read_falls_back_to_datasette(index: Path) -> None:
    """Columns that do not hold what `kb build` writes are shown as they are."""
    for column, value in (("kb", "{}}"), ("kb", '{"trust": 7}'), ("solutions", "[1, {}]"), ("tags", "no json")):
        database = sqlite3.connect(index)
        (before,) = database.execute(f"select {column} from records where id = ?", [LAMP_ID]).fetchone()
        database.execute(f"update records set {column} = ? where id = ?", [value, LAMP_ID])
        database.commit()
        assert ("kb-record" in get(index, f"/things/records/{LAMP_ID}")) == (column == "tags")
        assert get(index, "/things/records?_all=on")
        database.execute(f"update records set {column} = ? where id = ?", [before, LAMP_ID])
        database.commit()
        database.close()


def test_unknown_record_is_not_found(index: Path) -> None:
    """As for any row that is not there."""
    get(index, "/things/records/0000000000000000", status=404)


def test_record_page_is_made_for_all_readers(index: Path) -> None:
    """One first heading, no level left out, one main landmark, scoped headers, and what scrolls takes the keyboard."""
    text = get(index, f"/things/records/{FULL_ID}")
    levels = [int(tag[1]) for tag, _ in Page(text).elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    own = Page(main_of(text))
    assert len(own.all("main")) == 1
    assert all("scope" in one for one in own.all("th"))
    assert all(one.get("tabindex") == "0" and one.get("role") == "region" for one in own.all("pre"))
    names = {one["id"] for one in own.all("h2")}
    assert {one["aria-labelledby"] for one in own.all("section")} <= names


def test_raw_columns_stay_within_reach(index: Path) -> None:
    """Datasette's own page is below, folded."""
    text = get(index, f"/things/records/{FULL_ID}")
    raw = text.split('<details class="kb-raw">')[1]
    assert 'class="rows-and-columns"' in raw
    assert f"{FULL_ID}.json" in raw
    assert "/things/record_tags?record_id=" in raw


def test_style_sheet_is_served(index: Path) -> None:
    """The pages name it, and it is there; the home page stays Datasette's."""
    links = [one["href"] for one in Page(get(index, f"/things/records/{FULL_ID}")).all("link")]
    (sheet,) = [address for address in links if "static-plugins" in address]
    assert ".kb-raised" in get(index, sheet)
    assert "static-plugins" not in get(index, "/")


# --- other databases


@pytest.mark.parametrize(
    "script",
    [
        "",
        "create table kb_meta (key text, value text)",
        "create table kb_meta (other text); create table record_tags (a); create table signatures (a)",
        "create table kb_meta (key text, value text); create table record_tags (a); create table signatures (a);"
        "insert into kb_meta values ('schema_version', '99')",
    ],
)
def test_other_databases_are_left_alone(tmp_path: Path, script: str) -> None:
    """A database that is no index, or one of another version, looks as it would without the plugin."""
    path = tmp_path / "kb.db"
    database = sqlite3.connect(path)
    database.executescript("create table records (id text primary key, title text, tags text)")
    database.executescript(f"insert into records values ('a', 'b', '[\"c\"]'); {script}")
    database.close()
    for url in ("/", "/kb", "/kb/records", "/kb/records/a", "/kb/records?_tag=nccl"):
        text = get(path, url)
        assert not re.search(r"kb-(record\b|raw|above|short|tag)|Known errors|static-plugins", text), url
    assert len(json.loads(get(path, "/kb/records.json?_shape=array&_tag=nccl"))) == 1


def test_broken_file_does_not_stop_the_plugin(index: Path, tmp_path: Path) -> None:
    """A file that is no database is Datasette's to complain of; the index beside it works."""
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"this is no database, however long it may be" * 40)

    async def names() -> frozenset[str]:
        from kb.web.indexes import find_indexes

        return await find_indexes(Datasette([str(broken), str(index)]))

    assert asyncio.run(names()) == {"things"}


# --- text as markup


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("https://acme.example/a?b=c#d", True),
        ("http://acme.example", True),
        ("HTTPS://ACME.EXAMPLE", True),
        ("javascript:alert(1)", False),
        ("JaVaScRiPt:alert(1)", False),
        ("\x01javascript:alert(1)", False),
        ("java\nscript:alert(1)", False),
        ("vbscript:x", False),
        ("ftp://acme.example", False),
        ("see https://acme.example", False),
        ("https:\\\\acme.example", False),
        ("https:", False),
        ("", False),
        (None, False),
    ],
)
def test_only_web_addresses_are_safe(text: str | None, safe: bool) -> None:
    """Whole http and https addresses, and nothing else."""
    assert (safe_url(text) is not None) == safe


def test_prose_and_messages_escape_around_their_marks() -> None:
    """Code and holes are marked, all the rest is text; doubled braces are one brace only where they were doubled."""
    assert prose("a `<b>` & `` c") == "a <code>&lt;b&gt;</code> &amp; `` c"
    assert with_holes("<i>{a}{{b}}", doubled=True) == '&lt;i&gt;<var class="kb-hole">{a}</var>{b}'
    assert with_holes("{{b}} {0} {", doubled=False) == "{{b}} {0} {"


# --- kb serve


KB = [sys.executable, "-c", "from kb.cli import main; main()"]


def kb(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A run of `kb` that is expected to end by itself."""
    return subprocess.run([*KB, *arguments], capture_output=True, text=True, timeout=60)


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_serve_says_in_one_line_that_a_port_is_taken(index: Path, taken: int) -> None:
    """And ends with 2, before anything of Datasette's."""
    done = kb("serve", "--db", str(index), "--port", str(taken))
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(rf"kb: cannot listen on 127\.0\.0\.1 port {taken} \(.+\): choose another .+\n", done.stderr)


@pytest.mark.parametrize(
    "options",
    [
        ["--db", "nowhere.db"],
        ["--setting", "no_such_setting", "1"],
        ["--setting", "default_page_size", "many"],
        ["--port", "99999"],
        ["--host", "no.such.host.invalid"],
    ],
)
def test_serve_tells_what_is_wrong_in_one_line(index: Path, options: list[str]) -> None:
    """A missing index, a setting that Datasette does not know, an impossible port or host: one line, exit code 2."""
    done = kb("serve", "--db", str(index), "--port", "0", *options)
    assert done.returncode == 2
    assert re.fullmatch(r"kb: .+\n", done.stderr)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to end a process with")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_serve_presents_the_index_as_kb_and_leaves_nothing(index: Path, tmp_path: Path, end: signal.Signals) -> None:
    """Whatever the file is called, the address is /kb/records. To end it is no failure and leaves no file."""
    place = tmp_path / "temporary"
    place.mkdir()
    server = subprocess.Popen([*KB, "serve", "--db", str(index), "--port", "0", "--setting", "default_page_size", "1"],
                              stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(place)})  # fmt: skip
    try:
        assert server.stderr
        told = [server.stderr.readline()]
        while told[-1] and "Uvicorn running" not in told[-1]:
            told.append(server.stderr.readline())
        address = re.search(r"http://\S+/kb/records", told[0])
        assert address, told
        with urlopen(f"{address[0]}.json?_shape=array", timeout=20) as answer:
            assert [row["key"] for row in json.load(answer)] == ["acme/disks/disk-is-full"]
        assert len(list(place.glob("kb-serve-*"))) == 1
        server.send_signal(end)
        assert server.wait(30) == 0
        assert not list(place.glob("kb-serve-*"))
    finally:
        server.kill()
        server.communicate()
