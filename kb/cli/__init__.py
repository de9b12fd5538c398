"""The command line: one file a command, imported only when it is called.

A command file holds one `click.Command` named `command`. Its name on the command line is the file's; `_`-files are none.
"""

import pkgutil
import sys
from importlib import import_module

import click

from kb.errors import KbError

EXIT_TROUBLE = 2


class Commands(click.Group):
    """A group whose commands are the modules of this package."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all command files."""
        return sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now; None when there is none."""
        if not cmd_name.isidentifier() or cmd_name.startswith("_"):
            return None
        try:
            module = import_module(f"{__name__}.{cmd_name}")
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{cmd_name}":
                raise
            return None
        command = module.command
        assert isinstance(command, click.Command)
        return command


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from kb import __version__

        click.echo(f"faultbook {__version__}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version.")
def cli() -> None:
    """Find the error that caused a failing run, and what is known about it.

    Main job: `kb match run.log`. Exit codes are those of grep: 0 something known was found, 1 nothing known was found, 2 trouble.
    """


def main() -> None:
    """The entry point of `kb` and `faultbook`: one line on trouble, never a traceback for what the user can mend."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        sys.exit(cli.main(prog_name="kb", standalone_mode=False) or 0)
    except KbError as error:
        _trouble(str(error))
    except click.ClickException as error:
        _trouble(error.format_message())
    except click.exceptions.Abort:
        _trouble("interrupted")
    except BrokenPipeError:
        _close_stdout()
        sys.exit(EXIT_TROUBLE)
    except MemoryError:
        _trouble("out of memory: read a part of the input")


def _trouble(sentence: str) -> None:
    from kb.text.ansi import printable

    click.echo(f"kb: {printable(' '.join(sentence.split()))}", err=True)
    sys.exit(EXIT_TROUBLE)


def _close_stdout() -> None:
    """Keep the interpreter from flushing into a pipe that nobody reads."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
