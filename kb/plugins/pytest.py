"""`pytest --kb`: what is known of the errors of failed tests, at the end of the run.

Loaded in every pytest of an environment that has faultbook, so it imports nothing of it until the option is given.
"""

from typing import Any


def pytest_addoption(parser: Any) -> None:
    """Add `--kb`."""
    parser.getgroup("faultbook").addoption("--kb", action="store_true", help="Name the known errors behind failed tests.")


def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    """One line for each failed test whose error a record knows, with its first advice."""
    if not config.getoption("--kb"):
        return
    from kb.errors import KbError
    from kb.pipeline import Pipeline
    from kb.store.cache import open_index

    failed = [report for kind in ("failed", "error") for report in terminalreporter.stats.get(kind, ())]
    try:
        pipeline = Pipeline(open_index([])) if failed else None
    except KbError as error:
        terminalreporter.write_line(f"kb: {error}")
        return
    lines = [line for report in failed for line in _told(pipeline, report)]
    if lines:
        terminalreporter.section("known errors")
    for line in lines:
        terminalreporter.write_line(line)


def _told(pipeline: Any, report: Any) -> list[str]:
    from io import BytesIO

    from kb.text.ansi import printable

    text = f"{report.longreprtext}\n{report.capstderr}\n{report.capstdout}"
    diagnosis = pipeline.read(BytesIO(text.encode("utf-8", "backslashreplace")), report.nodeid)
    told = []
    for finding in diagnosis.findings:
        for match in finding.matches[:1]:
            record = diagnosis.records[match.record]
            first = next(iter(record.get("solutions") or ()), "")
            told.append(f"{report.nodeid}: {record['title']} ({match.key}, {match.confidence:.2f})")
            told += [f"    {first}"] if first else []
    return [printable(" ".join(line.split()) if not line.startswith(" ") else line) for line in dict.fromkeys(told)]
