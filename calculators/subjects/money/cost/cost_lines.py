"""What owned and rented GPUs cost by line: in full use, idle, lost; so that a purchase is compared with a rent."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from calculators.declare.cost_lines import CostLines
from calculators.units import HOUR, MILLION, YEAR

_IN_USE = "GPUs in full use"
_IDLE, _LOST = "Idle hours", "Lost hours (goodput)"
_STORAGE, _EGRESS, _THROUGHPUT = "Storage", "Egress", "Output tokens/s per GPU"


def _owned(values: Mapping[str, Any]) -> tuple[dict[str, float], dict[str, float]]:
    """What an owner pays for each GPU and used hour: in full use what a rent contains; storage and idle hours."""
    hours = values["gpus"] * YEAR / HOUR
    capital = values["capital"]
    # what a year of each dollar of the purchase costs, with interest and less its sale
    dollar = values["capital_cost"] / capital / hours if capital else 0.0
    if values["operations"] == values["operations_rate"]:
        rates = {
            "support": values["support_rate"],
            "spare parts": values["spares_rate"],
            "staff": values["staff_rate"],
        }
    else:
        rates = {"operations": values["operations"]}
    bundle = {
        "servers": values["servers_price"] * dollar,
        "fabric": values["fabric_price"] * dollar,
        "facility": values["site_price"] * dollar,
        "colocation": values["colocation_cost"] / hours,
        "electricity": values["energy_cost"] / hours,
        **{name: rate * capital / hours for name, rate in rates.items()},
    }
    storage = values["storage_price"] * dollar
    idle = 1 / values["utilization"] - 1  # for each hour used
    return bundle, {_STORAGE: storage, _IDLE: (sum(bundle.values()) + storage) * idle}


def _rented(values: Mapping[str, Any]) -> tuple[dict[str, float], dict[str, float]]:
    """What a tenant pays for each GPU and used hour: the rent; storage, egress and idle hours."""
    hours = values["gpus"] * YEAR / HOUR
    rent = values["mean_rent"] / (1 + values["rent_support"])
    bundle = {"rent": rent, "support": values["mean_rent"] - rent}
    storage, egress = values["yearly_storage_rent"] / hours, values["yearly_egress_cost"] / hours
    used = values["utilization"]
    unused = values["mean_rent"] * max(0, values["commitment"] / used - 1)
    return bundle, {_STORAGE: storage, _EGRESS: egress, _IDLE: unused + (storage + egress) * (1 / used - 1)}


def _lines(values: Mapping[str, Any], *, owned: bool, useful: bool = False, million: bool = False) -> CostLines:
    """Lines of a used GPU-hour, of a useful one, or of a million tokens."""
    bundle, lines = (_owned if owned else _rented)(values)
    if useful:
        lines[_LOST] = (sum(bundle.values()) + sum(lines.values())) * (1 / values["goodput"] - 1)
    return CostLines(
        bundle_label=_IN_USE,
        bundle={name: amount for name, amount in bundle.items() if amount},
        lines=lines,
        scale=MILLION / (values["serving_tokens_per_second_per_gpu"] * HOUR) if million else 1,
        scale_label=_THROUGHPUT if million else "",
    )


COST_LINES = MappingProxyType(
    {
        "own_per_used_hour": partial(_lines, owned=True),
        "rent_per_used_hour": partial(_lines, owned=False),
        "own_per_useful_hour": partial(_lines, owned=True, useful=True),
        "rent_per_useful_hour": partial(_lines, owned=False, useful=True),
        "own_per_million": partial(_lines, owned=True, million=True),
        "rented_per_million": partial(_lines, owned=False, million=True),
    }
)
