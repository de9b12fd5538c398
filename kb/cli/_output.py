"""Where results go, and how they may look there."""

import os
import shutil
import sys
from pathlib import Path

from kb.errors import KbError


def write(text: str, output: Path | None) -> None:
    """Print a result, or write it to a file. Raises KbError where the file cannot be written."""
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        output.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise KbError(f"{output} cannot be written ({error.strerror})", "choose another place with -o") from None


def wants_color(choice: str, output: Path | None) -> bool:
    """Whether to colour: as asked, else on a terminal unless NO_COLOR or a dumb one says no."""
    if choice != "auto" or output:
        return choice == "always"
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width(output: Path | None, usual: int, most: int) -> int:
    """Columns to fill: those of the terminal up to `most`, `usual` for everything else."""
    if output is not None or not sys.stdout.isatty():
        return usual
    return min(shutil.get_terminal_size((usual, 24)).columns, most)
