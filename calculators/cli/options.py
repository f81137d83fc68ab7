"""Options of the command line: their spelling, the error for one that does not exist, and the files they name."""

import argparse
import difflib
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from calculators import files
from calculators.declare import InputError

BAD_INPUT = 2


def flag(name: str) -> str:
    """The option of an input, menu or table: "--write-bandwidth"."""
    return "--" + name.replace("_", "-")


def did_you_mean(word: str, known: Collection[str]) -> str:
    """The known word nearest to this one, as a question; nothing where none is near.

    >>> did_you_mean("chekpoint", ["checkpoint", "goodput"])
    ' (did you mean checkpoint?)'
    """
    near = difflib.get_close_matches(word, known, n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def unknown_options(parser: argparse.ArgumentParser, words: Sequence[str]) -> dict[str, str]:
    """A sentence for each option that the parser does not know, or for words that follow no option."""
    known = list(parser._option_string_actions)  # noqa: SLF001  the parser lists its options nowhere else
    given = [word.partition("=")[0] for word in words if word[:1] == "-"]
    found = {
        one: f"unknown option {one}{did_you_mean(one, known) or f'; {parser.prog} --help lists them'}" for one in given
    }
    return found or {word: f"“{word}” follows no option; {parser.prog} --help lists them" for word in words}


def read_file(file: str) -> str:
    """The text of a file. Raises ValueError with a sentence where there is none."""
    try:
        return files.decoded(Path(file).read_bytes())
    except OSError as error:
        message = f"it cannot be read: {(error.strerror or str(error)).lower()}"
        raise ValueError(message) from None


def refused(error: InputError) -> int:
    """Every problem on a line of its own on standard error; the exit code for input that is wrong."""
    sys.stderr.writelines(f"{problem}\n" for problem in error.problems.values())
    return BAD_INPUT
