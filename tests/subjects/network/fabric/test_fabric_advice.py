"""Advice on a fabric: each piece at its boundary, by hand; nothing where all is good."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from calculators.subjects.network.fabric import recommendations as fabric_advice

GOOD, TIGHT, BAD = (SimpleNamespace(level=level) for level in ("good", "tight", "bad"))

# Two tiers of switches with 64 ports, eight rails on leaves of 32 nodes: all good but one verdict.
FABRIC = {
    "fits_tiers": TIGHT,
    "non_blocking": GOOD,
    "topology": "fat_tree",
    "plane_tiers": 3,
    "worst_oversubscription": 1,
    "oversubscription": 1,
    "core_oversubscription": 1,
    "plane_endpoints": 2100,
    "leaf_down": 32,
    "spine_radix": 64,
    "plane_rails": 7,
    "rail_optimized": True,
    "gpus_per_node": 8,
    "gpus": 2561,
    "switch_radix": 4096,
    "planes": 1,
    "rails": 1,
}
WIDER = {"switch_radix": 100, "planes": 2}


@pytest.mark.parametrize(
    ("changed", "report"),
    [
        ({}, []),
        ({"fits_tiers": GOOD, "rails": 7}, []),
        ({"fits_tiers": GOOD, "non_blocking": BAD, "rails": 7, "plane_tiers": 2}, []),
        ({"topology": "dragonfly"}, [("Build a fat tree", {"topology": "fat_tree"})]),
        # 2,048 ports on leaves of 32 are 64 leaves; 2,049 are 65.
        ({"plane_endpoints": 2048}, [("Let rails share leaves", {"rail_optimized": False})]),
        ({"plane_endpoints": 1024}, [("Let rails share leaves", {"rail_optimized": False})]),
        ({"plane_endpoints": 2049}, []),
        ({"plane_endpoints": 2048, "rail_optimized": False}, []),
        # Nine nodes' worth of seven rails on 64 ports: 288 nodes, 2,304 GPUs, nine tenths of 2,560.
        ({"gpus": 2560}, [("Stay at {gpus}", {"gpus": 2304})]),
        ({"switch_radix": 2048, "planes": 2}, [("Use switches with {switch_radix}", {"switch_radix": 4096})]),
        ({"switch_radix": 2049, "planes": 2}, []),
        (
            {"switch_radix": 100},
            [
                ("Use switches with {switch_radix}", {"switch_radix": 200}),
                (
                    "Split NICs over two planes of switches with {switch_radix}",
                    {"planes": 2, "plane_kind": "lanes", "switch_radix": 200},
                ),
            ],
        ),
        ({"rails": 7}, [("Give each rail its own plane", {"planes": 7, "plane_kind": "rails"})]),
        ({"rails": 7, "planes": 7}, []),
        ({"worst_oversubscription": 1.1}, []),
        (
            {"worst_oversubscription": 3, "oversubscription": 3, "plane_tiers": 2},
            [("Build it 1:1", {"oversubscription": 1})],
        ),
        (
            {"worst_oversubscription": 6, "oversubscription": 3, "core_oversubscription": 2, "plane_tiers": 2},
            [("Build it 1:1", {"oversubscription": 1, "core_oversubscription": 1})],
        ),
        ({"oversubscription": 3}, []),
        (
            {"topology": "dragonfly", "worst_oversubscription": 3, "oversubscription": 3},
            [("Build a fat tree", {"topology": "fat_tree"})],
        ),
    ],
)
def test_a_fabric_is_fixed_by_fewer_tiers_or_more_links(changed: dict[str, Any], report: list[Any]) -> None:
    assert list(fabric_advice.recommendations({**FABRIC, **changed})) == report
