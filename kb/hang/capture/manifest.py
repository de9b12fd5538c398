"""The record of a capture: what was meant, what was run, what came of it, and that everybody stands as before."""

import json
import os
import platform
import re
import socket
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kb.errors import KbError
from kb.hang.capture.checks import Growth, Symptom, state_words
from kb.hang.capture.plan import Plan
from kb.hang.capture.take import Step, Taken

NAME = "manifest.json"
SCHEMA_VERSION = 1


def default_folder(now: float) -> Path:
    """`kb-capture-HOST-TIME` in the current folder; `now` in seconds since 1970, the name in UTC."""
    host = re.sub(r"[^\w.-]+", "-", socket.gethostname()) or "host"
    return Path(f"kb-capture-{host}-{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now))}")


def check_folder(folder: Path) -> None:
    """Raises KbError where the folder could not be written to: it must be new or empty."""
    if folder.exists() and not folder.is_dir():
        raise KbError(f"{folder} is no folder", "name a new one with -o")
    if folder.is_dir() and any(folder.iterdir()):
        raise KbError(f"{folder} is not empty", "evidence of two captures must not mix: name a new folder with -o")


def make_folder(folder: Path) -> None:
    """Make the folder, readable by its owner only: stacks and command lines are private. Raises KbError where that fails."""
    check_folder(folder)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise KbError(f"{folder} cannot be made ({error.strerror})", "choose a place you may write to with -o, such as /tmp/hang") from None


def make_manifest(plan: Plan, taken: Sequence[Taken], sockets: Sequence[Step], symptoms: Sequence[Symptom], log: Growth | None,
                  selectors: dict[str, Any], began: float, version: str) -> dict[str, Any]:  # fmt: skip
    """The manifest as plain values; times are UTC, durations seconds."""
    words = {symptom.pid: symptom for symptom in symptoms}
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "faultbook", "version": version},
        "host": socket.gethostname(),
        "system": platform.system(),
        "kernel": platform.release(),
        "began": _utc(began),
        "ended": _utc(time.time()),
        "selectors": selectors,
        "samples": plan.samples,
        "interval": plan.interval,
        "log": {"path": log.path, "bytes": log.bytes, "grown": log.grown, "idle_seconds": round(log.idle, 1)} if log else None,
        "left_out": [{"pid": pid, "why": why} for pid, why in plan.left_out],
        "notes": list(plan.notes),
        "processes": [_process(one, words.get(one.process.pid)) for one in taken],
        "sockets": [_step(step) for step in sockets],
    }


def write_manifest(folder: Path, manifest: dict[str, Any]) -> Path:
    """The path of the manifest, which is there whole or not at all."""
    path, draft = folder / NAME, folder / f".{NAME}.part"
    with draft.open("w", encoding="utf-8", newline="\n") as stream:
        json.dump(manifest, stream, indent=1, ensure_ascii=False)
        stream.write("\n")
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(path)
    return path


def _process(one: Taken, symptom: Symptom | None) -> dict[str, Any]:
    process = one.process
    return {
        "pid": process.pid,
        "pid_inside": process.inner,
        "rank": process.rank,
        "rank_known_by": process.rank_by or None,
        "variables": dict(process.variables),
        "user": process.user,
        "command": process.command,
        "symptom": symptom.words if symptom else None,
        "cpu": round(symptom.cpu, 3) if symptom else None,
        "state_before": state_words(process),
        "state_after": state_words(one.after),
        "left_stopped": one.left_stopped,
        "resumed_by_us": one.resumed,
        "files": one.files,
        "tools": [_step(step) for step in one.steps],
    }


def _step(step: Step) -> dict[str, Any]:
    ran = step.ran
    return {
        "sample": step.sample,
        "command": " ".join(ran.command),
        "exit_code": ran.code,
        "seconds": ran.seconds,
        "file": step.file,
        "error": " ".join(f"{ran.killed}: {ran.error}".strip(": ").split())[:600] or None,
    }


def _utc(moment: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))
