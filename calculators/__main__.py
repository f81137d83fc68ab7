"""The command line: `python -m calculators` lists the calculators, `python -m calculators NAME --help` their inputs."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from calculators.facts.overlay import VARIABLE, overlay
from calculators.problems import listed

__all__ = ["console", "main"]

_OPTION = "--facts"
_WRONG = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code. Own facts are read first: calculators take them when imported."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    while place := next((at for at, word in enumerate(given) if word.partition("=")[0] == _OPTION), -1) + 1:
        _, equals, path = given.pop(place - 1).partition("=")
        if not equals:
            path = given.pop(place - 1) if place <= len(given) else ""
        if not path:
            sys.stderr.write(f"{_OPTION} needs a value: write {_OPTION} FILE, a TOML or CSV file with your own facts\n")
            return _WRONG
        if not Path(path).is_file():
            sys.stderr.write(f"{_OPTION}: there is no file “{path}”; name a TOML or CSV file with your own facts\n")
            return _WRONG
        if "calculators.catalog" in sys.modules:
            sys.stderr.write(f"{_OPTION}: calculators are imported already; set {VARIABLE} before Python starts\n")
            return _WRONG
        os.environ[VARIABLE] = os.pathsep.join(filter(None, (os.environ.get(VARIABLE), path)))
    try:
        from calculators.cli import main as command_line  # noqa: PLC0415  it imports every calculator
    except Exception as error:
        if not overlay().records:
            raise
        sys.stderr.write(f"{_OPTION}: nothing can be calculated with these facts: {error}\n")
        return _WRONG
    problems = listed(overlay().problems, str)
    sys.stderr.writelines(f"{problem}\n" for problem in problems.values())
    return command_line.main(given)


def console() -> None:
    """Run the command line as an installed command."""
    sys.exit(main())


if __name__ == "__main__":
    console()
