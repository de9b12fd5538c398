"""`kb serve` as a reader meets it: a server process and a real browser."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kb.store.build import build_index

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
SOURCE = """def boil(kettle):
    heat(kettle)
    if not kettle.water:
        raise DryKettle(f"kettle {kettle.name} boils dry")
    return kettle  # and here stands a comment that is too long for the width of a narrow screen, which then scrolls"""
RECORDS = [
    {
        "repo": "acme/kettles",
        "slug": "kettle-boils-dry",
        "errorMessage": "kettle {name} boils dry",
        "errorClass": "DryKettle",
        "filePath": "acme/kettle.py",
        "lineNumber": 103,
        "sourceCode": SOURCE,
        "sourceCodeStart": 100,
        "sourceCodeEnd": 104,
        "documentation": "The kettle has no water left.",
        "solutions": ["Switch it off", "Let it cool", "Fill it"],
        "tags": ["kitchen"],
        "kb": {"examples": [{"text": "DryKettle: kettle blue boils dry"}]},
    },
    {"repo": "acme/toasters", "slug": "toast-is-stuck", "errorMessage": "toast is stuck", "documentation": "It is."},
]


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where `kb serve` serves an index of two records."""
    folder = tmp_path / "records"
    folder.mkdir()
    (folder / "all.jsonl").write_text("".join(json.dumps(one) + "\n" for one in RECORDS), encoding="utf-8")
    built = build_index([folder], tmp_path / "index-0123.db")
    assert not built.faults
    command = [sys.executable, "-c", "from kb.cli import main; main()", "serve", "--db", str(built.path), "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        assert server.stderr
        told = [server.stderr.readline()]
        while told[-1] and "Uvicorn running" not in told[-1]:
            told.append(server.stderr.readline())
        found = re.search(r"(http://\S+)/kb/records", told[0])
        assert found, told
        yield found[1]
    finally:
        server.terminate()
        server.communicate(timeout=30)


@pytest.fixture
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not Path(CHROMIUM).exists():
        pytest.skip("chromium is not installed")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


def style(element: Any, name: str) -> str:
    """What the browser computed for a property of an element."""
    return str(element.evaluate("(element, name) => getComputedStyle(element).getPropertyValue(name)", name))


@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 400)])
def test_reader_finds_a_record_and_reads_it(address: str, browser: Any, scheme: str, width: int) -> None:
    """From the menu to the table, by a facet to a record: numbered solutions, the marked line, no network."""
    from playwright.sync_api import expect

    page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
    page.set_default_timeout(20_000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    page.locator("details.nav-menu summary").click()
    page.get_by_role("link", name="Known errors").click()
    expect(page.locator("tbody tr")).to_have_count(2)
    expect(page.locator("td.col-documentation").first).to_be_hidden()

    page.locator("#facet-project").get_by_role("link", name="kettles").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    page.locator("td.col-title").get_by_role("link", name="kettle {name} boils dry").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("kettle {name} boils dry")

    steps = page.locator("ol.kb-steps")
    expect(steps).to_be_visible()
    expect(steps.locator("li")).to_have_text(["Switch it off", "Let it cool", "Fill it"])
    assert style(steps, "list-style-type") == "decimal"
    raised, other = page.locator(".kb-window li.kb-raised"), page.locator(".kb-window li").first
    expect(raised).to_be_visible()
    expect(raised).to_contain_text("raise DryKettle")
    assert style(raised, "background-color") != style(other, "background-color")
    assert style(page.locator(".kb-window ol"), "list-style-type") == "decimal"

    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), (
        "runs over the edge"
    )
    example = page.get_by_text("DryKettle: kettle blue boils dry", exact=True)
    expect(example).to_be_hidden()
    page.get_by_text("Examples (1)").click()
    expect(example).to_be_visible()
    assert asked
    assert all(url.startswith(address) for url in asked), asked
