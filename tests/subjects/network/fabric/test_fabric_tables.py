"""The sheets of a fabric: the bill, the sizes at which it steps and the ways of counting, by hand."""

from __future__ import annotations

from tests.subjects.network.fabric.fabric_state import sheet

# 125 nodes: 1,000 ports on 32 leaves of 32 and 32, 250 ports of the store and 250 of the front end. A quarter of the
# cables are copper, a module at a switch ends two of the others.
ASKED = {
    "gpus": 1000,
    "storage_oversubscription": 1,
    "frontend_oversubscription": 2,
    "cables_copper_share": 0.25,
    "ports_per_module": 2,
    "ports_per_nic_module": 1,
    "switch_power": 750,
    "module_power": 17,
    "nic_module_power": 9,
}


def test_the_bill_counts_modules_and_watts_of_each_fabric() -> None:
    bill = {row[0]: row[1:] for row in sheet("bill", **ASKED)}
    assert bill["Leaf switches"] == ["32", "8", "6", "46"]
    assert bill["Core switches"] == ["0", "0", "0", "0"]
    assert bill["Links to nodes"] == ["1,000", "250", "250", "1,500"]
    # Eight leaves of 32 and 32 have 256 uplinks; six of 42 and 22 have 132.
    assert bill["Links between switches"] == ["1,024", "256", "132", "1,412"]
    # Three quarters of 1,000 and 250; of 1,000 + 2,048, 250 + 512 and 250 + 264 ends, two to a module.
    assert bill["Transceivers at nodes"] == ["750", "188", "188", "1,126"]
    assert bill["Transceivers at switches"] == ["1,143", "286", "193", "1,622"]
    # 48, 12 and 17 switches of 750 W, and 17 and 9 W a module: 62,181, 15,554 and 17,723 W.
    assert bill["Power"] == ["62.2 kW", "15.6 kW", "17.7 kW", "95.5 kW"]
    # 12 x 83,000 $ and 256 links of 504 $.
    assert bill["Switches and links between them"] == ["$4.5M", "$1.13M", "no dated price", "–"]
    assert bill["NICs, links to nodes, transceivers"] == ["no dated price"] * 3 + ["–"]


def test_a_price_of_the_storage_fabric_needs_both_prices_and_the_same_switch() -> None:
    def report(**given: object) -> str:
        return {row[0]: row[2] for row in sheet("bill", **ASKED, **given)}["Switches and links between them"]

    assert report(switch_price=1000, link_price=0) == "$12,000"
    assert report(storage_radix=128) == "no dated price"
    assert report(switch_radix=128, switch_price=1000) == "no dated price"


def test_sizes_step_with_their_cables_and_switches_for_each_node() -> None:
    """Nine nodes: eight leaves with 32 uplinks each, four spines, 72 + 256 cables."""
    rows = sheet("edges", **ASKED)
    assert rows[0] == ["Largest with one switch", "64 GPUs", "1", "1 switch", "64 cables", "0.125"]
    assert rows[1] == ["One node more", "72 GPUs", "2", "12 switches", "328 cables", "1.33"]
    assert rows[2] == ["One full leaf per rail", "256 GPUs", "2", "12 switches", "512 cables", "0.375"]
    assert rows[6] == ["This cluster", "1,000 GPUs", "2", "48 switches", "2,024 cables", "0.384"]
    kept = sheet("edges", **ASKED, reserved_ports=8)
    assert kept[0][1] == "56 GPUs", "of 64 ports 56 are left for seven nodes"
    twice = sheet("edges", **ASKED, planes=2)
    assert twice[0][3:] == ["2 switches", "128 cables", "0.25"], "a switch in each plane for eight nodes"
    wide = sheet("edges", gpus=4000, gpus_per_node=40)
    assert [row[1] for row in wide[:2]] == ["40 GPUs", "80 GPUs"], "forty rails of one node on 64 ports"
    wider = sheet("edges", gpus=4000, gpus_per_node=70)
    assert [row[1] for row in wider[:5]] == ["none", "70 GPUs", "2,240 GPUs", "none", "70 GPUs"], "seventy on 64 ports"
    assert wider[0] == ["Largest with one switch", "none", "–", "–", "–", "–"]


def test_ways_of_counting_a_fabric() -> None:
    ways = {row[0]: row[2] for row in sheet("conventions", **ASKED)}
    # A QM9700 with active cables and all fans takes 1,720 W.
    assert ways["Power of a switch"] == "36 kW plus transceivers, or 82.6 kW with transceivers at switches included"
    assert ways["Price of a switch"].startswith("$3.98M for the switches at $83,000;")
    assert ways["Price of a switch"].endswith("$1.73M to $2.4M")
    assert ways["Transceivers at nodes"] == "1,000 modules or 500 modules"
    assert ways["Twin cables"] == "512 cables between switches"
    assert ways["Spines: rounded up, or to a divisor"] == "16 or 16 switches per plane"
    odd = {row[0]: row[2] for row in sheet("conventions", gpus=1001, gpus_per_node=1)}
    assert odd["Transceivers at nodes"] == "1,001 modules or 501 modules"
    small = {row[0]: row[2] for row in sheet("conventions", gpus=64)}
    assert small["Spines: rounded up, or to a divisor"] == "the same here"
