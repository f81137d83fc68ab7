"""Variants of goodput: the same job at its best interval, on as many GPUs, on 2× and on 8× as many."""

from calculators.declare import AnyFormula, step, variant
from calculators.subjects.storage.goodput import renewal, spares, tiers
from calculators.subjects.storage.goodput.failures import mtbf


@step("s", "Checkpoint interval")
def checkpoint_interval(best_interval: float) -> float:
    """Checkpoint interval, the best one of that state [s]."""
    return best_interval


@step("GPU", "GPUs in the job")
def twice_the_gpus(gpus: float) -> float:
    """Twice the GPUs of the job."""
    return 2 * gpus


@step("GPU", "GPUs in the job")
def eight_times_the_gpus(gpus: float) -> float:
    """Eight times the GPUs of the job."""
    return 8 * gpus


_BEST: dict[str, AnyFormula] = {"checkpoint_interval": checkpoint_interval}
_STATES = (
    ("at_best", "at the best interval", _BEST),
    ("on_twice", "on 2× the GPUs", {**_BEST, "gpus": twice_the_gpus}),
    ("on_eight", "on 8× the GPUs", {**_BEST, "gpus": eight_times_the_gpus}),
)
_RESULTS: dict[str, AnyFormula] = {
    "goodput": spares.goodput,
    "stalled": spares.stalled_share,
    "lost": spares.lost_share,
    "down": spares.down_share,
    "rest": spares.rest_share,
}


def _variants() -> tuple[AnyFormula, ...]:
    through = (mtbf, *renewal.FORMULAS, *tiers.FORMULAS, *spares.FORMULAS)
    return tuple(
        variant(result, changes, name=f"{short}_{state}", label=f"{result.label} {where}", through=through)
        for short, result in _RESULTS.items()
        for state, where, changes in _STATES
    )


FORMULAS = _variants()
