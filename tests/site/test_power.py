"""Power and cooling: the default hall, every verdict's boundary, what it warns of and advises, and what it shares."""

from __future__ import annotations

from typing import Any

import pytest

from calculators import facts
from calculators.answers import answer
from calculators.answers.resolve import settled
from calculators.catalog import CALCULATORS, joined
from calculators.declare import InputError, Values
from tests.training.said import said

POWER = CALCULATORS["power"]
# Ten nodes of 10 kW, one in each rack of 20 kW: 100 kW of IT and of facility, in a hall of 200 kW and 20 racks.
ROUND: dict[str, Any] = {
    "server": "none",
    "gpus": 80,
    "gpu_power": 1000,
    "host_power_per_gpu": 250,
    "support_share": 0,
    "hall_power": "200 kW",
    "hall_racks": 20,
    "rack_limit": "20 kW",
    "node_units": 20,
    "nodes_per_rack": 1,
    "cooling_limit": "20 kW",
    "pue": 1,
    "average_share": 0.5,
    "swing_low": 0.4,
    "swing_high": 0.6,
    "rack_nodes": "no design",
}


def found(**given: Any) -> Values:
    return answer.evaluated(POWER, settled(POWER, {key: str(text) for key, text in given.items()}))


def level(name: str, **changed: Any) -> tuple[str, str]:
    judged = found(**{**ROUND, **changed})[name]
    return judged.level, judged.word


def spoken(**given: Any) -> dict[str, str]:
    return said(POWER, {key: str(text) for key, text in given.items()})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("it_power", "1.44 MW"),
        ("average_it_power", "1.09 MW"),
        ("facility_power", "1.87 MW"),
        ("racks", "128 racks"),
        ("rack_power", "10.2 kW"),
        ("hall_power_used", "93.4%"),
        ("rack_limit_idle", "40%"),
        ("power_swing", "502 kW"),
        ("modules_installed", "3 modules"),
        ("hall_fits", "fits tightly: megawatts bind"),
        ("supply_follows", "supply follows"),
    ],
)
def test_the_default_hall_holds_128_nodes_tightly(name: str, text: str) -> None:
    assert POWER.text(name, found()[name]) == text


def test_the_short_cut_is_near_the_average_and_far_below_the_rating() -> None:
    fleet = found(gpus=10000)
    assert POWER.text("shortcut_power", fleet["shortcut_power"]) == "9.1 MW"
    assert fleet["compute_power"] == 12.75e6
    assert fleet["compute_power"] * fleet["average_share"] == pytest.approx(9.69e6)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, ("good", "fits; megawatts would bind first")),
        ({"hall_power": "125 kW"}, ("good", "fits; megawatts would bind first")),
        ({"hall_power": "124.9 kW"}, ("tight", "fits tightly: megawatts bind")),
        ({"hall_power": "100 kW"}, ("tight", "fits tightly: megawatts bind")),
        ({"hall_power": "99.9 kW"}, ("bad", "does not fit: megawatts bind")),
        ({"hall_racks": 12}, ("tight", "fits tightly: racks bind")),
        ({"hall_racks": 9}, ("bad", "does not fit: racks bind")),
        ({"rack_limit": "12 kW"}, ("tight", "fits tightly: kilowatts per rack bind")),
        (
            {"rack_limit": "9.9 kW", "nodes_per_rack": "as many as fit", "hall_racks": 15},
            ("bad", "does not fit: racks bind"),  # two feeds for each of ten nodes
        ),
        (
            {"rack_limit": "9.9 kW", "nodes_per_rack": "as many as fit", "hall_racks": 99},
            ("bad", "does not fit: kilowatts per rack bind"),
        ),
        ({"nodes_per_rack": 2, "cooling_limit": "50 kW"}, ("good", "fits; megawatts would bind first")),
        (
            {"nodes_per_rack": 3, "cooling_limit": "90 kW", "hall_racks": 99},
            ("bad", "does not fit: kilowatts per rack bind"),
        ),
        ({"cooling_limit": "12 kW"}, ("tight", "fits tightly: cooling binds")),
        ({"cooling_limit": "9 kW"}, ("bad", "does not fit: cooling binds")),
        ({"rack_nodes": 2}, ("tight", "fits tightly: kilowatts per rack bind")),
        ({"rack_nodes": 3}, ("bad", "does not fit: kilowatts per rack bind")),
    ],
)
def test_the_limit_of_which_most_is_used_binds(changed: dict[str, Any], expected: tuple[str, str]) -> None:
    assert level("hall_fits", **changed) == expected


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, ("good", "supply follows")),  # 80 kW x 0.2 = 16 kW of 100
        ({"swing_low": 0.2}, ("tight", "swings are large")),  # 32 kW of 100; 150 kW are left
        ({"swing_low": 0.225}, ("good", "supply follows")),  # 30 kW: three tenths to the watt
        ({"hall_power": "65.9 kW"}, ("bad", "swings exceed the supply")),  # 50 kW on average, 16 more
        ({"hall_power": "66.1 kW"}, ("good", "supply follows")),
        # At a rating of 100 kW and an average of 90, a swing of 16 ends at the rating, which 100 kW supply and 99 not.
        ({"average_share": 0.9, "hall_power": "100 kW"}, ("tight", "swings reach the rating")),
        ({"average_share": 0.9, "hall_power": "99 kW"}, ("bad", "swings exceed the supply")),
        # A rack of 10 kW on two feeds: 415 V x 14 A x 1.732 x 0.8 x 0.95 = 7.65 kW carry it no more when one is lost.
        ({"amperes": 14}, ("tight", "a lost feed trips")),
        ({"amperes": 14, "sources": 3}, ("good", "supply follows")),
        ({"amperes": 14, "hall_power": "65.9 kW"}, ("bad", "swings exceed the supply")),
    ],
)
def test_a_swing_must_fit_above_the_average_and_ends_at_the_rating(
    changed: dict[str, Any], expected: tuple[str, str]
) -> None:
    assert level("supply_follows", **changed) == expected


@pytest.mark.parametrize(
    ("changed", "swing", "peak", "floor"),
    [
        ({}, 16e3, 66e3, 42e3),
        ({"average_share": 1}, 16e3, 100e3, 84e3),
        ({"node_power": "4 kW", "support_share": 0}, 8e3, 28e3, 16e3),  # 80 GPUs held to half of 1,000 W: 0.5 - 0.4
        ({"node_power": "2 kW", "support_share": 0}, 0, 10e3, 10e3),  # held below the lower end: nothing moves
    ],
)
def test_no_swing_goes_beyond_what_nodes_and_site_are_rated(
    changed: dict[str, Any], swing: float, peak: float, floor: float
) -> None:
    values = found(**{**ROUND, **changed})
    assert (values["power_swing"], values["swing_peak"], values["swing_floor"]) == pytest.approx((swing, peak, floor))
    assert values["swing_floor"] + values["power_swing"] <= values["facility_power"]


@pytest.mark.parametrize(
    ("changed", "judged", "sentence"),
    [
        # 100 kW at 1.206 kJ and 16.2 K: 5.12 m3/s; at 4 kJ and 10 K: 2.5 L/s.
        ({}, ("good", "air alone"), "5.12 m³/s; each rack gives 10 kW to the air, which warms by 16.2 K."),
        (
            {"cooling": "immersion"},
            ("good", "coolant alone"),
            "2.5 L/s, warming by 10 K; nothing is left to the room's air.",
        ),
        (
            {"cooling": "direct_liquid", "liquid_share": 0.5},
            ("good", "coolant and air"),
            "1.25 L/s of coolant and 2.56 m³/s of air; each rack gives 5 kW to the air, which warms by 16.2 K.",
        ),
    ],
)
def test_the_sentence_names_what_carries_the_heat_and_nothing_else(
    changed: dict[str, Any], judged: tuple[str, str], sentence: str
) -> None:
    values = found(**{**ROUND, **changed})
    assert level("heat_carried", **changed) == judged
    assert answer.verdicts(POWER, values)["heat_carried"]["reason"] == sentence
    assert f"and the heat leaves in {judged[1]}. " in answer.sentence(POWER, values)
    assert "0 L/s" not in " ".join([answer.sentence(POWER, values), sentence])


SPEAKS: list[tuple[str, dict[str, Any], str]] = [
    (
        "node_exceeds_rack",
        {"rack_limit": "8 kW"},
        "One node of 10.2 kW exceeds the 8 kW of a rack: each takes the feeds of 2 racks, joined.",
    ),
    (
        "too_much_for_air",
        {"rack_limit": "31 kW"},
        (
            "Racks of 30.6 kW cooled by air alone: few rooms carry more than 30 kW. "
            "Put fewer nodes in a rack, or bring liquid to it."
        ),
    ),
    (
        "only_the_average_fits",
        {"hall_power": "1.8 MW"},
        (
            "Only the average of 1.42 MW fits into 1.8 MW: size for the rating of 1.87 MW, "
            "because a training job's nodes peak together."
        ),
    ),
    (
        "air_with_a_low_pue",
        {"pue": 1.09},
        "A PUE of 1.09 with air is that of the best fleets in cool places, with the fans of servers counted as IT.",
    ),
    (
        "dry_and_efficient",
        {"wue": 0, "pue": 1.15},
        "No water at a PUE of 1.15: towers evaporate it, and chillers or dry coolers without it take more power.",
    ),
    (
        "still_by_air",
        # 2 MW of IT, 15 % of it into air that takes 1,206 x 16.2 J for each cubic meter
        {**ROUND, "gpus": 1600, "cooling": "direct_liquid", "liquid_share": 0.85},
        "1.5 kW of each rack still leaves by air, 15.4 m³/s in all: a liquid hall needs air handling.",
    ),
    (
        "servers_move_air",
        {"cooling": "rear_door"},
        ("Servers before a rear door still move 73.5 m³/s of air themselves; the door only cools it behind them."),
    ),
    (
        "cooling_contradicts_itself",
        {"liquid_share": 0.5},
        "50% of the heat cannot leave in liquid with air alone: choose the cooling that carries it.",
    ),
    (
        "cooling_contradicts_itself",
        {"cooling": "immersion", "liquid_share": 0},
        "No heat leaves in liquid, but the cooling chosen is one with liquid: results are those of air.",
    ),
    (
        "racks_for_support",
        {"hall_racks": 135},
        (
            "Of 135 racks GPU servers take 128 racks: the positions are counted for them alone. Network, storage and "
            "management need about 8 racks beside, filled to the limit."
        ),
    ),
    (
        "rack_sold_whole",
        {"server": "server-gb200-nvl72", "rack_limit": "120 kW"},
        "This rack is built with 18 nodes and sold whole, but 120 kW and 48 rack units of height take 17 nodes.",
    ),
    (
        "average_below_what_waits",
        {"average_share": 0.1},
        (
            "An average of 10% of the rating is less than the 15% that GPUs draw when all wait: "
            "energy, cost and emissions are those of a hall that stands idle."
        ),
    ),
    (
        "a_node_draws_something",
        {"gpu_power": 0, "host_power_per_gpu": 0},
        "Rating of a node must not be nothing: give its GPUs, or the rest of it, some watts",
    ),
    (
        "counted_at_the_rating",
        {"average_share": 1},
        (
            "An average of 100% of the rating is an upper bound, as published energies count it: "
            "nodes of eight H100 drew 76% on average and 82% at most."
        ),
    ),
    (
        "measured_on_another_device",
        {"server": "server-dgx-b200", "rack_limit": "20 kW"},
        "76% of the rating was measured on single nodes of H100: for GPUs of 1 kW measure yours.",
    ),
    (
        "node_below_its_gpus",
        {"node_power": "5 kW"},
        "A node rated 5 kW cannot run its GPUs at 700 W each: it caps them, or one figure is wrong.",
    ),
    (
        "node_fits_the_rack",
        {"node_units": 43},
        "Height of a node must be at most that of a rack, 42 rack units, not 43 rack units",
    ),
    (
        "swing_has_a_lower_end",
        {"swing_low": 0.9},
        "GPUs draw at least must be at most the 85% that they draw at most, not 90%",
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
    names = {formula.name for role in ("check", "caution") for formula in POWER.of_role(role)}
    assert names == {name for name, *_ in SPEAKS} == {name for name, _ in SILENT}


def advised(**given: Any) -> dict[str, str]:
    resolved = settled(POWER, {key: str(text) for key, text in given.items()})
    values = answer.evaluated(POWER, resolved)
    assert POWER.advice is not None
    return {label: POWER.after(values, dict(change))["hall_fits"].level for label, change in POWER.advice(values)}


def test_advice_mends_a_hall_short_of_megawatts() -> None:
    proposed = advised(gpus=1280)
    assert proposed == {
        "Place {gpus}": "tight",
        "Cap each GPU at {gpu_power}": "tight",
        "Supply {hall_power}": "tight",
    }


def test_advice_mends_a_rack_beyond_its_cooling() -> None:
    given = {"rack_limit": "41 kW", "hall_power": "4 MW"}
    proposed = advised(**given)
    assert list(proposed) == [
        "Put {nodes_per_rack} in a rack",
        "Cool with rear doors",
        "Cool with direct liquid",
        "Cool with immersion",
    ]
    assert proposed["Put {nodes_per_rack} in a rack"] == "good"
    assert all(proposed[label] != "bad" for label in proposed)


def test_advice_feeds_racks_and_finds_more_of_them() -> None:
    proposed = advised(rack_limit="8 kW", hall_racks=100, hall_power="4 MW")
    assert {"Place {gpus}", "Feed each rack {rack_limit}", "Find {hall_racks}"} == set(proposed)
    assert not advised()


def test_a_run_at_its_rating_takes_the_energy_that_training_time_prints() -> None:
    time = CALCULATORS["training_time"]
    run = answer.evaluated(time, settled(time, {"host_power_per_gpu": "575 W"}))
    here = found(
        gpu_hours=run["gpu_hours"], average_share=1, support_share=0, pue=run["pue"], host_power_per_gpu="575 W"
    )
    assert here["run_energy"] == pytest.approx(run["training_energy"])
    assert here["run_emissions"] == pytest.approx(run["emissions"])
    shared = {formula for formula in POWER.formulas if formula in time.formulas}
    assert {formula.name for formula in shared} == {"watts_per_gpu"}


def test_in_one_machine_the_hours_of_the_run_reach_the_hall() -> None:
    machine = joined()
    values = machine.evaluate({"gpus": 2048.0})
    assert values["gpu_hours"] == values["gpus"] * values["training_duration"] / 3600
    whole = values["training_energy"] / values["pue"] / values["watts_per_gpu"]
    of_it = (1 + values["support_share"]) * values["average_share"] * values["watts_per_gpu"] * values["pue"]
    assert values["run_energy"] == pytest.approx(whole * of_it)


def test_in_one_machine_the_switches_that_are_counted_draw_their_watts() -> None:
    values = joined().evaluate({"gpus": 2048.0})
    counted = values["all_fabric_power"] / values["compute_power"]
    assert values["support_share"] == pytest.approx(counted + 0.04)  # storage and management beside them
    alone = found(gpus=80, gpu_power=1000, host_power_per_gpu=250, server="none", all_fabric_power="6 kW")
    assert alone["support_share"] == pytest.approx(0.1)  # 6 of 100 kW, and 4 % more
    assert found(all_fabric_power="6 kW", support_share=0.2)["support_share"] == 0.2


def test_every_convention_says_what_it_makes_of_this_hall() -> None:
    (sheet,) = POWER.sheets
    rows = [
        tuple(answer.filled(POWER, cell, found(gpus=10000)) for cell in row) for row in sheet.rows(found(gpus=10000))
    ]
    made = {way: outcome for way, _, outcome in rows}
    assert made["A server is its GPUs and 30 %"].startswith("9.1 MW. Rated 12.8 MW, average 9.69 MW")
    assert made["kVA or kW"] == "34.5 kVA of a circuit are 32.8 kW at a power factor of 0.95"
    assert made["PUE of the average site"].startswith("1.54: 21.6 MW")  # 12.75 x 1.1 x 1.54
    assert "{" not in "".join(cell for row in rows for cell in row)


def test_a_rack_is_120_kilowatts_or_135_by_its_trays() -> None:
    assert found(server="server-gb200-nvl72", gpus=72, rack_limit="150 kW")["rack_power"] == pytest.approx(120.6e3)
    planned = found(server="server-gb300-nvl72", gpus=72, rack_limit="150 kW")["rack_power"]
    assert planned == facts.fact("gb300-nvl72-planned").value == 135e3


def test_servers_of_the_menu_add_up_to_their_ratings() -> None:
    rated = {
        "server-dgx-h100": "node-power-h100",
        "server-dgx-b200": "dgx-b200-power",
        "server-dgx-a100": "dgx-a100-power",
    }
    for server, fact in rated.items():
        assert found(server=server)["node_power"] == facts.fact(fact).value


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"gpus": 0}, "GPUs in the job must be between 1 and 10M, not 0"),
        ({"rack_limit": 17}, "Limit of a rack must be between 100 W and 100 GW, not 17; did you mean 17 kW?"),
        ({"hall_power": 2}, "Supply of the hall must be between 100 W and 100 GW, not 2; did you mean 2 MW?"),
        ({"pue": 0.9}, "Power usage effectiveness (PUE) must be between 1 and 5, not 0.9"),
        ({"sources": 1}, "Feeds to a rack must be between 2 and 24, not 1"),
        ({"cooling": "water"}, "Cooling must be one of air, rear_door, direct_liquid, immersion, not “water”"),
        ({"hall_power": "2 GWh"}, "Supply of the hall: “2 GWh” is not a power; write for example 700 W"),
    ],
)
def test_wrong_input_gets_a_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        found(**given)
    assert list(refused.value.problems.values()) == [sentence]
