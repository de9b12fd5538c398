"""`python -m kb`: the same as the command."""

from kb.cli import main

main()
