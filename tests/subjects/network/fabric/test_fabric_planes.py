"""Fabrics other than the compute fabric, and the parts of one, by hand."""

from __future__ import annotations

import pytest

from calculators.subjects.network.fabric import bill, planes
from calculators.subjects.network.fabric.tree import TreePorts


def test_one_node_more_needs_a_port_on_every_rail() -> None:
    """704 ports fill 22 leaves of 32; seven more begin a 23rd. 23 x 32 uplinks need 12 spines of 64, in pairs 16."""
    full = planes.LeafCabling(rail_optimized=False, rails=7, endpoints=704, radix=64, reserved=0)
    ports = TreePorts(32, 32, 1, 32, 32, 64)
    assert planes.switches_with_one_more("fat_tree", 76, 100, full, ports, 2) == 2 * (23 + 16)
    assert planes.switches_with_one_more("fat_tree", 76, 100, full._replace(endpoints=697), ports, 2) == 2 * (22 + 16)
    assert planes.switches_with_one_more("dragonfly", 76, 100, full, ports, 2) == 76


def test_a_fabric_without_rails_begins_with_one_switch() -> None:
    """64 ports are one switch; 65 are three leaves of 32, with 96 uplinks on spines that each leaf reaches alike."""
    one, more = planes.plain(64, 64, 1), planes.plain(65, 64, 1)
    assert (one.tiers, one.leaves, one.switches, one.links) == (1, 1, 1, 0)
    assert (more.tiers, more.leaves, more.spines, more.links) == (2, 3, 2, 96)


def test_three_fabrics_draw_what_their_switches_and_modules_draw() -> None:
    """17 switches of 750 W; 190 ports at nodes, three to a module of 9 W, and 910 ends, two to one of 17 W.

    A quarter of the cables are copper, so that three quarters of 570 and 7,735 W are drawn.
    """
    parts = planes.FabricParts(750, 0.25, 2, 17, 3, 9)
    drawn = planes.all_fabric_power(100e3, planes.other_fabrics(10, 300, 100, 7, 250, 90), parts)
    assert drawn == pytest.approx(118_978.75)


def test_modules_are_whole_ones() -> None:
    """Of 7 links to nodes and 5 between switches a quarter is copper: 5.25 links, 12.75 ends."""
    assert bill.nic_modules(7, 0.25, 2) == 3
    assert bill.switch_modules(7, 5, 0.25, 2) == 7
    assert bill.transceivers(3, 7) == 10
    assert bill.optics_power(bill.switch_optics_power(7, 17), bill.nic_optics_power(3, 9)) == 146
    assert bill.fabric_power(bill.switches_power(5, 750), 146) == 3896


def test_links_are_counted_by_tier_and_plane() -> None:
    assert bill.leaf_spine_links("fat_tree", 5, 2, 7, 3) == 105
    assert bill.leaf_spine_links("fat_tree", 5, 1, 7, 3) == 0
    assert bill.leaf_spine_links("dragonfly", 5, 2, 7, 3) == 0
    assert bill.spine_core_links("fat_tree", 5, 3, 7, 3) == 105
    assert bill.spine_core_links("fat_tree", 5, 2, 7, 3) == 0
    assert bill.spine_core_links("slim_fly", 5, 3, 7, 3) == 0
    assert bill.fabric_links("fat_tree", 105, 11, 17, 19, 3) == 116
    assert bill.fabric_links("dragonfly", 105, 11, 17, 19, 3) == 51
    assert bill.fabric_links("slim_fly", 105, 11, 17, 19, 3) == 57
    assert bill.cables(13, 116) == 129
    assert bill.node_links(13, 3, "lanes") == 39
    assert bill.node_links(13, 3, "rails") == 13


def test_switches_are_counted_by_tier_and_plane() -> None:
    assert [bill.leaves(each, 5, 7, 11, 3) for each in ("fat_tree", "dragonfly", "slim_fly")] == [15, 21, 33]
    assert [bill.spines(each, 5, 3) for each in ("fat_tree", "dragonfly", "slim_fly")] == [15, 0, 0]
    assert [bill.cores(each, 5, 3) for each in ("fat_tree", "dragonfly", "slim_fly")] == [15, 0, 0]
    assert bill.switches(5, 3, 2) == 10
    assert [bill.tiers(each, 3) for each in ("fat_tree", "dragonfly", "slim_fly")] == [3, 1, 1]
    assert [bill.path_switches(each, 2) for each in ("fat_tree", "dragonfly", "slim_fly")] == [3, 4, 3]


def test_what_crosses_the_middle_goes_both_ways() -> None:
    """Half of 1,023 ports of 50 GB/s, over three."""
    one_way = bill.bisection_one_way(1023, 50e9, 3)
    assert one_way == pytest.approx(8.525e12)
    assert bill.bisection_both_ways(one_way) == pytest.approx(17.05e12)
    assert bill.crossing_rate_per_gpu(17.05e12, 1000) == pytest.approx(17.05e9)
    assert bill.path_latency(5, 0.5e-6, 2.3e-6) == pytest.approx(4.8e-6)
    assert bill.failed_links_per_day(129, 0.01) == pytest.approx(1.29)
