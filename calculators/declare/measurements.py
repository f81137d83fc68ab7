"""Measurements: the reader's own run compared with the model, as a curve along one input."""

import importlib
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, cast

Reading = Generator[int, None, Any]  # pauses with the characters read so far; returns the run
PASS, INVESTIGATE, NOT_CHECKED, FAIL, NO_LIMIT = "Pass", "Investigate", "Not checked", "Fail", "No limit"
STATES = (FAIL, NOT_CHECKED, INVESTIGATE, PASS, NO_LIMIT)  # the worst first


@dataclass(frozen=True, kw_only=True)
class Reason:
    """Reason why a run may be slow: its symptom, and what to check."""

    name: str
    looks: str
    look_at: str


@dataclass(frozen=True, kw_only=True)
class Point:
    """Measured point: the input's value and the measured result."""

    along: float
    result: float


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A run compared with the model: its points, its share of `best`, and the likely reasons, likeliest first.

    `best` names the result that an unlimited run would approach.
    """

    points: tuple[Point, ...]
    best: str
    share: float
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """Format of benchmark output that can be pasted, and its reader.

    `along` is the input and `result` the result that are drawn; `lines` are further curves, by their labels. `read`
    reads a text, and raises ValueError with a sentence for one that holds no run. `given` returns the inputs that a run
    states; `compare` takes a run and the model's values at a point. `leader` names which line leads at a place: where
    it changes, the curve is marked.
    """

    title: str
    about: str
    pasted: str
    along: str
    result: str
    lines: Mapping[str, Callable[[Mapping[str, Any]], float | None]]
    leader: Callable[[Mapping[str, Any]], str]
    read: Callable[[str], Reading]
    given: Callable[[Any], Mapping[str, str]]
    compare: Callable[[Any, Callable[[float], Mapping[str, Any]]], Compared]


@dataclass(frozen=True, kw_only=True)
class MeasuredResult:
    """A measured figure with the limits that the state sets: it passes, is to investigate, or fails.

    `passing` is what the hardware should deliver and `failing` what the job needs, in the unit's base; without
    `passing` the state has no limit for it. `doubt` says why a figure that passes does not count, or, where it is not
    `comparable`, why none does; `fails` why one does not pass whatever it is.
    """

    name: str
    label: str
    unit: str
    measured: float
    passing: float | None = None
    failing: float | None = None
    at_most: bool = False
    doubt: str = ""
    comparable: bool = True
    fails: str = ""

    @property
    def state(self) -> str:
        """Its state in a word or two.

        >>> MeasuredResult(name="read", label="Read", unit="B/s", measured=95, passing=100, failing=90).state
        'Investigate'
        """
        if not self.comparable:
            return NOT_CHECKED
        if self.fails:
            return FAIL
        if self.passing is None or self.failing is None:
            return NO_LIMIT
        less = self.at_most
        if (self.measured > self.failing) if less else (self.measured < self.failing):
            return FAIL
        if self.doubt:
            return NOT_CHECKED
        best = min(self.passing, self.failing) if less else max(self.passing, self.failing)
        return PASS if (self.measured <= best if less else self.measured >= best) else INVESTIGATE


@dataclass(frozen=True, kw_only=True)
class CheckedRun:
    """A run next to the limits of a state: how it was run, its figures, and the likely reasons, likeliest first."""

    run: str
    results: tuple[MeasuredResult, ...]
    reasons: tuple[Reason, ...]

    @property
    def state(self) -> str:
        """The worst state of its results."""
        return next(one for one in STATES if one in {result.state for result in self.results} | {NO_LIMIT})


@dataclass(frozen=True, kw_only=True)
class RunReader:
    """Formats of measured runs that a calculator reads against its limits; `formats` names them for readers.

    `module` reads them. It is imported when a run comes: on a page by a Python of its own, and the one that answers
    does without it. Its `read` reads a text; `given` returns inputs that a run states, `assumed`, if it has that, those
    that go with a run which does not state them; `check` sets it next to the values of a state. `read` and `check`
    raise ValueError with a sentence that names the place and what to do.
    """

    title: str
    about: str
    formats: str
    module: str

    def read(self, text: str) -> Reading:
        """Read a text, with pauses. Raises ValueError."""
        return cast("Reading", self._module.read(text))

    def given(self, run: Any) -> Mapping[str, str]:
        """Inputs that a run states."""
        return cast("Mapping[str, str]", self._module.given(run))

    def assumed(self, run: Any) -> Mapping[str, str]:
        """Inputs that go with a run which does not state them."""
        return cast("Mapping[str, str]", self._module.assumed(run)) if hasattr(self._module, "assumed") else {}

    def check(self, run: Any, values: Mapping[str, Any]) -> CheckedRun:
        """The run next to the values of a state. Raises ValueError."""
        return cast("CheckedRun", self._module.check(run, values))

    @property
    def _module(self) -> ModuleType:
        return importlib.import_module(self.module)
