"""`kb match`: the main job."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli._options import PathType, knowledge_options, open_knowledge
from kb.cli._output import wants_color, width, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb.model.report import Diagnosis


@click.command()
@click.argument("logs", nargs=-1, metavar="[LOG|DIR|-]...")
@click.option("--one-run", is_flag=True, help="Read all paths as the logs of one run.")
@click.option("-f", "--format", "form", default="text", metavar="NAME", help="text, json, jsonl, markdown or github (default: text).")
@click.option("-o", "--output", type=PathType, metavar="FILE", help="Write the result there instead of to standard output.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colour in text output.")
@click.option("--fail-on", type=click.Choice(["root", "unknown", "any", "never"]), help="Exit 1 when this is found, else 0: a gate for CI.")
@click.option("--summary", type=PathType, metavar="FILE", help="Append a Markdown summary (for GITHUB_STEP_SUMMARY).")
@click.option("--outputs", type=PathType, metavar="FILE", help="Append verdict, root and known (for GITHUB_OUTPUT).")
@click.option("--redact", is_flag=True, help="Take secrets, e-mail addresses and user names out of what is shown.")
@click.option("-v", "--verbose", is_flag=True, help="Show everything, also what is usually cut.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing, only set the exit code.")
@knowledge_options
def command(logs: tuple[str, ...], one_run: bool, form: str, output: Path | None, color: str, fail_on: str | None,
            summary: Path | None, outputs: Path | None, redact: bool, verbose: bool, quiet: bool, db: Path | None,
            records: tuple[Path, ...]) -> None:  # fmt: skip
    """Find the failure in a log and link it to known errors.

    LOG is a file (plain, gzip, bzip2 or xz), or - for standard input, which is also read when it is a pipe and no log is named. A folder,
    a zip or a tar archive is one run whose ranks come from the file names. Several paths are several runs, unless --one-run joins them.
    Exit code 0: something known was found; 1: nothing known; 2: trouble.
    """
    from kb.pipeline import Pipeline
    from kb.registry import load
    from kb.report import Style
    from kb.text.ansi import printable

    paths = list(logs) or _piped()
    try:
        renderer = load("kb.report", "RENDERER", form)
    except LookupError:
        raise click.UsageError(f"no format {form!r}; there are text, json, jsonl, markdown and github") from None
    pipeline = Pipeline(open_knowledge(db, records))
    diagnoses = [pipeline.run(*paths)] if one_run else [pipeline.run(path) for path in paths]
    for name, reason in (each for diagnosis in diagnoses for each in diagnosis.input.unread):
        click.echo(f"kb: {name} is left out: {printable(reason)}", err=True)
    if redact:
        from kb.report.redacted import redacted

        diagnoses = list(map(redacted, diagnoses))
    if not quiet:
        style = Style(wants_color(color, output), width(output, 80, 120), verbose)
        write(renderer.render(diagnoses, style), output)
    if summary:
        _append(summary, load("kb.report", "RENDERER", "markdown").render(diagnoses, Style(verbose=verbose)))
    if outputs:
        from kb.report import github

        _append(outputs, github.render_outputs(github.outputs(diagnoses), _delimiter()))
    sys.exit(_exit_code(diagnoses, fail_on))


def _piped() -> list[str]:
    """Standard input when it is no terminal. Raises UsageError where nothing was named."""
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("name a log, or pipe one in: `kb match run.log`, `… | kb match`")
    return ["-"]


def _append(file: Path, text: str) -> None:
    from kb.errors import KbError

    try:
        with file.open("a", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(text)
    except OSError as error:
        raise KbError(f"{file} cannot be written ({error.strerror})", "name a file that can") from None


def _delimiter() -> str:
    """A line that no log can hold by chance or by intent."""
    import secrets

    return f"kb-{secrets.token_hex(16)}"


def _exit_code(diagnoses: "Sequence[Diagnosis]", fail_on: str | None) -> int:
    """grep's codes, or those of a gate."""
    roots = [d.findings[i] for d in diagnoses for i in d.roots]
    match fail_on:
        case None:
            return 0 if any(d.known for d in diagnoses) else 1
        case "root":
            return int(bool(roots))
        case "unknown":
            return int(any(not root.matches for root in roots))
        case "any":
            return int(any(d.verdict != "clean" for d in diagnoses))
        case _:
            return 0
