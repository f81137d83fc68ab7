"""Recommendations for fewer tiers or full bisection: more ports per switch, planes, 1:1 uplinks, fewer nodes."""

from collections.abc import Iterator, Mapping
from math import ceil, floor
from typing import Any

from calculators.subjects.network.fabric.tree import TWO_TIERS

_TWICE = 2.0
_MOST = 4096


def recommendations(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes that may improve a verdict, cheapest first; none where every verdict is good."""
    if all(values[name].level == "good" for name in ("fits_tiers", "non_blocking")):
        return
    if values["topology"] == "fat_tree" and values["plane_tiers"] > TWO_TIERS:
        yield from _fewer_tiers(values)
    if values["topology"] == "fat_tree" and values["worst_oversubscription"] > 1:
        full = {name: 1.0 for name in ("oversubscription", "core_oversubscription") if values[name] > 1}
        if full:
            yield "Build it 1:1", full
    if values["topology"] != "fat_tree":
        yield "Build a fat tree", {"topology": "fat_tree"}


def _fewer_tiers(values: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Changes that may reduce three tiers to two."""
    packed = ceil(values["plane_endpoints"] / values["leaf_down"])
    if values["rail_optimized"] and packed <= values["spine_radix"]:
        yield "Let rails share leaves", {"rail_optimized": False}
    nodes = floor(values["spine_radix"] / values["plane_rails"]) * values["leaf_down"]
    fewer = nodes * values["gpus_per_node"]
    if fewer >= values["gpus"] * 0.9:
        yield "Stay at {gpus}", {"gpus": float(fewer)}
    if values["switch_radix"] * _TWICE <= _MOST:
        radix = float(values["switch_radix"] * _TWICE)
        yield "Use switches with {switch_radix}", {"switch_radix": radix}
        if values["planes"] == 1:
            changes = {"planes": _TWICE, "plane_kind": "lanes", "switch_radix": radix}
            yield "Split NICs over two planes of switches with {switch_radix}", changes
    if values["planes"] == 1 and values["rails"] > 1:
        yield "Give each rail its own plane", {"planes": float(values["rails"]), "plane_kind": "rails"}
