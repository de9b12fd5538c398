"""`py-spy dump --json`: one array of threads a process, several of them perhaps one after the other; the only form that names the
holder of the interpreter lock while it sleeps."""

import json
import re
from typing import Any

from kb.evidence import Evidence, Page
from kb.evidence._stack import MAX_FRAMES, MAX_VALUE, call, is_cut, make_stack
from kb.model.snapshot import Call, Fact, Thread

MAX_ROWS = 400_000
"""Rows of one array: 4,000 threads of 10 frames with ten lines each."""
_NAME = re.compile(r'\s+"thread_name":')
_END = re.compile(r"(?:  )?\},?\s*$")


def parse(page: Page) -> list[Fact]:
    """The stacks of the array that begins here; of one that was cut, the threads that are whole."""
    rows = page.rest(MAX_ROWS)
    text = "\n".join(row.text for row in rows)
    try:
        threads, end = json.JSONDecoder().raw_decode(text)
        used = text.count("\n", 0, end) + 1
    except (ValueError, RecursionError):
        threads, used = _salvaged(text), len(rows)
    if not isinstance(threads, list) or not threads or not all(isinstance(t, dict) and "frames" in t for t in threads):
        return []
    lines = [row.number for row in rows[:used] if _NAME.match(row.text)]
    page.skip(used)
    return list(_stacks(page.file, rows[0].number, threads, lines))


def _salvaged(text: str) -> Any:
    """The threads of a cut array that are complete."""
    ends = [m.end() for m in re.finditer(r"\n  \}", text)]
    if not ends:
        return None
    try:
        return json.loads(text[: ends[-1]] + "]")
    except (ValueError, RecursionError):
        return None


def _stacks(file: str, first: int, threads: list[dict[str, Any]], lines: list[int]) -> list[Fact]:
    by_pid: dict[int | None, list[tuple[int | None, Thread]]] = {}
    for number, raw in enumerate(threads):
        line = lines[number] if number < len(lines) else first
        pid = raw.get("pid")
        thread = _thread(raw, line - first)
        tid = raw.get("os_thread_id")
        by_pid.setdefault(pid if isinstance(pid, int) else None, []).append((tid if isinstance(tid, int) else None, thread))
    return [make_stack("py-spy --json", file, first, found[::-1], pid=pid, trusted=_trusted(pid, found)) for pid, found in by_pid.items()]


def _trusted(pid: int | None, threads: list[tuple[int | None, Thread]]) -> bool:
    return not (len(threads) > 1 and all(t.state == "active" and not t.gil for _, t in threads) and pid not in [n for n, _ in threads])


def _thread(raw: dict[str, Any], at: int) -> Thread:
    frames = raw.get("frames")
    calls = tuple(_call(f) for f in frames[:MAX_FRAMES] if isinstance(f, dict)) if isinstance(frames, list) else ()
    name = raw.get("thread_name")
    holds = raw.get("owns_gil") is True
    state = {True: "active", False: "idle"}.get(raw["active"]) if isinstance(raw.get("active"), bool) else None
    return Thread(name if isinstance(name, str) else None, state, "holds" if holds else None, calls, at, is_cut(calls))


def _call(raw: dict[str, Any]) -> Call:
    file = next((raw[key] for key in ("short_filename", "filename", "module") if isinstance(raw.get(key), str)), "?")
    made = call(str(raw.get("name", "?")), file, raw.get("line") if isinstance(raw.get("line"), int) else None)
    values = raw.get("locals")
    if not isinstance(values, list):
        return made
    shown = tuple((str(v.get("name")), _value(v)) for v in values[:40] if isinstance(v, dict))
    return Call(made.function, made.file, made.line, made.native, shown)


def _value(raw: dict[str, Any]) -> str:
    """A local as printed; a lock without its address is useless, so the address stands in for a missing text."""
    text = raw.get("repr")
    if isinstance(text, str):
        return text[:MAX_VALUE]
    address = raw.get("addr")
    return f"<at {address:#x}>" if isinstance(address, int) else ""


EVIDENCE = Evidence(
    name="py-spy --json",
    starts=r"\[\s*(?:$|\{)",
    parse=parse,
    samples=(
        '[\n  {\n    "pid": 7,\n    "thread_id": 1,\n    "thread_name": "MainThread",\n    "os_thread_id": 7,\n    "active": false,\n'
        '    "owns_gil": true,\n    "frames": [\n      {\n        "name": "f",\n        "filename": "/srv/a.py",\n'
        '        "module": null,\n'
        '        "short_filename": "a.py",\n        "line": 4,\n        "locals": null\n      }\n    ],\n'
        '    "process_info": null\n  }\n]\n',
    ),
    strangers=("[\n  1,\n  2\n]\n", '[{"a": 1}]\n'),
    order=30,
)
