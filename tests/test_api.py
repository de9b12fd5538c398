"""The library as others use it."""

from pathlib import Path

import pytest

import kb

LOG = Path(__file__).parent / "runs" / "peer_kill.log"


def test_a_log_by_path_and_by_text() -> None:
    by_path, by_text = kb.match_log(LOG), kb.match_text(LOG.read_text())
    assert by_path.verdict == by_text.verdict == "root-cause"
    assert [by_path.findings[i].event.line for i in by_path.roots] == [36]


def test_trouble_is_a_kb_error(tmp_path: Path) -> None:
    with pytest.raises(kb.KbError, match="no file"):
        kb.match_log(tmp_path / "missing")
    with pytest.raises(kb.KbError, match="no index"):
        kb.match_log(LOG, db=tmp_path / "missing.db")
