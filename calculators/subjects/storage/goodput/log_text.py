"""Text of a log: its lines, cells and times, and the error that names a line."""

import datetime
import re
from collections.abc import Iterator
from math import isfinite, nan

from calculators import files
from calculators.measured.record import since_1970

_LATEST = 253_402_300_799  # 9999-12-31 in seconds, as far as dates go; milliseconds of today lie beyond
_QUOTED = re.compile("(“[^”]{60})[^”]+”")
Lines = list[tuple[int, str]]  # those that hold anything, with their numbers in the file


class LogError(ValueError):
    """A log that cannot be read, with its line and what to do; what it quotes is cut."""

    def __init__(self, message: str) -> None:
        super().__init__(_QUOTED.sub(r"\1…”", message))


def log_lines(text: str) -> Lines:
    """The lines that hold anything, with their numbers. Raises LogError for none, and for a file that is not text."""
    try:
        numbered = enumerate(files.plain(text).splitlines(), 1)
    except ValueError as error:
        raise LogError(str(error).capitalize()) from None
    lines = [(number, line) for number, line in numbered if line.strip() and not line.startswith("#")]
    if not lines:
        raise LogError("The log is empty: give time,event lines, or what sacct --parsable2 prints")
    return lines


def cells(lines: Lines, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line, with its number in the file."""
    try:
        for number, row in files.csv_rows((line for _, line in lines), delimiter):
            yield lines[number - 1][0], row
    except files.LongCellError as error:
        raise LogError(str(files.LongCellError(lines[error.line - 1][0])).capitalize()) from None


class Times:
    """Times of one log, all written in one way: a local time and one with an offset cannot be compared."""

    written = ""

    def seconds(self, text: str, line: int) -> float:
        """One of them [s]."""
        try:
            seconds = float(text)
        except ValueError:
            seconds = nan
        if isfinite(seconds) and abs(seconds) <= _LATEST:
            self._as("in seconds", line)
            return seconds
        try:
            date = datetime.datetime.fromisoformat(text)
        except ValueError:
            message = f"Line {line}: “{text}” is not a time; write seconds, or a date such as 2026-11-22T01:30:00"
            raise LogError(message) from None
        self._as("as a date with its offset from UTC" if date.tzinfo else "as a date without an offset", line)
        return since_1970(date)

    def _as(self, written: str, line: int) -> None:
        if self.written not in {"", written}:
            raise LogError(f"Line {line}: this time is written {written}, those above {self.written}: write all alike")
        self.written = written
