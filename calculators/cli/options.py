"""Options of the command line: their spelling, the error for one that does not exist, and the files they name."""

import argparse
import difflib
import itertools
import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NoReturn

from calculators import files
from calculators.declare import InputError

BAD_INPUT = 2
_NEVER_EMPTY = frozenset(
    (
        *("--solve", "--for", "--sweep", "--result", "--lines", "--verdict", "--tornado", "--patience", "--explain"),
        *("--xlsx", "--config", "--measured", "--log", "--interval", "--compare-with", "--beside"),
    )
)
# What argparse says of options that it knows, and what to write instead.
_REFUSALS = (
    (re.compile(r"argument ([^/:]+)\S*: not allowed with argument ([^/]+)"), "{1} and {0} cannot be combined"),
    (re.compile(r"argument ([^/:]+)\S*: expected .*argument"), "{0} needs a value: write {0} {value}"),
    (re.compile(r"argument ([^/:]+)\S*: invalid choice: '(.*)' \("), "{0} must be one of {choices}, not “{1}”"),
    (re.compile(r"argument ([^/:]+)\S*: ignored explicit argument '(.*)'"), "{0} takes no value: leave “{1}” out"),
    (re.compile(r"the following arguments are required: (.*)"), "{0} is missing; {prog} --help says what it is"),
)


class OptionParser(argparse.ArgumentParser):
    """Options of a command, spelled out; what is wrong with them is one sentence on standard error."""

    def __init__(self, prog: str, description: str = "", *, add_help: bool = True) -> None:
        super().__init__(prog=prog, description=description, add_help=add_help, allow_abbrev=False)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Options as argparse reads them; one that is nothing without a value is not empty."""
        words = list(args)
        for word, after in itertools.pairwise([*words, "the end"]):
            name, equals, value = word.partition("=")
            if name in _NEVER_EMPTY and not (value if equals else after).strip():
                self.error(f"argument {name}: expected one argument")
        return super().parse_known_args(words, namespace)

    def error(self, message: str) -> NoReturn:
        """Print a sentence about wrong options and leave."""
        sys.stderr.write(f"{self._sentence(message)}\n")
        sys.exit(BAD_INPUT)

    def _sentence(self, message: str) -> str:
        unknown = message.removeprefix("unrecognized arguments: ")
        if unknown != message:
            return "\n".join(unknown_options(self, unknown.split()).values())
        for pattern, sentence in _REFUSALS:
            if found := pattern.match(message):
                option = self._option_string_actions.get(found[1])
                value = option.metavar or "VALUE" if option else "VALUE"
                choices = ", ".join(map(str, option.choices or ())) if option else ""
                return sentence.format(*found.groups(), value=value, choices=choices, prog=self.prog)
        return message


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
