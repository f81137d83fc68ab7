"""Recommendations: fewer GPUs, another cooling, more power, a power cap."""

from collections.abc import Iterator, Mapping
from math import floor
from typing import Any

from calculators import units
from calculators.subjects.facility.power.cooling import KINDS, LIMITS

_LOWEST_CAP = 0.7  # of a GPU's maximum; below it a cap costs more time than it saves power


def recommendations(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes that may make the GPUs fit, the cheapest first; none if they do."""
    if values["hall_fits"].level != "bad":
        return
    if 0 < (values["gpus_that_fit"] or 0) < values["gpus"]:
        yield "Install {gpus} only", {"gpus": float(values["gpus_that_fit"])}
    yield from _for_the_rack(values)
    yield from _for_the_supply(values)
    if values["hall_racks_used"] > 1:
        yield "Provide {hall_racks} of rack space", {"hall_racks": float(values["racks"] + values["support_racks"])}


def _for_the_rack(values: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    node, rack = values["node_power"], values["rack_power"]
    carried = min(values["cooling_limit"], values["rack_limit"])
    if max(values["cooling_used"], values["rack_limit_used"]) > 1 and carried >= node:
        yield "Put {nodes_per_rack} in each rack", {"nodes_per_rack": float(floor(carried / node))}
    if values["cooling_used"] > 1:
        yield from ((f"Cool with {KINDS[kind]}", {"cooling": kind}) for kind in KINDS if LIMITS[kind] >= rack)
    if values["rack_limit_used"] > 1:
        yield "Feed each rack {rack_limit}", {"rack_limit": units.rounded_up(rack, "W")}


def _for_the_supply(values: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    if values["hall_power_used"] <= 1:
        return
    spare = values["gpus_power"] - (values["facility_power"] - values["hall_power"]) * (
        values["compute_power"] / values["facility_power"]
    )
    cap = floor(values["gpu_power"] * spare / values["gpus_power"]) if values["gpus_power"] > 0 else 0
    if cap >= values["gpu_power"] * _LOWEST_CAP:
        yield "Cap each GPU at {gpu_power}", {"gpu_power": float(cap)}
    yield "Supply {hall_power}", {"hall_power": units.rounded_up(values["facility_power"], "W")}
