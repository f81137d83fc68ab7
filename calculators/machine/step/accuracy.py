"""How far the time of a step was from published runs: by family, and the range that follows for a run."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from calculators import units
from calculators.declare import formulas_of, step

_ROUNDED = 1e-9
_USES = {
    "fit": "among the runs of the fit",
    "left out": "each by a fit without it",
    "chosen on": "one share chosen on them",
    "judged": "not used for any constant",
}


@dataclass(frozen=True, kw_only=True)
class Family:
    """Published runs of one model or source: their number, errors of the calculated speed, and what they served for."""

    name: str
    used: str
    runs: int
    median: float
    within: float
    least: float
    most: float

    @property
    def median_text(self) -> str:
        """The median error."""
        return _signed(self.median)

    @property
    def within_text(self) -> str:
        """Share of its runs within 20%."""
        return units.text(self.within, "share")

    @property
    def least_text(self) -> str:
        """The lowest error."""
        return _signed(self.least)

    @property
    def most_text(self) -> str:
        """The highest error."""
        return _signed(self.most)

    @property
    def used_text(self) -> str:
        """Use of its runs: fit or test."""
        return _USES[self.used]


def _signed(error: float) -> str:
    percent = round(100 * error)
    return "0%" if percent == 0 else f"{percent:+d}%".replace("-", "\N{MINUS SIGN}")


_STATED = tomllib.loads(Path(__file__).with_name("accuracy.toml").read_text("utf-8"))["family"]
# Every family, as `python -m tooling.step_rows write` has written them.
FAMILIES = tuple(Family(**one) for one in _STATED)


@step("share", "Range of the step time")
def speed_range(
    step_range: float, mfu: float, layout_utilization: float, matmul_utilization: float, kernel_utilization: float
) -> float | None:
    """Uncertainty of the step's time either way [share]; nothing where MFU or kernel utilization is given.

    >>> speed_range(0.25, 0.4, 0.4, 0.6, 0.6), speed_range(0.25, 0.4, 0.4, 0.55, 0.6)
    (0.25, None)
    """
    computed = abs(mfu - layout_utilization) <= _ROUNDED * mfu
    return step_range if computed and abs(matmul_utilization - kernel_utilization) <= _ROUNDED else None


@step("s", "Training time, earliest")
def training_duration_at_least(training_duration: float, speed_range: float | None) -> float | None:
    """The run where steps are as fast as the range allows [s]."""
    return None if speed_range is None else training_duration * (1 - speed_range)


@step("s", "Training time, latest")
def training_duration_at_most(training_duration: float, speed_range: float | None) -> float | None:
    """The run where steps are as slow as the range allows [s]."""
    return None if speed_range is None else training_duration * (1 + speed_range)


FORMULAS = formulas_of(globals())
BANDS = {"training_duration": ("training_duration_at_least", "training_duration_at_most")}
