"""What a stored TB costs for a month by line, so that storage that is bought is compared with one that is rented."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from calculators.declare.cost_lines import CostLines
from calculators.subjects.storage.data_lifecycle.media import Medium, Owning

_STORED = "Storage itself"
_SMALL = "Minimum object size billed"


def _owned(medium: Medium, owning: Owning) -> CostLines:
    drives = medium.media_price
    system = drives / medium.media_share
    raw = medium.raw_per_stored
    even = owning.month * 12 / medium.refresh  # of the purchase, each year, without interest
    yearly = owning.yearly(medium.refresh)

    def rate(price: float) -> float:
        return price / (owning.month * 12)

    return CostLines(
        bundle_label=_STORED,
        bundle={
            "drives": rate(drives * even),
            "servers and network around them": rate((system - drives) * even),
            "protection and free space": rate(system * (raw - 1) * even),
            "interest": rate(system * raw * (yearly - owning.operations - even)),
            "operations": rate(system * raw * owning.operations),
            "space and power": medium.stored_watts * owning.watt_rate,
        },
    )


def _rented(medium: Medium, held: float, object_size: float) -> CostLines:
    amount = held or 1  # nothing is held: the first price tier
    rent = medium.rent_rate(amount) / amount
    billed = medium.rent_rate(amount * medium.billed_share(object_size)) / amount
    return CostLines(bundle_label=_STORED, bundle={"rent": rent}, lines={_SMALL: billed - rent})


def _lines(values: Mapping[str, Any], *, tier: str) -> CostLines:
    """Lines of a stored byte on a tier [USD/B/s]."""
    medium, owning = values[f"{tier}_tier"], values["owning"]
    if medium.rented:
        return _rented(medium, values[f"{tier}_held"], values["object_size"])
    return _owned(medium, owning)


COST_LINES = MappingProxyType({f"{tier}_tb_month": partial(_lines, tier=tier) for tier in ("hot", "warm", "cold")})
