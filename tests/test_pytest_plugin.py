"""`pytest --kb` names the known errors behind failed tests."""

import os
import subprocess
import sys
from pathlib import Path

TEST = """
def test_memory():
    raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.11 GiB")

def test_other():
    assert 1 == 2

def test_fine():
    pass
"""


def run(folder: Path, *options: str) -> str:
    (folder / "test_it.py").write_text(TEST)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=os.environ | {"NO_COLOR": "1"}).stdout


def test_known_errors_are_named_on_request(tmp_path: Path) -> None:
    said = run(tmp_path, "--kb")
    assert "known errors" in said and "test_it.py::test_memory: " in said and "torch/cuda-out-of-memory" in said
    assert "test_it.py::test_other: " not in said
    assert "2 failed, 1 passed" in said


def test_without_the_option_nothing_is_said_or_loaded(tmp_path: Path) -> None:
    assert "known errors" not in run(tmp_path)
