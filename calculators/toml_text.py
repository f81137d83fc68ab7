"""TOML parsed, or the line at which it breaks and what to write there."""

import re
import tomllib
from typing import Any

from calculators import files

_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)")
_LONG_NUMBER = re.compile(r"\d{1000}")
_LONGEST = 40
# What Python's parser says, and what it means for someone who wrote the file.
_MEANINGS = (
    ("digits", "a number has more digits than any value"),
    ("twice|overwrite|[Dd]uplicate|immutable|[Cc]annot", "this name or table is there already: keep one of them"),
    ("[Uu]nterminated|[Uu]nclosed|[Ii]llegal character", "a quotation mark or bracket is not closed"),
    ("table declaration", "a table begins with its name in brackets, such as [limits]"),
)
_OTHERWISE = "this is no line of TOML: write NAME = VALUE, and a text or 1,024 in quotation marks"


class TomlError(ValueError):
    """A text that is not TOML: the line where it breaks, and what to write there."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(f"line {line}: {sentence}")
        self.line, self.sentence = line, sentence


def _line(said: str, lines: list[str]) -> int:
    """The line that the parser names, else the one with a number that is too long, else the last."""
    if at := _AT_LINE.search(said):
        return int(at[1])
    found = (number for number, line in enumerate(lines, 1) if "digits" in said and _LONG_NUMBER.search(line))
    return next(found, max(len(lines), 1))


def parsed(text: str) -> dict[str, Any]:
    """Tables and values of a TOML text. Raises TomlError, and ValueError for a text nested too deep."""
    files.depth_of(text)
    try:
        return tomllib.loads(text)
    except ValueError as error:
        said = str(error)
    lines = text.splitlines()
    line = _line(said, lines)
    meaning = next((meaning for words, meaning in _MEANINGS if re.search(words, said)), _OTHERWISE)
    shown = lines[line - 1].strip() if line <= len(lines) else ""
    short = shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"
    raise TomlError(line, f"“{short}”: {meaning}" if short else meaning)
