"""One unit's cables: as many as the fabric calculator counts, every port once, each rail on its leaf, long enough."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from builder.pages.amounts import of_result
from calculators.guide.cabling.elevation import NETWORK, Part, elevation, racks
from calculators.guide.cabling.schedule import medium, ordered, path, schedule

CABLES = schedule()
DOWN = [cable for cable in CABLES if cable.a.part.kind == "nodes"]
UP = [cable for cable in CABLES if cable.a.part.kind == "leaves"]


def test_there_are_as_many_cables_as_the_fabric_calculator_counts_for_256_gpus() -> None:
    assert len(DOWN) == of_result("fabric", "node_links", {"gpus": 256}).base
    assert len(UP) == of_result("fabric", "leaf_spine_links", {"gpus": 256}).base


def test_every_port_is_used_once_and_a_switch_has_64() -> None:
    ends = [end.label for cable in CABLES for end in (cable.a, cable.z)]
    assert len(ends) == len(set(ends))
    switches = Counter(end.part.name for cable in CABLES for end in (cable.a, cable.z) if end.part.rack == NETWORK)
    assert set(switches.values()) == {64}
    assert all(end.port in {1, 2} and 1 <= end.cage <= 32 for cable in CABLES for end in (cable.a, cable.z))


def test_adapter_k_of_every_node_goes_to_leaf_k() -> None:
    for cable in DOWN:
        adapter = 2 * (cable.a.cage - 1) + cable.a.port
        assert cable.z.part.name == f"leaf {adapter}"


def test_every_leaf_has_as_many_cables_to_every_spine() -> None:
    pairs = Counter((cable.a.part.name, cable.z.part.name) for cable in UP)
    assert len(pairs) == 32
    assert set(pairs.values()) == {8}  # 32 uplinks over 4 spines


@pytest.mark.parametrize("rack", racks())
def test_nothing_in_a_rack_overlaps_or_sticks_out(rack: str) -> None:
    parts = elevation(rack)
    for lower, upper in pairwise(parts):
        assert lower.highest < upper.lowest
    assert parts[0].lowest >= 1
    assert parts[-1].highest <= 42


def test_a_path_goes_up_along_and_down() -> None:
    low, high = (Part(name="", kind="", rack=rack, lowest=1, units=1) for rack in ("R4", NETWORK))
    # Twice 41 units of 44.45 mm and 0.3 m to the tray, one rack of 0.6 m, and 0.5 m of slack and 0.3 m at each end.
    assert path(low, high, 42) == pytest.approx(2 * (41 * 0.04445 + 0.3) + 0.6 + 2 * 0.8)


def test_a_path_inside_a_rack_does_not_go_to_the_tray() -> None:
    low, high = (Part(name="", kind="", rack=NETWORK, lowest=unit, units=1) for unit in (12, 30))
    assert path(low, high, 42) == pytest.approx(18 * 0.04445 + 1.6)


def test_every_cable_is_ordered_at_least_as_long_as_its_path_and_reaches() -> None:
    for cable in CABLES:
        assert cable.path <= cable.length == ordered(cable.path)
        assert cable.medium == medium(cable.length, twin=cable in UP)
