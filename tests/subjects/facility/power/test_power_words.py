"""What power says of its own accord: every check and caution speaks once and is silent once, and advice mends."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.answers.pictures import drawn
from tests.subjects.facility.power.halls import POWER, ROUND
from tests.subjects.training.training_memory.said import said


def spoken(**given: Any) -> dict[str, str]:
    return said(POWER, {key: str(text) for key, text in given.items()})


SPEAKS: list[tuple[str, dict[str, Any], str]] = [
    (
        "node_exceeds_rack",
        {"rack_limit": "8 kW"},
        "One node of 10.2 kW exceeds the 8 kW limit per rack: each needs the feeds of 2 racks.",
    ),
    (
        "too_much_for_air",
        {"rack_limit": "31 kW"},
        (
            "Racks of 30.6 kW cooled by air alone: few rooms carry more than 30 kW. Put fewer nodes "
            "in a rack, or use liquid cooling."
        ),
    ),
    (
        "only_the_average_fits",
        {"hall_power": "1.8 MW"},
        (
            "Only the mean of 1.42 MW fits in 1.8 MW: size for the rated 1.87 MW, because the nodes "
            "of a training job peak together."
        ),
    ),
    (
        "air_with_a_low_pue",
        {"pue": 1.09},
        ("A PUE of 1.09 with air is reached only by the best fleets in cool climates, with server fans counted as IT."),
    ),
    (
        "dry_and_efficient",
        {"wue": 0, "pue": 1.15},
        ("No water at a PUE of 1.15: cooling towers evaporate water; dry coolers and chillers need more power."),
    ),
    (
        "still_by_air",
        # 2 MW of IT, 15 % of it into air that takes 1,206 x 16.2 J for each cubic meter
        {**ROUND, "gpus": 1600, "cooling": "direct_liquid", "liquid_share": 0.85},
        ("1.5 kW of each rack still goes to air, 15.4 m³/s in all: the data hall needs air handling."),
    ),
    (
        "servers_move_air",
        {"cooling": "rear_door"},
        ("With a rear door servers still move 73.5 m³/s of air themselves; the door only cools it behind them."),
    ),
    (
        "cooling_contradicts_itself",
        {"liquid_share": 0.5},
        "With air cooling 50% of the heat cannot go to liquid: choose a liquid cooling.",
    ),
    (
        "cooling_contradicts_itself",
        {"cooling": "immersion", "liquid_share": 0},
        "No heat goes to liquid, but a liquid cooling is chosen: results are those of air.",
    ),
    (
        "racks_for_support",
        {"hall_racks": 135},
        (
            "GPU servers need 128 racks of 135 racks, which count positions for them only. Network, "
            "storage and management need about 8 racks more, filled to the limit."
        ),
    ),
    (
        "rack_sold_whole",
        {"server": "server-gb200-nvl72", "rack_limit": "120 kW"},
        ("This rack is sold whole with 18 nodes, but 120 kW and 48 rack units of height allow 17 nodes."),
    ),
    (
        "average_below_what_waits",
        {"average_share": 0.1},
        (
            "A mean of 10% of the rating is below the 15% that GPUs draw while all wait: energy, "
            "cost and emissions are those of an idle data hall."
        ),
    ),
    (
        "a_node_draws_something",
        {"gpu_power": 0, "host_power_per_gpu": 0},
        ("Rated power of a node must be above 0: set the power of its GPUs or of the rest of the server"),
    ),
    (
        "counted_at_the_rating",
        {"average_share": 1},
        (
            "A mean of 100% of the rating is an upper bound, as published energies count it: nodes "
            "of eight H100 drew 76% on average and 82% at most."
        ),
    ),
    (
        "measured_on_another_device",
        {"server": "server-dgx-b200", "rack_limit": "20 kW"},
        "76% of the rating was measured on single nodes of H100: measure yours for GPUs of 1 kW.",
    ),
    (
        "node_below_its_gpus",
        {"node_power": "5 kW"},
        ("A node rated 5 kW cannot run its GPUs at 700 W each: it caps them, or one value is wrong."),
    ),
    (
        "node_fits_the_rack",
        {"node_units": 43},
        "Node height must be at most the rack height, 42 rack units, not 43 rack units",
    ),
    (
        "swing_has_a_lower_end",
        {"swing_low": 0.9},
        "Minimum GPU power in a step must be at most the maximum, 85%, not 90%",
    ),
]
SILENT: list[tuple[str, dict[str, Any]]] = [
    ("node_exceeds_rack", {"rack_limit": "10.2 kW"}),
    ("too_much_for_air", {"rack_limit": "30.5 kW"}),
    ("too_much_for_air", {"rack_limit": "31 kW", "cooling": "direct_liquid"}),
    ("only_the_average_fits", {}),
    ("only_the_average_fits", {"hall_power": "1.4 MW"}),
    ("air_with_a_low_pue", {"pue": 1.1}),
    ("air_with_a_low_pue", {"pue": 1.05, "cooling": "direct_liquid"}),
    ("dry_and_efficient", {"wue": 0, "pue": 1.2}),
    ("dry_and_efficient", {"wue": "0.01 L/kWh", "pue": 1.15}),
    ("still_by_air", {}),
    ("still_by_air", {"cooling": "immersion"}),
    ("servers_move_air", {"cooling": "direct_liquid"}),
    ("cooling_contradicts_itself", {}),
    ("cooling_contradicts_itself", {"cooling": "direct_liquid"}),
    ("racks_for_support", {"hall_racks": 136}),
    ("racks_for_support", {"hall_racks": 127}),
    ("rack_sold_whole", {"server": "server-gb200-nvl72", "rack_limit": "121 kW"}),
    ("average_below_what_waits", {"average_share": 0.15}),
    ("a_node_draws_something", {"gpu_power": 0}),
    ("counted_at_the_rating", {"average_share": 0.82}),
    ("measured_on_another_device", {"gpu_power": "1 kW", "average_share": 0.8}),
    ("measured_on_another_device", {}),
    ("measured_on_another_device", {"server": "server-dgx-b200", "average_share": 0.7}),
    ("node_below_its_gpus", {"node_power": "5.6 kW"}),
    ("node_fits_the_rack", {"node_units": 42}),
    ("swing_has_a_lower_end", {"swing_low": 0.85}),
]


@pytest.mark.parametrize(("name", "given", "sentence"), SPEAKS)
def test_it_says_what_is_wrong(name: str, given: dict[str, Any], sentence: str) -> None:
    assert spoken(**given).get(name) == sentence


@pytest.mark.parametrize(("name", "given"), SILENT)
def test_it_is_silent_where_nothing_is_wrong(name: str, given: dict[str, Any]) -> None:
    assert name not in spoken(**given)


def test_everything_that_can_speak_is_heard_in_both_ways() -> None:
    names = {formula.name for role in ("constraint", "warning") for formula in POWER.of_role(role)}
    assert names == {name for name, *_ in SPEAKS} == {name for name, _ in SILENT}


def advised(**given: Any) -> dict[str, str]:
    resolved = valid_inputs(POWER, {key: str(text) for key, text in given.items()})
    values = answer.evaluated(POWER, resolved)
    assert POWER.recommendations is not None
    return {
        label: POWER.after(values, dict(change))["hall_fits"].level for label, change in POWER.recommendations(values)
    }


def test_advice_mends_a_hall_short_of_megawatts() -> None:
    proposed = advised(gpus=1280)
    assert proposed == {
        "Install {gpus} only": "tight",
        "Cap each GPU at {gpu_power}": "tight",
        "Supply {hall_power}": "tight",
    }


def test_advice_mends_a_rack_beyond_its_cooling() -> None:
    given = {"rack_limit": "41 kW", "hall_power": "4 MW"}
    proposed = advised(**given)
    assert list(proposed) == [
        "Put {nodes_per_rack} in each rack",
        "Cool with rear doors",
        "Cool with direct liquid",
        "Cool with immersion",
    ]
    assert proposed["Put {nodes_per_rack} in each rack"] == "good"
    six = advised(nodes_per_rack=6, rack_limit="80 kW", hall_power="4 MW")  # 61.2 kW, where rear doors carry 55
    assert "Cool with rear doors" not in six
    assert "Cool with direct liquid" in six
    assert all(proposed[label] != "bad" for label in proposed)


def test_advice_feeds_racks_and_finds_more_of_them() -> None:
    proposed = advised(rack_limit="8 kW", hall_racks=100, hall_power="4 MW")
    assert {"Install {gpus} only", "Feed each rack {rack_limit}", "Provide {hall_racks} of rack space"} == set(proposed)
    assert not advised()


def test_what_is_installed_beside_the_load_is_not_drawn_as_too_much() -> None:
    """Of 1.5 MW the facility asks for 1.87: an excess; the modules installed for it, 3 MW, are none of the supply's."""
    drawing = drawn(POWER, answer.evaluated(POWER, valid_inputs(POWER, {"hall_power": "1.5 MW"})))["picture"]
    assert drawing["2.excess"]["width"] != "0.000%"
    assert drawing["3.excess"]["width"] == "0.000%"
