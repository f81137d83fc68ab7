"""Records that readers of measured runs return, in base units, and the error for a text that none can read."""

import datetime
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from calculators import files
from calculators.files import shown

# What Python raises where a number, a row or the structure of a file is none
_NOT_AS_WRITTEN = (ValueError, ArithmeticError, TypeError, KeyError, IndexError, AttributeError)
_EPOCH = datetime.datetime(1970, 1, 1)  # noqa: DTZ001  as dates in logs, which state no offset
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d*)?")
_LONGEST_NUMBER = 308  # digits: more are no number of a double
LARGEST = 1e100  # above anything measured, and products of three such numbers are finite
Kind = Literal["read", "write", "metadata", "training"]


class ReadError(ValueError):
    """A text that holds no readable run; the message names the place and what to do."""


@dataclass(frozen=True, kw_only=True)
class StorageRun:
    """Storage result of one direction: rates [B/s, 1/s], mean and 99th-percentile latency [s], and how it was run.

    `nodes` are client nodes, `jobs` tasks per node, `depth` outstanding requests per task, `moved` bytes over all
    nodes; `slowest_node` is the bandwidth of the slowest node [B/s]. None is what the output does not state.
    """

    tool: str
    name: str
    kind: Kind
    nodes: int | None = None
    bandwidth: float | None = None
    rate: float | None = None
    latency: float | None = None
    latency_p99: float | None = None
    request: float | None = None
    is_random: bool = False
    jobs: float | None = None
    depth: float | None = None
    is_direct: bool | None = None
    is_synced: bool | None = None
    is_shared_file: bool = False
    reads_own_data: bool = False
    seconds: float | None = None
    moved: float | None = None
    files_bytes: float | None = None
    slowest_node: float | None = None
    accelerators: int | None = None
    utilization: float | None = None
    may_be_cached: bool = False
    failed: str = ""


def plain_text(text: str) -> str:
    """The text without a byte-order mark. Raises ReadError for a file that is not text."""
    try:
        return files.plain(text)
    except ValueError as error:
        raise ReadError(str(error)) from None


@contextmanager
def reading(place: str = "the file") -> Iterator[None]:
    """Raise ReadError, which names the place, instead of what Python says of a file that no tool wrote."""
    try:
        yield
    except ReadError:
        raise
    except _NOT_AS_WRITTEN:
        message = f"{place} is not as its tool writes it: give the whole file, unchanged"
        raise ReadError(message) from None


def json_of(text: str) -> Any:
    """Parsed JSON. Raises ValueError."""
    files.depth_of(text)
    return json.loads(text, parse_int=whole)


def whole(digits: str) -> int:
    """Number of these digits. Raises ReadError for more of them than any number has."""
    if len(digits) > _LONGEST_NUMBER:
        message = f"a number has {len(digits):,} digits: {digits[:10]}…: give the file as it was written"
        raise ReadError(message)
    return int(digits)


def number(place: str, name: str, stated: Any, *, as_text: bool = True) -> float:
    """A number of zero or more that a file states under `name`, which may be a text. Raises ReadError with `place`."""
    try:
        value = float(stated)
    except (TypeError, ValueError, OverflowError):
        value = -1.0
    if isinstance(stated, bool) or (isinstance(stated, str) and not as_text) or not 0 <= value < LARGEST:
        least = "below 1e100" if LARGEST <= value < float("inf") else "of 0 or more"
        message = f"{place}: {name} must be a number {least}, not {shown(stated)}: give the file as it was written"
        raise ReadError(message)
    return value


def csv_rows(lines: Iterable[str], delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Rows of CSV, each with the number of its last line. Raises ReadError."""
    try:
        yield from files.csv_rows(lines, delimiter, skipinitialspace=True)
    except ValueError as error:
        raise ReadError(str(error)) from None


def count(place: str, name: str, stated: Any) -> int:
    """A whole number of one or more, such as of nodes. Raises ReadError with `place`."""
    found = number(place, name, stated)
    if found < 1 or found % 1:
        message = (
            f"{place}: {name} must be a whole number from 1 on, not {shown(stated)}: give the file as it was written"
        )
        raise ReadError(message)
    return int(found)


def grouped(place: str, name: str, stated: str) -> float:
    """A number whose thousands may be grouped by commas (1,234.5). Raises ReadError for any other comma."""
    return number(place, name, stated.replace(",", "") if _GROUPED.fullmatch(stated) else stated)


def field(place: str, stated: Mapping[str, Any], name: str) -> Any:
    """Value of a record under `name`. Raises ReadError where it does not."""
    if name not in stated:
        message = f"{place} has no {name}: it was cut off, or it is of a version that this reader does not know"
        raise ReadError(message)
    return stated[name]


def by_column(place: str, columns: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    """Cells of a row by their columns. Raises ReadError for a row that is longer or shorter than the head."""
    if len(cells) != len(columns):
        message = f"{place}: this row has {len(cells)} of {len(columns)} columns: copy the whole output"
        raise ReadError(message)
    return dict(zip(columns, cells, strict=True))


def since_1970(date: datetime.datetime) -> float:
    """Seconds from 1970 to a date [s]; a date without an offset is taken as UTC."""
    return date.timestamp() if date.tzinfo else (date - _EPOCH).total_seconds()


def line_of(text: str, position: int) -> int:
    r"""Line number of a position in a text.

    >>> line_of("a\nb", 2)
    2
    """
    return text.count("\n", 0, position) + 1


@dataclass(frozen=True, kw_only=True)
class Step:
    """A logged training step: its number, its time [s], model FLOP/s per GPU and tokens/s per GPU.

    None is what the log does not state. A log prints the mean since the step logged before.
    """

    number: int
    seconds: float | None = None
    flops: float | None = None
    tokens_per_second: float | None = None

    @property
    def pace(self) -> float:
        """Measure that rises with the step's duration: its time [s], or 1 ÷ its rate where no time is stated."""
        if self.seconds is not None:
            return self.seconds
        rate = self.tokens_per_second or self.flops
        return 1 / rate if rate else float("inf")


@dataclass(frozen=True, kw_only=True)
class TrainingRun:
    """A training log: its steps in order, and what it states of the job: tokens per step, memory per GPU [B]."""

    tool: str
    steps: tuple[Step, ...]
    gpus: int | None = None
    sequence_length: int | None = None
    step_tokens: float | None = None
    skipped: int = 0
    memory: float | None = None
