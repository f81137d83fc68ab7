"""Power and cooling: the default hall, every verdict's boundary, what it warns of and advises, and what it shares."""

from __future__ import annotations

from typing import Any

import pytest

from calculators import facts
from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS, joined
from calculators.declare import InputError, Values
from tests.subjects.facility.power.halls import POWER, ROUND


def found(**given: Any) -> Values:
    return answer.evaluated(POWER, valid_inputs(POWER, {key: str(text) for key, text in given.items()}))


def level(name: str, **changed: Any) -> tuple[str, str]:
    judged = found(**{**ROUND, **changed})[name]
    return judged.level, judged.word


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
        ("hall_fits", "tight; the limit is power"),
        ("supply_follows", "OK"),
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
        ({}, ("good", "fits; the first limit is power")),
        ({"hall_power": "125 kW"}, ("good", "fits; the first limit is power")),
        ({"hall_power": "124.9 kW"}, ("tight", "tight; the limit is power")),
        ({"hall_power": "100 kW"}, ("tight", "tight; the limit is power")),
        ({"hall_power": "99.9 kW"}, ("bad", "does not fit; the limit is power")),
        ({"hall_racks": 12}, ("tight", "tight; the limit is rack positions")),
        ({"hall_racks": 9}, ("bad", "does not fit; the limit is rack positions")),
        ({"rack_limit": "12 kW"}, ("tight", "tight; the limit is rack power")),
        (
            {"rack_limit": "9.9 kW", "nodes_per_rack": "as many as fit", "hall_racks": 15},
            ("bad", "does not fit; the limit is rack positions"),  # two feeds for each of ten nodes
        ),
        (
            {"rack_limit": "9.9 kW", "nodes_per_rack": "as many as fit", "hall_racks": 99},
            ("bad", "does not fit; the limit is rack power"),
        ),
        ({"nodes_per_rack": 2, "cooling_limit": "50 kW"}, ("good", "fits; the first limit is power")),
        (
            {"nodes_per_rack": 3, "cooling_limit": "90 kW", "hall_racks": 99},
            ("bad", "does not fit; the limit is rack power"),
        ),
        ({"cooling_limit": "12 kW"}, ("tight", "tight; the limit is rack cooling")),
        ({"cooling_limit": "9 kW"}, ("bad", "does not fit; the limit is rack cooling")),
        ({"rack_nodes": 2}, ("tight", "tight; the limit is rack power")),
        ({"rack_nodes": 3}, ("bad", "does not fit; the limit is rack power")),
    ],
)
def test_the_limit_of_which_most_is_used_binds(changed: dict[str, Any], expected: tuple[str, str]) -> None:
    assert level("hall_fits", **changed) == expected


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, ("good", "OK")),  # 80 kW x 0.2 = 16 kW of 100
        ({"swing_low": 0.2}, ("tight", "large swings")),  # 32 kW of 100; 150 kW are left
        ({"swing_low": 0.225}, ("good", "OK")),  # 30 kW: three tenths to the watt
        ({"hall_power": "65.9 kW"}, ("bad", "swings exceed the supply")),  # 50 kW on average, 16 more
        ({"hall_power": "66.1 kW"}, ("tight", "rating exceeds the supply")),  # the nodes of one job peak together
        ({"hall_power": "100 kW"}, ("good", "OK")),
        # At a rating of 100 kW and an average of 90, a swing of 16 ends at the rating, which 100 kW supply and 99 not.
        ({"average_share": 0.9, "hall_power": "100 kW"}, ("tight", "swings reach the rating")),
        ({"average_share": 0.9, "hall_power": "99 kW"}, ("bad", "swings exceed the supply")),
        # A rack of 10 kW on two feeds: 415 V x 14 A x 1.732 x 0.8 x 0.95 = 7.65 kW carry it no more when one is lost.
        ({"amperes": 14}, ("tight", "a lost feed trips breakers")),
        ({"amperes": 14, "sources": 3}, ("good", "OK")),
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
        ({}, ("good", "air only"), "5.12 m³/s; a full rack gives 10 kW to the air, with a rise of 16.2 K."),
        (
            {"cooling": "immersion"},
            ("good", "liquid only"),
            "2.5 L/s of coolant with a rise of 10 K; no heat goes to room air.",
        ),
        (
            {"cooling": "direct_liquid", "liquid_share": 0.5},
            ("good", "liquid and air"),
            ("1.25 L/s of coolant and 2.56 m³/s of air; a full rack gives 5 kW to the air, with a rise of 16.2 K."),
        ),
    ],
)
def test_the_sentence_names_what_carries_the_heat_and_nothing_else(
    changed: dict[str, Any], judged: tuple[str, str], sentence: str
) -> None:
    values = found(**{**ROUND, **changed})
    assert level("heat_carried", **changed) == judged
    assert answer.verdicts(POWER, values)["heat_carried"]["reason"] == sentence
    assert f"cooled by {judged[1]}. " in answer.sentence(POWER, values)
    assert "0 L/s" not in " ".join([answer.sentence(POWER, values), sentence])


def test_a_run_at_its_rating_takes_the_energy_that_training_time_prints() -> None:
    time = CALCULATORS["training_time"]
    run = answer.evaluated(time, valid_inputs(time, {"host_power_per_gpu": "575 W"}))
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
    assert values["support_share"] == pytest.approx(counted + 0.04)  # storage and management besides
    alone = found(gpus=80, gpu_power=1000, host_power_per_gpu=250, server="none", all_fabric_power="6 kW")
    assert alone["support_share"] == pytest.approx(0.1)  # 6 of 100 kW, and 4 % more
    assert found(all_fabric_power="6 kW", support_share=0.2)["support_share"] == 0.2


def test_every_convention_says_what_it_makes_of_this_hall() -> None:
    sheet = next(one for one in POWER.tables if one.name == "conventions")
    rows = [
        tuple(answer.filled(POWER, cell, found(gpus=10000)) for cell in row) for row in sheet.rows(found(gpus=10000))
    ]
    made = {way: outcome for way, _, outcome in rows}
    assert made["A server is its GPUs and 30%"].startswith("9.1 MW. Rated 12.8 MW, average 9.69 MW")
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
        ({"rack_limit": 17}, "Power limit per rack must be between 100 W and 100 GW, not 17; did you mean 17 kW?"),
        ({"hall_power": 2}, "Data hall power supply must be between 100 W and 100 GW, not 2; did you mean 2 MW?"),
        ({"pue": 0.9}, "Power usage effectiveness (PUE) must be between 1 and 5, not 0.9"),
        ({"sources": 1}, "Power feeds per rack must be between 2 and 24, not 1"),
        ({"cooling": "water"}, "Cooling must be one of air, rear_door, direct_liquid, immersion, not “water”"),
        ({"hall_power": "2 GWh"}, "Data hall power supply: “2 GWh” is not a power; write for example 700 W"),
    ],
)
def test_wrong_input_gets_a_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        found(**given)
    assert list(refused.value.problems.values()) == [sentence]
