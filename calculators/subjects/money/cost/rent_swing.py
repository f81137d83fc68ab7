"""The comparison once more with every rent 30% lower and 30% higher."""

from collections.abc import Iterator
from typing import Any

from calculators import facts
from calculators.declare import AnyFormula, step, variant
from calculators.subjects.money.cost.comparison import break_even_utilization
from calculators.subjects.money.cost.renting import rent_per_used_hour, rent_per_useful_hour

SWING = float(facts.fact("rent-swing").value)


@step("USD/GPU-hour", "Mean rent with support")
def lower_rent(mean_rent: float) -> float:
    """Mean rent where every rent is lower."""
    return mean_rent * (1 - SWING)


@step("USD/GPU-hour", "Mean rent with support")
def higher_rent(mean_rent: float) -> float:
    """Mean rent where every rent is higher."""
    return mean_rent * (1 + SWING)


@step("USD/GPU-hour", "Renting, per calendar hour")
def rented_hour(mean_rent: float, commitment: float, utilization: float, beside_the_rent: float) -> float:
    """Cost of renting for each hour of the calendar, storage and egress included."""
    return mean_rent * max(utilization, commitment) + beside_the_rent


def _moved(short: str, result: AnyFormula, **stated: Any) -> Iterator[AnyFormula]:
    for state, sign, rent in (("fall", "−", lower_rent), ("rise", "+", higher_rent)):
        label = f"{result.label}, rents {sign}{SWING:.0%}"
        yield variant(result, {"mean_rent": rent}, name=f"{short}_if_rents_{state}", label=label, **stated)


FORMULAS: tuple[AnyFormula, ...] = (
    *_moved("break_even", break_even_utilization, falls_with=("price_per_gpu_hour",)),
    *_moved("rented_hour", rented_hour),
    *_moved("rent", rent_per_useful_hour, through=(rent_per_used_hour,)),
)
