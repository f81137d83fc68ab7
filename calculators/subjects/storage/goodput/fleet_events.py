"""Elsewhere: the same job at its best interval, on as many GPUs, on twice and on eight times as many.

Each result is made of the formulas of goodput themselves, computed once more with other inputs.
"""

from typing import Any

from calculators.declare import AnyFormula, Formula, step
from calculators.subjects.storage.goodput import renewal, spares, tiers
from calculators.subjects.storage.goodput.failures import mtbf

TWICE, EIGHT_TIMES = 2, 8


@step("s", "Checkpoint interval")
def checkpoint_interval(best_interval: float) -> float:
    """Saves as often as is best there."""
    return best_interval


_CHAIN = (mtbf, *renewal.FORMULAS, *tiers.FORMULAS, *spares.FORMULAS)
_AT_BEST = tuple(
    one for name in _CHAIN for one in ((checkpoint_interval, name) if name.name == "interval" else (name,))
)


def _leading_to(result: str) -> tuple[AnyFormula, ...]:
    """The formulas that a result needs at the best interval, in the order in which they are computed."""
    wanted, found = {result}, []
    for formula in reversed(_AT_BEST):
        if formula.name in wanted:
            found.append(formula)
            wanted |= {*formula.needs}
    return tuple(reversed(found))


def _there(name: str, result: AnyFormula, where: str, times: int = 1) -> AnyFormula:
    """The `result` once more, at the best interval for so many `times` the GPUs."""
    chain = _leading_to(result.name)
    computed = {formula.name for formula in chain}
    wired = tuple(dict.fromkeys(need for formula in chain for need in formula.needs if need not in computed))

    def again(*given: Any) -> float:
        known = dict(zip(wired, given, strict=True))
        known["gpus"] *= times
        for formula in chain:
            known[formula.name] = formula.function(*[known[need] for need in formula.needs])
        return float(known[result.name])

    again.__doc__ = f"{result.label} {where}, by the formulas above."
    more = f"gpus={times} * gpus, " if times > 1 else ""
    return Formula(
        name=name,
        role="step",
        function=again,
        unit=result.unit,
        label=f"{result.label} {where}",
        wired=wired,
        written=f"{result.name}({more}checkpoint_interval='the best there')",
    )


_BEST, _ON_TWICE, _ON_EIGHT = "at the best interval", "on twice the GPUs", "on eight times the GPUs"

FORMULAS = (
    _there("goodput_at_best", spares.goodput, _BEST),
    _there("goodput_on_twice", spares.goodput, _ON_TWICE, TWICE),
    _there("goodput_on_eight", spares.goodput, _ON_EIGHT, EIGHT_TIMES),
    _there("stalled_at_best", renewal.stalled_share, _BEST),
    _there("stalled_on_twice", renewal.stalled_share, _ON_TWICE, TWICE),
    _there("stalled_on_eight", renewal.stalled_share, _ON_EIGHT, EIGHT_TIMES),
    _there("lost_at_best", renewal.lost_share, _BEST),
    _there("lost_on_twice", renewal.lost_share, _ON_TWICE, TWICE),
    _there("lost_on_eight", renewal.lost_share, _ON_EIGHT, EIGHT_TIMES),
    _there("down_on_twice", renewal.down_share, _ON_TWICE, TWICE),
    _there("down_on_eight", renewal.down_share, _ON_EIGHT, EIGHT_TIMES),
)
