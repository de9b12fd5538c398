"""What is shipped: one top-level package, with ingest and records inside it."""

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_wheel_holds_nothing_but_the_package(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path), str(ROOT)], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("faultbook-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {"kb", f"{'-'.join(wheel.stem.split('-')[:2])}.dist-info"}
    shipped = {name.removeprefix("kb/records/") for name in names if name.startswith("kb/records/")}
    assert shipped == {path.relative_to(ROOT / "records").as_posix() for path in (ROOT / "records").rglob("*") if path.is_file()}
    assert len(names) == len(set(names))
    for wanted in ("kb/ingest/errlookup.py", "kb/py.typed", "kb/web/templates/row.html", "kb/cli/match.py"):
        assert wanted in names
