"""Options and shared fixtures of the test run."""

from pathlib import Path

import pytest

from kb.pipeline import Pipeline
from kb.store.build import build_index
from kb.store.cache import shipped_records
from kb.store.reader import Index


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update` writes what is derived (the JSON Schema, golden files) anew instead of comparing it."""
    parser.addoption("--update", action="store_true", help="Write generated files anew instead of comparing them.")


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the user's configuration, records or cache."""
    home = tmp_path_factory.mktemp("home")
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home))
    for name in ("KB_DB", "KB_RECORDS", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def shipped_index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """The index of the shipped records."""
    path = tmp_path_factory.mktemp("index") / "kb.db"
    build_index([shipped_records()], path)
    return Index(path)


@pytest.fixture(scope="session")
def pipeline(shipped_index: Index) -> Pipeline:
    """The straight line over the shipped records."""
    return Pipeline(shipped_index)


def compare(golden: Path, text: str, update: bool) -> None:
    """Hold `text` against a golden file, or write it there."""
    if update:
        golden.write_text(text, encoding="utf-8", newline="\n")
    wanted = golden.read_text(encoding="utf-8") if golden.exists() else ""
    assert text == wanted, f"{golden.name} differs: look at the difference, then run pytest --update"
