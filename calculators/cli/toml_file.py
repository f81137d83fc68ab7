"""TOML files on the command line: read, with the file named in every problem, and known keys alone."""

from collections.abc import Callable, Collection
from typing import Any, TypeVar

from calculators.cli.options import read_file
from calculators.declare import InputError
from calculators.problems import listed
from calculators.toml_text import parsed

Read = TypeVar("Read")
_LONGEST = 500_000  # characters, of which a parser in Python reads about 3 in a microsecond
_LONGEST_NAME = 40


def read_as(file: str, read: Callable[[str], Read]) -> Read:
    """Result of `read` for a file's text. Raises InputError, each problem with the file's name."""
    try:
        return read(read_file(file))
    except InputError as error:
        raise InputError({key: f"{file}: {text}" for key, text in error.problems.items()}) from None
    except ValueError as error:
        raise InputError({"file": f"{file}: {error}"}) from None


def tables(text: str, keys: Collection[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Tables of a TOML text, and a problem for each key that is not among `keys`. Raises ValueError."""
    if len(text) > _LONGEST:
        message = f"it has {len(text):,} characters: give inputs and limits alone, in at most {_LONGEST:,}"
        raise ValueError(message)
    try:
        stated = parsed(text)
    except ValueError as error:
        message = f"it is not TOML: {error}"
        raise ValueError(message) from None
    unknown = [key for key in stated if key not in keys]
    return stated, listed(unknown, lambda key: f"unknown key “{key[:_LONGEST_NAME]}”; use {', '.join(keys)}")
