"""The fabric: warnings at their boundaries, and what cannot be built is refused."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.declare import InputError
from calculators.subjects.network.fabric import warnings
from tests.subjects.network.fabric.fabric_state import found


def test_planes_by_rails_are_at_most_the_ports_of_a_node() -> None:
    with pytest.raises(InputError):
        found(planes=17, plane_kind="rails", nics_per_gpu=2)
    assert found(planes=16, plane_kind="rails", nics_per_gpu=2)["switches"] > 0


@pytest.mark.parametrize(
    ("given", "about", "silent"),
    [
        ({"storage_leaf_ports": 38}, "storage_leaf_ports", {"storage_leaf_ports": 36}),
        (
            {"storage_system_ports": 48, "storage_system_leaves": 1},
            "storage_system_leaves",
            {"storage_system_ports": 32, "storage_system_leaves": 1},
        ),
    ],
)
def test_ports_must_suffice_for_what_is_plugged_in(given: dict[str, Any], about: str, silent: dict[str, Any]) -> None:
    with pytest.raises(InputError) as refused:
        found(**given)
    assert list(refused.value.problems) == [about]
    assert found(**silent)["storage_switches"] > 0


@pytest.mark.parametrize(
    "given",
    [
        {"gpus": 1},
        {"gpus": 10007, "gpus_per_node": 7},
        {"switch_radix": 8, "gpus": 128},
        {"switch_radix": 31, "gpus": 509},
        {"switch_radix": 4096},
        {"nics_per_gpu": 0.3, "gpus": 17},
        {"oversubscription": 0.25},
        {"core_oversubscription": 0.25, "gpus": 24576},
        {"planes": 3, "plane_kind": "rails", "gpus": 16384},
        {"ports_per_uplink": 4, "switch_radix": 8, "gpus": 8},
        {"storage_ports_per_node": 0, "frontend_ports_per_node": 0},
        {"topology": "slim-fly", "switch_radix": 8, "gpus": 54},
    ],
)
def test_odd_sizes_have_ports_for_every_link(given: dict[str, Any]) -> None:
    """However odd, a leaf has no more ports in use than it has, and spines have a port for every uplink of theirs."""
    values = found(**given)
    used = values["leaf_down"] + values["leaf_up"] * values["ports_per_uplink"] + values["reserved_ports"]
    assert used <= values["switch_radix"]
    if values["topology"] == "fat_tree" and values["plane_tiers"] > 1:
        down = values["spine_radix"] if values["plane_tiers"] == 2 else values["spine_down"]
        assert values["plane_spines"] * down >= values["plane_leaves"] * values["leaf_up"]
        assert values["plane_leaves"] * values["leaf_down"] >= values["plane_endpoints"]


TREE, FLAT = "fat_tree", "dragonfly"


@pytest.mark.parametrize(
    ("name", "speaks", "silent"),
    [
        # Of 23 leaves 736 uplinks fill eleven spines and a half: twelve would hold them, of sixteen four are beyond.
        (
            "spines_rounded_up",
            [(TREE, 2, 23, 16, 32, 64), (TREE, 2, 23, 13, 32, 64), (TREE, 2, 24, 13, 32, 64)],
            [(TREE, 2, 23, 12, 32, 64), (TREE, 3, 23, 16, 32, 64), (FLAT, 2, 23, 16, 32, 64)],
        ),
        # Five pods of 32 spines' uplinks are three cores of 64 each, of which 32 needs four.
        (
            "cores_rounded_up",
            [(TREE, 3, 5, 32, 64)],
            [
                (TREE, 3, 4, 32, 64),
                (TREE, 2, 5, 32, 64),
                (TREE, 1, 5, 32, 64),
                (FLAT, 3, 5, 32, 64),
                (FLAT, 2, 5, 32, 64),
            ],
        ),
        (
            "pod_partly_filled",
            [(TREE, 3, 95, 3, 32)],
            [(TREE, 3, 96, 3, 32), (TREE, 2, 95, 3, 32), (TREE, 1, 95, 3, 32), (FLAT, 3, 95, 3, 32)],
        ),
        (
            "leaves_half_empty",
            [(TREE, True, 2, 15, 32), (TREE, True, 2, 1, 32)],
            [
                (TREE, True, 2, 16, 32),
                (TREE, True, 2, 31, 32),
                (TREE, False, 2, 15, 32),
                (TREE, True, 1, 15, 32),
                (FLAT, True, 2, 15, 32),
            ],
        ),
        (
            "no_port_for_the_manager",
            [(TREE, 2, 64, 32, 0), (TREE, 3, 32, 32, 0)],
            [(TREE, 2, 63, 32, 0), (TREE, 2, 64, 32, 1), (TREE, 1, 64, 32, 0), (FLAT, 2, 64, 32, 0)],
        ),
        ("nics_must_use_all_planes", [(2, "lanes")], [(1, "lanes"), (2, "rails")]),
        ("planes_are_islands", [(2, "rails")], [(1, "rails"), (2, "lanes")]),
        ("narrow_above_the_pods", [(TREE, 3, 1.1)], [(TREE, 3, 1), (TREE, 2, 1.1), (TREE, 1, 1.1), (FLAT, 3, 1.1)]),
        ("needs_adaptive_routing", [(FLAT,), ("slim_fly",)], [(TREE,)]),
        ("no_such_slim_fly", [("slim_fly", 28)], [("slim_fly", 27), (FLAT, 28)]),
        (
            "switch_power_of_another",
            [(747, 64, 51e9), (747, 65, 50e9)],
            [(747, 64, 50e9), (748, 65, 50e9), (746, 65, 50e9), (747, 32, 50e9)],
        ),
    ],
)
def test_a_warning_turns_at_its_boundary(
    name: str, speaks: list[tuple[Any, ...]], silent: list[tuple[Any, ...]]
) -> None:
    (formula,) = (one for one in warnings.FORMULAS if one.name == name)
    assert [given for given in speaks if not formula.function(*given)] == []
    assert [given for given in silent if formula.function(*given)] == []
