"""The house rules that a machine can hold: who imports whom, how long files are, what the match path loads."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
           for path in [*(ROOT / "kb").rglob("*.py"), *(ROOT / "ingest").rglob("*.py")] if "kb/ingest" not in path.as_posix()}  # fmt: skip

MAY_IMPORT = {
    "kb.model": set(), "kb.text": set(), "kb.errors": set(), "kb.settings": set(), "kb.registry": set(),
    "kb.read": {"kb.model", "kb.text", "kb.formats", "kb.traces"},
    "kb.formats": {"kb.model", "kb.text"},
    "kb.traces": {"kb.model", "kb.text"},
    "kb.evidence": {"kb.model", "kb.text"},
    "kb.match": {"kb.model", "kb.text"},
    "kb.diagnose": {"kb.model", "kb.text", "kb.match"},
    "kb.hang": {"kb.model", "kb.text"},
    "kb.report": {"kb.model", "kb.text"},
    "kb.store": {"kb.model", "kb.text"},
    "kb.export": {"kb.model", "kb.store", "kb.text"},
    "ingest": {"kb.model", "kb.text", "kb.store", "kb.ingest", "kb.export"},
}  # fmt: skip
EVERYBODY = {"kb.errors", "kb.settings", "kb.registry", "kb.__version__"}
ALONE = {"sqlite3": ("kb.store", "kb.web"), "rapidfuzz": ("kb.match", "kb.cli"), "datasette": ("kb.web", "kb.cli.serve"),
         "sqlite_utils": ("kb.store",), "pydantic": ("kb.model.record", "kb.store", "kb.web", "ingest", "kb.export", "kb.cli")}  # fmt: skip


def imports(path: Path) -> set[str]:
    """Full names of everything that a file imports, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def room(module: str) -> str:
    parts = module.split(".")
    return "ingest" if parts[0] == "ingest" else ".".join(parts[:2])


@pytest.mark.parametrize("path", MODULES, ids=MODULES.get)
def test_rooms_import_only_what_they_may(path: Path) -> None:
    module = MODULES[path]
    allowed = MAY_IMPORT.get(room(module))
    if allowed is None:  # pipeline, cli, web, plugins: anything
        return
    for name in imports(path):
        if name.startswith("kb."):
            assert room(name) in {*allowed, *EVERYBODY, room(module)}, f"{module} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=MODULES.get)
def test_libraries_are_known_where_they_belong(path: Path) -> None:
    for name in imports(path):
        owners = ALONE.get(name.split(".")[0])
        assert owners is None or MODULES[path].startswith(owners), f"{MODULES[path]} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=MODULES.get)
def test_files_and_functions_are_short_and_have_docstrings(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert text.count("\n") <= 350, f"{MODULES[path]} is two ideas"
    assert not text.strip() or ast.get_docstring(tree), "say what the file is for"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, f"{node.name} is too long"


HEAVY = ("pydantic", "sqlite_utils", "datasette", "rich", "jinja2", "yaml", "numpy", "asyncio", "tomllib", "hypothesis")


def test_the_match_path_is_light(tmp_path: Path) -> None:
    """Once the index is there, matching imports neither pydantic, sqlite-utils, datasette nor rich."""
    code = ("import sys, json\nfrom kb.cli import cli\nsys.argv = ['kb']\n"
            "try:\n    cli.main(['match', {log!r}, '-o', {out!r}], standalone_mode=False)\nexcept SystemExit:\n    pass\n"
            "print(json.dumps(sorted(sys.modules)))")  # fmt: skip
    log = str(ROOT / "tests" / "runs" / "peer_kill.log")
    for _ in range(2):  # the first call builds the index
        done = subprocess.run([sys.executable, "-c", code.format(log=log, out=str(tmp_path / "out"))], capture_output=True, check=True)
    loaded = {name.split(".")[0] for name in json.loads(done.stdout.splitlines()[-1])}
    assert not loaded & set(HEAVY), sorted(loaded & set(HEAVY))


def test_the_index_versions_agree() -> None:
    from kb.store.reader import INDEX_VERSION
    from kb.store.schema import VERSION

    assert INDEX_VERSION == VERSION
