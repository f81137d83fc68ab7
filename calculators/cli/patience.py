"""How long a command searches: it says on a terminal how far it is, and stops when its time is over."""

import math
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from calculators import units
from calculators.answers.explore.search import Search, StoppedError

Found = TypeVar("Found")
USUAL = "20 s"
_EVERY = 1.0  # [s] between two reports


class OutOfTimeError(StoppedError):
    """A search that took too long, with a sentence that says how far it came."""


class Patience:
    """Runs the searches of one command, `seconds` in all."""

    def __init__(
        self,
        option: str,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._option, self._seconds, self._clock, self._screen = option, seconds, clock, sys.stderr
        self._begin = self._reported = clock()
        self.steps = 0

    def run(self, search: Search[Found]) -> Found:
        """Result of a search. Raises OutOfTimeError."""
        return self._run(search, self._seconds)

    def run_whole(self, search: Search[Found]) -> Found:
        """Result of a search without which there is no answer: it takes of the time, and is not stopped."""
        return self._run(search, math.inf)

    def _run(self, search: Search[Found], seconds: float) -> Found:
        try:
            while True:
                next(search.pauses)
                self._step(seconds)
        except StopIteration as end:
            found: Found = end.value
            return found

    def _step(self, seconds: float) -> None:
        self.steps += 1
        now = self._clock()
        if now - self._begin > seconds:
            steps = units.counted(self.steps, "step")
            ended = f"--{self._option} stopped after {seconds:.0f} s and {steps}, before its end"
            advice = "--patience 5min searches longer, a narrower question is quicker"
            raise OutOfTimeError({"patience": f"{ended}; {advice}"})
        if now - self._reported > _EVERY and self._screen.isatty():
            self._reported = now
            self._screen.write(f"\r--{self._option}: {self.steps:,} steps in {now - self._begin:.0f} s \r")
            self._screen.flush()
