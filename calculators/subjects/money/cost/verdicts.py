"""Verdict: whether owning or renting costs less, and whether that holds where rents move."""

from calculators.declare import Verdict, constraint, formulas_of, verdict

_DECIDED_BELOW, _DECIDED_ABOVE = 0.5, 0.9


@constraint("price_per_gpu_hour", speaks="price_per_gpu_hour=0", silent="")
def rent_for_nothing(price_per_gpu_hour: float) -> str:
    """A rent of 0, compared with which owning never pays."""
    return "" if price_per_gpu_hour > 0 else "A rent of 0 has no break-even: enter what a GPU-hour costs"


def _from_where(share: float) -> str:
    """From which use on owning costs less, and what that means for the decision."""
    if share > 1:
        return "Never at this rent: every hour owned costs {own_per_gpu_hour}, and one rented {mean_rent}"
    if share <= 0:
        return "Committed hours cost more than owning at any utilization"
    text = "Owning costs less from {break_even_utilization} utilization on"
    if share < _DECIDED_BELOW:
        return text + ", which most clusters reach"
    return text + (": utilization decides" if share <= _DECIDED_ABOVE else ", which few clusters reach")


def _said_of(share: float, name: str) -> str:
    return "never" if share > 1 else "from {" + name + "} on" if share > 0 else "always"


@verdict("Own or rent", good="rent_as=rent-h100-aws-p5", tight="")
def own_or_rent(
    own_per_useful_hour: float,
    rent_per_useful_hour: float,
    rent_if_rents_fall: float,
    rent_if_rents_rise: float,
    break_even_utilization: float,
    break_even_if_rents_fall: float,
    break_even_if_rents_rise: float,
) -> Verdict:
    """Cheaper option at this utilization, and whether it remains so with rents 30% lower or higher."""
    owning = own_per_useful_hour <= rent_per_useful_hour
    still = own_per_useful_hour <= rent_if_rents_fall if owning else own_per_useful_hour > rent_if_rents_rise
    lower = _said_of(break_even_if_rents_fall, "break_even_if_rents_fall")
    higher = _said_of(break_even_if_rents_rise, "break_even_if_rents_rise")
    reason = f"{_from_where(break_even_utilization)}. With rents 30% lower {lower}, 30% higher {higher}."
    word = "owning costs less" if owning else "renting costs less"
    return Verdict(level="good" if still else "tight", word=word if still else f"{word}, at this rent", reason=reason)


FORMULAS = formulas_of(globals())
