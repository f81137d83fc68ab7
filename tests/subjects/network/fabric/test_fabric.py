"""The fabric: its edge, every verdict's boundary, advice, its sheets, prices and drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from calculators.answers import answer
from calculators.answers.pictures import drawn
from calculators.declare import InputError
from calculators.subjects.network.fabric import recommendations
from tests.subjects.network.fabric.fabric_state import CALCULATOR, advised, found, judged, reason, sheet, text

if TYPE_CHECKING:
    from collections.abc import Mapping


def test_the_sentence_says_what_2048_gpus_take() -> None:
    assert answer.sentence(CALCULATOR, found()) == (
        "Connecting 2,048 GPUs takes 96 switches in 2 tiers (64 leaf, 32 spine, 0 core), 4,096 cables and "
        "5,120 modules: two tiers, full. "
        "Bisection bandwidth is 51.2 TB/s each way, power 142 kW, link failures 0.0767 links/day."
    )


def test_one_node_more_adds_a_tier_and_more_than_doubles_the_switches() -> None:
    assert reason("fits_tiers") == "No spare ports: one more node raises 96 switches to 232 switches."
    assert (text("switches", gpus=2056), text("tiers", gpus=2056)) == ("232 switches", "3 tiers")


def test_a_full_third_tier_says_so_and_says_that_no_more_join() -> None:
    assert reason("fits_tiers", gpus=65536) == (
        "A third tier is needed. No spare ports: three tiers of this switch connect no more."
    )


@pytest.mark.parametrize(
    ("holds", "exceeds", "message"),
    [
        # 64 leaves on each of 32 x 64 places, rails of 32 nodes: 64 x 32 / 8 rails = 256 leaves of 32 nodes.
        (
            {"gpus": 65536},
            {"gpus": 65537},
            (
                "GPUs in the job must fit three tiers of this switch, which connect at most 8,192 nodes with this "
                "cabling, not 8,193 nodes; use switches with more than 64 ports, or more planes"
            ),
        ),
        # 513 groups of 32 routers with 16 nodes each.
        (
            {"topology": "dragonfly", "gpus": 262656},
            {"topology": "dragonfly", "gpus": 262657},
            (
                "GPUs in the job must fit the 262,656 ports to nodes of these routers, not 262,657 ports; "
                "use more groups, or switches with more than 64 ports"
            ),
        ),
        # 2 x 27 x 27 routers with 21 each.
        (
            {"topology": "slim-fly", "gpus": 30618},
            {"topology": "slim-fly", "gpus": 30619},
            (
                "GPUs in the job must fit the 30,618 ports to nodes of these routers, not 30,619 ports; "
                "use a higher order, or switches with more than 64 ports"
            ),
        ),
        # 32 routers with 16 ports each to other groups, and the group itself.
        (
            {"topology": "dragonfly", "groups": 513},
            {"topology": "dragonfly", "groups": 514},
            (
                "Dragonfly groups must be at most 513, so that each has a link to every other, not 514: "
                "use more global ports per router, or more routers per group"
            ),
        ),
    ],
)
def test_what_cannot_be_built_is_not_counted(holds: dict[str, Any], exceeds: dict[str, Any], message: str) -> None:
    assert found(**holds)["switches"] > 0
    with pytest.raises(InputError) as refused:
        found(**exceeds)
    assert list(refused.value.problems.values()) == [message]


@pytest.mark.parametrize(
    ("given", "level", "word"),
    [
        ({"gpus": 64}, "good", "one switch, full"),
        ({"gpus": 65}, "good", "two tiers"),
        ({}, "good", "two tiers, full"),
        ({"gpus": 2049}, "tight", "three tiers"),
        ({"gpus": 65536}, "tight", "three tiers"),
        ({"topology": "dragonfly", "gpus": 262656}, "good", "nodes fit"),
        ({"topology": "slim-fly", "gpus": 30618}, "good", "nodes fit"),
    ],
)
def test_two_tiers_are_good_and_three_tight(given: dict[str, Any], level: str, word: str) -> None:
    assert judged("fits_tiers", **given) == (level, word)


def test_the_room_that_is_left_is_in_the_reason() -> None:
    assert reason("fits_tiers", gpus=1024) == "These tiers connect at most 256 nodes; this cluster has 128 nodes."


@pytest.mark.parametrize(
    ("given", "level", "word", "message"),
    [
        ({}, "good", "non-blocking", "Bisection bandwidth 51.2 TB/s each way"),
        ({"gpus": 64}, "good", "non-blocking", "All nodes are on one switch."),
        ({"oversubscription": 2}, "tight", "slightly oversubscribed", "At the leaves: 1.91:1"),
        ({"oversubscription": 3}, "bad", "oversubscribed", "At the leaves: 3:1"),
        ({"gpus": 24576, "core_oversubscription": 7}, "bad", "oversubscribed", "Above the pods: 7:1"),
        (
            {"gpus": 24576, "core_oversubscription": 3, "oversubscription": 3},
            "bad",
            "oversubscribed",
            "Leaves and spines together: 9:1",
        ),
        ({"topology": "dragonfly"}, "tight", "slightly oversubscribed", "Between groups: 2:1"),
        ({"topology": "slim-fly"}, "tight", "not checked", "At most 51.2 TB/s each way"),
        # A lone group of 32 routers with 16 nodes each: 16 x 16 links join its halves, for 256 nodes in each.
        ({"topology": "dragonfly", "gpus": 512}, "good", "non-blocking", "Bisection bandwidth"),
    ],
)
def test_what_is_narrow_is_named(given: dict[str, Any], level: str, word: str, message: str) -> None:
    """64 ports at 2:1 are 42 down and 22 up: 1.91; at 3:1 48 and 16; at 7:1 56 and 8."""
    assert judged("non_blocking", **given) == (level, word)
    assert reason("non_blocking", **given).startswith(message)


def test_hpn_s_leaves_count_as_non_blocking_and_what_is_narrower_does_not() -> None:
    pod = {"gpus": 15360, "planes": 2, "switch_radix": 256, "reserved_ports": 8, "ports_per_uplink": 2}
    assert judged("non_blocking", **pod, oversubscription=1.0667) == ("good", "non-blocking")
    assert judged("non_blocking", **pod, oversubscription=1.2) == ("tight", "slightly oversubscribed")


def test_advice_is_silent_where_all_is_good_and_names_what_would_take_fewer_tiers() -> None:
    assert advised() == {}
    beyond = advised(gpus=2056)
    assert beyond["Stay at 2,048 GPUs"] == {"gpus": "2,048"}
    assert beyond["Use switches with 128 ports"] == {"switch_radix": "128"}
    assert advised(gpus=16384)["Give each rail its own plane"] == {"planes": "8", "plane_kind": "rails"}
    assert advised(gpus_per_node=3)["Let rails share leaves"] == {"rail_optimized": "no"}
    assert advised(oversubscription=3)["Build it 1:1"] == {"oversubscription": "1"}
    assert advised(topology="dragonfly")["Build a fat tree"] == {"topology": "fat-tree"}


def test_advice_is_tried_where_it_may_help() -> None:
    def tried(values: Mapping[str, Any]) -> dict[str, Any]:
        return dict(recommendations.recommendations(values))

    assert tried(found(oversubscription=3)) == {"Build it 1:1": {"oversubscription": 1}}  # two tiers are enough
    beyond = found(gpus=2056)
    split = tried(beyond)["Split NICs over two planes of switches with {switch_radix}"]
    assert split == {"planes": 2, "plane_kind": "lanes", "switch_radix": 128}
    assert "Split NICs over two planes of switches with {switch_radix}" not in tried({**beyond, "planes": 2})
    assert "Use switches with {switch_radix}" in tried({**beyond, "switch_radix": 2048})
    assert "Use switches with {switch_radix}" not in tried({**beyond, "switch_radix": 2080})  # none has 4,160 ports


def test_a_price_without_a_dated_source_is_refused_and_one_that_is_typed_counts() -> None:
    assert text("fabric_cost") == "$9M"  # 96 x 83,000 + 2,048 x 504
    assert text("fabric_cost", switch_model="fabric-switch-sn5600") == "no dated price known"
    assert text("fabric_cost", switch_radix=128) == "no dated price known"
    assert text("fabric_cost", switch_radix=128, switch_price=1000) == "no dated price known"
    assert text("fabric_cost", switch_radix=128, switch_price=1000, link_price=0) == "$48,000"


def test_the_bill_lists_three_fabrics_and_refuses_what_has_no_price() -> None:
    bill = {row[0]: row[1:] for row in sheet("bill", storage_oversubscription=1, frontend_oversubscription=1)}
    assert bill["Leaf switches"] == ["64", "16", "16", "96"]
    assert bill["Spine switches"] == ["32", "8", "8", "48"]
    assert bill["Links between switches"] == ["2,048", "512", "512", "3,072"]
    assert bill["Transceivers at switches"] == ["3,072", "768", "768", "4,608"]
    assert bill["Power"] == ["142 kW", "35.6 kW", "35.6 kW", "214 kW"]
    assert bill["Switches and links between them"][:3] == ["$9M", "$2.25M", "no dated price"]
    assert bill["NICs, links to nodes, transceivers"][0] == "no dated price"
    other = {row[0]: row[1:] for row in sheet("bill", storage_radix=128)}
    assert other["Switches and links between them"][:2] == ["$9M", "no dated price"]


def test_the_table_of_steps_shows_the_edge() -> None:
    alone = sheet("edges", gpus_per_node=1)  # one leaf holds 64 of them, and in a tree 32: two more are the next
    assert [row[1] for row in alone[:3]] == ["64 GPUs", "65 GPUs", "66 GPUs"]
    full = "No spare ports: one more node raises 1 switch to 12 switches."  # 8 leaves, 4 spines
    assert reason("fits_tiers", gpus=64) == full
    rows = sheet("edges")
    assert [row[1:4] for row in rows[:2]] == [["64 GPUs", "1", "1 switch"], ["72 GPUs", "2", "12 switches"]]
    assert rows[3][1:5] == ["2,048 GPUs", "2", "96 switches", "4,096 cables"]
    assert rows[4][1:4] == ["2,056 GPUs", "3", "232 switches"]
    assert rows[5][1:4] == ["65,536 GPUs", "3", "5,120 switches"]


def test_ways_of_counting_differ_as_they_are_known_to() -> None:
    ways = {row[0]: row[2] for row in sheet("conventions", gpus=760)}
    assert ways["Spines: rounded up, or to a divisor"] == "12 or 16 switches per plane"
    assert (ways["Bisection one way"], ways["Bisection both ways"]) == ("19 TB/s", "38 TB/s")
    assert ways["Links between switches"] == "768 links"
    assert ways["Twin cables"] == "384 cables between switches"


def test_a_price_has_a_second_source() -> None:
    ways = {row[0]: row[2] for row in sheet("conventions")}
    assert ways["Price of a switch"] == (
        "$7.97M for the switches at $83,000; at the cost sheet's $36,000 to $50,000 per 64-port switch, $3.46M to $4.8M"
    )
    assert "not available" in {row[0]: row[2] for row in sheet("conventions", switch_radix=128)}["Price of a switch"]


@pytest.mark.parametrize(
    ("given", "switches", "cables"),
    [
        # 254 ports of nodes: 8 leaves of 32 and 24; 48 of the store: 4 leaves of 12 and 12; 240 uplinks on 4 spines.
        ({"gpus": 1016, "storage_system_ports": 48, "storage_leaf_ports": 32, "storage_system_leaves": 4}, 16, 542),
        # Without leaves of its own: 302 ports on 10 leaves of 32 and 24; 240 uplinks on 4 spines.
        ({"gpus": 1016, "storage_system_ports": 48, "storage_leaf_ports": 32}, 14, 542),
        # Two of the store's leaves at 24 and 24: 240 uplinks again, on 4 spines.
        ({"gpus": 1016, "storage_system_ports": 48, "storage_leaf_ports": 32, "storage_system_leaves": 2}, 14, 542),
        # No store, so no leaf of its own.
        ({"gpus": 64, "storage_system_leaves": 4}, 1, 16),
    ],
)
def test_the_storage_system_may_have_leaves_of_its_own(given: dict[str, Any], switches: int, cables: int) -> None:
    values = found(**given)
    assert (values["storage_switches"], values["storage_cables"]) == (switches, cables)
    bill = {row[0]: row[2] for row in sheet("bill", **given)}
    assert int(bill["Leaf switches"]) + int(bill["Spine switches"]) == switches


def test_every_switch_is_drawn_or_counted_in_groups_of_so_many() -> None:
    few, many = drawn(CALCULATOR, found(gpus=512)), drawn(CALCULATOR, found(gpus=16384))
    assert few["picture_note"] == "Each block is one."
    assert few["picture"]["2.0"]["width"] == "100.000%"  # 16 leaves, the longest row
    assert few["picture"]["2.block"]["width"] == "6.250%"
    assert few["picture"]["1.0"] == {"x": "25.000%", "width": "50.000%"}  # 8 spines in the middle
    assert many["picture_note"] == "Each block is 8."  # 512 leaves in 64 blocks
    assert many["picture"]["0.0"]["width"] == "50.000%"  # 256 cores
    for gpus, each in ((4096, "one"), (4160, "2")):  # 64 leaves and 65, the longest row
        shown = drawn(CALCULATOR, found(gpus=gpus, rail_optimized="no", switch_radix=128))
        assert shown["picture_note"] == f"Each block is {each}."


def test_a_tier_that_takes_less_than_is_sent_is_marked() -> None:
    plain, narrow = drawn(CALCULATOR, found())["picture"], drawn(CALCULATOR, found(oversubscription=3))["picture"]
    assert (plain["1.narrow"]["width"], narrow["1.narrow"]["width"]) == ("0.000%", narrow["1.links"]["width"])
