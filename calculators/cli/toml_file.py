"""TOML files on the command line: read, with the file named in every problem, and known keys alone."""

import tomllib
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from calculators.cli.options import read_file
from calculators.declare import InputError
from calculators.files import depth_of

Read = TypeVar("Read")


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
    try:
        depth_of(text)
        stated = tomllib.loads(text)
    except ValueError as error:
        what = "a number has more digits than any value" if "digits" in str(error) else error
        message = f"it is not TOML: {what}"
        raise ValueError(message) from None
    return stated, {key: f"unknown key {key!r}; use {', '.join(keys)}" for key in stated if key not in keys}
