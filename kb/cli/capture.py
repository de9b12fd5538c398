"""`kb capture`: evidence of a hang from live processes."""

import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from kb.cli._options import PathType
from kb.hang.capture.recipes import RECIPES, how

if TYPE_CHECKING:
    from kb.hang.capture.checks import Growth, Symptom
    from kb.hang.capture.choose import Chosen
    from kb.hang.capture.plan import Plan
    from kb.hang.capture.take import Taken

_NOT_HUNG = 1


def _show_recipes(ctx: click.Context, _: click.Parameter, topic: str | None) -> None:
    if topic and not ctx.resilient_parsing:
        click.echo(how(topic), nl=False)
        ctx.exit()


def _ids(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> tuple[int, ...]:
    for word in words:
        if not (word.isascii() and word.isdigit() and 0 < int(word) < 1 << 31):
            raise click.UsageError(f"{word!r} is no process id; to search in command lines: kb capture --name {word}")
    return tuple(map(int, words))


@click.command()
@click.argument("pids", nargs=-1, metavar="[PID]...", callback=_ids)
@click.option("--name", metavar="PATTERN", help="Also every process with this regular expression in its command line.")
@click.option("--children-of", type=click.IntRange(min=1), metavar="PID", help="Also every process below this one.")
@click.option("--native", is_flag=True, help="Also stacks of C and C++ (py-spy --native; pystack or gdb where present).")
@click.option("--samples", type=click.IntRange(1, 100), default=2, show_default=True, help="How often to look: two tell slow from hung.")
@click.option("--interval", type=click.FloatRange(min=0), default=30.0, show_default=True, help="Seconds from one sample to the next.")
@click.option("--log", type=PathType, metavar="FILE", help="The job's log: a growing one means that nothing hangs; read by `kb hang` too.")
@click.option("--dry-run", is_flag=True, help="Show what would be done, do nothing.")
@click.option("-y", "--yes", is_flag=True, help="Ask nothing; capture also what does not look hung.")
@click.option("--how", type=click.Choice(["all", *RECIPES]), is_flag=False, flag_value="all", is_eager=True, expose_value=False,
              callback=_show_recipes, help="Print recipes for clusters and containers.")  # fmt: skip
@click.option("-o", "--output", type=PathType, metavar="DIR", help="A new folder for the evidence (default: kb-capture-HOST-TIME).")
def command(pids: tuple[int, ...], name: str | None, children_of: int | None, dry_run: bool, yes: bool, log: Path | None,
            output: Path | None, **rest: Any) -> None:  # fmt: skip
    """Take evidence of a hang from live processes, then say why they hang.

    It prints what it will do before it does it. /proc is read first; then py-spy looks at each process, pausing it for milliseconds;
    stopped, traced and uninterruptible processes are only read. Every tool has a limit, and afterwards every process is checked to
    stand as it stood. Exit code: that of `kb hang`; 1 also where nothing hangs.
    """
    from kb.hang.capture.choose import choose
    from kb.hang.capture.manifest import check_folder, default_folder
    from kb.hang.capture.plan import shown

    if not pids and name is None and children_of is None:
        raise click.UsageError("name processes: PID..., --name PATTERN or --children-of PID; with --dry-run nothing is done to them")
    began = time.time()
    folder = output or default_folder(began)
    check_folder(folder)
    chosen = choose(pids, name, children_of, os.getpid())
    plan = _plan(chosen, folder, **rest)
    click.echo(shown(plan), err=not dry_run, nl=False)
    if not dry_run:
        several = name is not None and len(chosen.processes) > max(1, len(pids))
        _confirm(len(chosen.processes), several and not yes)
        _run(plan, log, yes, {"pids": list(pids), "name": name, "children_of": children_of, "native": plan.native}, began)


def _plan(chosen: "Chosen", folder: Path, native: bool, samples: int, interval: float) -> "Plan":
    from kb.errors import KbError
    from kb.hang.capture.advice import foreseen, inside, my_rights
    from kb.hang.capture.plan import Plan
    from kb.hang.capture.processes import PROC
    from kb.hang.capture.tools import find_tools

    tools, has_proc, rights = find_tools(), PROC.is_dir(), my_rights()
    if not has_proc and not tools.pyspy:
        raise KbError("there is neither /proc nor py-spy here", "pip install 'faultbook[hang]' (see `kb capture --how`)")
    notes = [] if tools.pyspy else ["py-spy was not found: pip install 'faultbook[hang]' (see `kb capture --how nopyspy`)"]
    notes += [] if has_proc else ["this system has no /proc: states, kernel waits and sockets are left out, py-spy alone looks"]
    notes += ["neither pystack nor gdb was found"] if native and not (tools.pystack or tools.gdb) else []
    refused = [(process.pid, foreseen(process, rights)) for process in chosen.processes]
    notes += [inside(process) for process in chosen.processes if process.inner]
    notes += [f"pid {pid} will probably refuse: {why}" for pid, why in refused if why]
    return Plan(chosen.processes, tools, folder, native, samples, interval, has_proc, chosen.left_out, tuple(notes))


def _confirm(count: int, needed: bool) -> None:
    """A pattern may fit more than was meant: several matches need a word from a person."""
    if not needed:
        return
    if os.environ.get("CI") or sys.stdin is None or not sys.stdin.isatty():
        raise click.UsageError(f"--name fits {count} processes and nobody can be asked: look at the list, then add --yes")
    click.confirm(f"Look at these {count} processes?", abort=True, err=True)


def _run(plan: "Plan", log: Path | None, yes: bool, selectors: dict[str, Any], began: float) -> NoReturn:
    """Look for the symptom, take the evidence, write the manifest, hand over to `kb hang`."""
    from kb import __version__
    from kb.errors import KbError
    from kb.hang.capture.checks import observe
    from kb.hang.capture.manifest import make_folder, make_manifest, write_manifest
    from kb.hang.capture.take import take

    symptoms, growth = observe(plan.processes, log)
    _tell(symptoms, growth)
    if _plainly_not_hung(symptoms, growth) and not yes:
        _say("nothing hangs here, so nothing was attached; --yes captures all the same")
        sys.exit(_NOT_HUNG)
    make_folder(plan.folder)
    _end_tidily()
    try:
        taken, sockets = take(plan, _say)
        write_manifest(plan.folder, make_manifest(plan, taken, sockets, symptoms, growth, selectors, began, __version__))
    except OSError as error:
        raise KbError(f"{plan.folder} cannot be written ({error.strerror})", "choose a place with room with -o") from None
    _explain(taken)
    stopped = sum(one.left_stopped for one in taken)
    _say(f"evidence is in {plan.folder}; " + ("no process was left stopped" if not stopped else f"{stopped} processes are stopped now"))
    _hang(plan.folder, log if growth and growth.bytes else None)


def _end_tidily() -> None:
    """Let a hang-up or a request to end be an interrupt: the tool that runs is ended, and the process it looked at goes on."""

    def interrupt(_: int, __: object) -> NoReturn:
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), interrupt)


def _plainly_not_hung(symptoms: Sequence["Symptom"], growth: "Growth | None") -> bool:
    return bool(growth and growth.grown) or not any(symptom.hung for symptom in symptoms)


def _tell(symptoms: Sequence["Symptom"], growth: "Growth | None") -> None:
    for symptom in symptoms:
        _say(f"pid {symptom.pid} {symptom.words}")
    if growth:
        _say(growth.words)


def _explain(taken: Sequence["Taken"]) -> None:
    from kb.hang.capture.advice import explain, my_rights

    rights = my_rights()
    for one in taken:
        if one.complaint:
            _say(f"pid {one.process.pid}: no stack ({' '.join(one.complaint.split())[:160]})")
            for sentence in explain(one.process, one.complaint, rights):
                _say(sentence)


def _say(sentence: str) -> None:
    from kb.text.ansi import printable

    click.echo(f"kb capture: {printable(sentence)}", err=True)


def _hang(folder: Path, log: Path | None) -> NoReturn:
    from kb.cli.hang import command as hang

    sys.exit(hang.main([str(folder), *([str(log)] if log else [])], prog_name="kb hang", standalone_mode=False) or 0)
