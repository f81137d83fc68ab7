"""The fabric: every caution speaks and is silent, and what cannot be built is refused."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.declare import InputError
from calculators.subjects.network.fabric import warnings
from tests.readers import unfigured
from tests.subjects.network.fabric.asked_fabric import found, warned


@pytest.mark.parametrize(
    ("speaks", "silent", "said"),
    [
        (
            {"gpus": 760},
            {"gpus": 1024},
            (
                "Fewer spines would hold all links, but spines must divide the 32 links of a leaf: "
                "of 16 switches of 64 ports each, some ports stay free."
            ),
        ),
        (
            {"gpus": 2056},
            {"gpus": 4096},
            (
                "The last pod is partly filled: 72 switches in 3 pods of 32 ports each. "
                "No published table shows one; NVIDIA builds whole units and leaves ports unused."
            ),
        ),
        (
            {"gpus": 5120},
            {"gpus": 4096},
            (
                "Fewer cores would hold all links, but they must divide the 32 links of a spine: "
                "pods beyond the present 5 may need no more cores."
            ),
        ),
        (
            {"gpus": 120},
            {"gpus": 128},
            (
                "Each rail has 15 nodes and its leaf 32 ports for them: more than half stay empty. "
                "Rails may share a leaf while the cluster is small."
            ),
        ),
        (
            {},
            {"gpus": 1016},
            (
                "Every leaf is full: a fabric manager has no port. "
                "NVIDIA takes one node out of its smaller units and gives the manager four of the ports."
            ),
        ),
        (
            {"planes": 2, "switch_radix": 128, "port_rate": "800 Gbit/s"},
            {"switch_radix": 128},
            (
                "Every card is split over 2 planes: it carries 400 Gbit/s in each, "
                "and only cards and libraries that use all of them reach 800 Gbit/s."
            ),
        ),
        (
            {"planes": 8, "plane_kind": "rails", "gpus": 16384},
            {"plane_kind": "rails"},
            (
                "No switch joins the 8 planes: what changes rails passes through a node's own links, "
                "and the bisection counts each plane's middle alone."
            ),
        ),
        (
            {"gpus": 24576, "core_oversubscription": 7},
            {"core_oversubscription": 7},
            (
                "Between pods of 1,792 ports only a part passes: all-to-all, tensor and pipeline traffic must stay "
                "inside one, and the scheduler has to know where it ends."
            ),
        ),
        (
            {"topology": "dragonfly"},
            {},
            (
                "Shortest paths are few here: without adaptive routing over detours, which few switches offer, "
                "unlucky traffic gets a fraction of these figures."
            ),
        ),
        (
            {"topology": "slim-fly", "slim_fly_order": 28},
            {"topology": "slim-fly", "slim_fly_order": 27},
            (
                "No graph of order 28 can be built: the order must be a power of a prime, "
                "and not twice an odd number. Counts of such orders, DeepSeek's 28 too, are interpolated."
            ),
        ),
        (
            {"switch_model": "fabric-switch-q3400"},
            {"switch_model": "fabric-switch-sn5600"},
            (
                "747 W are those of a switch of 64 ports at 400 Gbit/s; one of 144 ports at 800 Gbit/s "
                "draws more: put its own."
            ),
        ),
    ],
)
def test_each_caution_speaks_and_is_silent(speaks: dict[str, Any], silent: dict[str, Any], said: str) -> None:
    assert said in warned(**speaks)
    assert unfigured(said) not in map(unfigured, warned(**silent))


@pytest.mark.parametrize(
    ("wrong", "right", "said"),
    [
        (
            {"reserved_ports": 63},
            {"reserved_ports": 62},
            (
                "Ports kept free on a leaf must leave one for a node and 1 port for an uplink "
                "of the 64 ports there are, not 63 ports"
            ),
        ),
        (
            {"planes": 9, "plane_kind": "rails"},
            {"planes": 8, "plane_kind": "rails"},
            "Planes must be at most one for each compute port of a node, where each joins some rails, not 9",
        ),
        (
            {"planes": 17, "plane_kind": "rails", "nics_per_gpu": 2},
            {"planes": 16, "plane_kind": "rails", "nics_per_gpu": 2},
            "Planes must be at most one for each compute port of a node, where each joins some rails, not 17",
        ),
        (
            {"topology": "dragonfly", "hosts_per_router": 18},
            {"topology": "dragonfly", "hosts_per_router": 17},
            "Topology: its routers would use 65 ports, and a switch has 64 ports",
        ),
    ],
)
def test_what_cannot_be_built_is_refused(wrong: dict[str, Any], right: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as refused:
        found(**wrong)
    assert list(refused.value.problems.values()) == [said]
    assert found(**right)["switches"] > 0


@pytest.mark.parametrize(
    ("given", "about", "silent"),
    [
        ({"storage_leaf_ports": 38}, "storage_leaf_ports", {"storage_leaf_ports": 36}),
        ({"nics_per_gpu": 0.1}, "nics_per_gpu", {"nics_per_gpu": 0.125}),
        ({"store_ports": 48, "store_leaves": 1}, "store_leaves", {"store_ports": 32, "store_leaves": 1}),
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
        # Five pods of 32 spines' uplinks are three cores of 64 each, of which 32 asks for four.
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
        ("cards_must_use_all_planes", [(2, "lanes")], [(1, "lanes"), (2, "rails")]),
        ("planes_are_islands", [(2, "rails")], [(1, "rails"), (2, "lanes")]),
        ("narrow_above_the_pods", [(TREE, 3, 1.1)], [(TREE, 3, 1), (TREE, 2, 1.1), (TREE, 1, 1.1), (FLAT, 3, 1.1)]),
        ("needs_adaptive_routing", [(FLAT,), ("slim_fly",)], [(TREE,)]),
        ("no_such_slim_fly", [("slim_fly", 28)], [("slim_fly", 27), (FLAT, 28)]),
        (
            "switch_watts_of_another",
            [(747, 64, 51e9), (747, 65, 50e9)],
            [(747, 64, 50e9), (748, 65, 50e9), (746, 65, 50e9), (747, 32, 50e9)],
        ),
    ],
)
def test_a_caution_turns_at_its_boundary(
    name: str, speaks: list[tuple[Any, ...]], silent: list[tuple[Any, ...]]
) -> None:
    (formula,) = (one for one in warnings.FORMULAS if one.name == name)
    assert [given for given in speaks if not formula.function(*given)] == []
    assert [given for given in silent if formula.function(*given)] == []
