"""What would take fewer tiers or let all through: switches with more ports, planes, full bandwidth, fewer nodes."""

from collections.abc import Iterator, Mapping
from math import ceil, floor
from typing import Any

from calculators.subjects.network.fabric.tree import TWO_TIERS

_TWICE = 2.0
_MOST = 4096


def recommendations(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes that may turn a verdict, the cheapest first; none where every verdict is good."""
    if all(values[name].level == "good" for name in ("fits_tiers", "non_blocking")):
        return
    if values["topology"] == "fat_tree" and values["plane_tiers"] > TWO_TIERS:
        yield from _fewer_tiers(values)
    if values["topology"] == "fat_tree" and values["worst_oversubscription"] > 1:
        wanted = {name: 1.0 for name in ("oversubscription", "core_oversubscription") if values[name] > 1}
        if wanted:
            yield "Build it 1:1", wanted
    if values["topology"] != "fat_tree":
        yield "Build a fat tree", {"topology": "fat_tree"}


def _fewer_tiers(values: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What may bring three tiers down to two."""
    packed = ceil(values["plane_endpoints"] / values["leaf_down"])
    if values["rail_optimised"] and packed <= values["spine_radix"]:
        yield "Let rails share leaves", {"rail_optimised": False}
    nodes = floor(values["spine_radix"] / values["plane_rails"]) * values["leaf_down"]
    fewer = nodes * values["gpus_per_node"]
    if fewer >= values["gpus"] * 0.9:
        yield "Stay at {gpus}", {"gpus": float(fewer)}
    if values["switch_radix"] * _TWICE <= _MOST:
        radix = float(values["switch_radix"] * _TWICE)
        yield "Take switches with {switch_radix}", {"switch_radix": radix}
        if values["planes"] == 1:
            changes = {"planes": _TWICE, "plane_kind": "lanes", "switch_radix": radix}
            yield "Split cards over two planes of switches run as {switch_radix}", changes
    if values["planes"] == 1 and values["rails"] > 1:
        yield "Give each rail a plane of its own", {"planes": float(values["rails"]), "plane_kind": "rails"}
