"""What a tenth more of a rate costs, where a price with a source says so; where none does, nothing is guessed."""

from dataclasses import dataclass

from calculators.machine.kinds import Machine
from calculators.machine.rates import MORE

_NONE = {
    "network": "no dated price of these switches and links is known: give theirs",
    "links": "scale-up links are not sold apart from the accelerator",
    "memory_bandwidth": "memory bandwidth is not sold apart from the accelerator",
    "storage_write": "no dated price of a store's bandwidth is known",
    "storage_read": "no dated price of a store's bandwidth is known",
    "failures": "time between failures has no price",
    "recovery": "a quicker recovery is software: it has no price",
}


@dataclass(frozen=True, kw_only=True)
class Price:
    """Dollars, and what they are for; nothing where no price is sourced, and then the words say so."""

    cost: float | None
    words: str


def of_a_tenth(found: Machine, rate: str) -> Price:
    """What a tenth more of this rate costs: compute at the run's own price, a fabric at its switches' and links'."""
    values, origins = found.values, found.resolved.origins
    if rate == "compute":
        price = "price_per_gpu_hour" if values["paid"] == "rent" else "server_price_per_gpu"
        if origins[price] not in {"preset", "yours"}:
            return Price(cost=None, words="refused: no dated price of this accelerator is known: give one")
        return Price(cost=MORE * values[found.kind.measures[1].result], words="more, at the same price for a FLOP")
    if rate == "network" and values["fabric_cost"] is not None:
        return Price(cost=MORE * values["fabric_cost"], words="more switches and links, bought")
    return Price(cost=None, words=f"refused: {_NONE[rate]}")
