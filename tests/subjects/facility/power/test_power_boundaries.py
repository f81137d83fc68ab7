"""A hall: every formula at figures that do not divide, every caution and verdict at its boundary, by hand."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest

from calculators import facts
from calculators.answers.input_state import valid_inputs
from calculators.declare import InputError
from calculators.subjects.facility.power import energy, rack, rating, supply, verdicts, warnings, watts
from calculators.units import HOUR, YEAR
from tests.subjects.facility.power.halls import POWER

AIR = float(facts.fact("air-cooling-limit").value)
AVERAGE = facts.fact("average-share")
MEASURED, MOST = float(AVERAGE.value), float(AVERAGE.high or 1)
H100 = float(facts.fact("gpu-power-h100").value)


def test_racks_hold_whole_nodes() -> None:
    assert [rack.nodes_by_power(limit, 11_000) for limit in (10_999, 11_000, 32_999, 33_000)] == [0, 1, 2, 3]
    assert rack.nodes_by_power(5, 0.5) == 5, "a watt at least for each"
    assert [rack.nodes_by_space(units, 10) for units in (9, 42, 50)] == [0, 4, 5]
    assert (rack.nodes_per_rack(4, 5, None), rack.nodes_per_rack(6, 5, None), rack.nodes_per_rack(6, 5, 3)) == (4, 5, 3)
    assert [rack.racks_per_node(node, 10_000) for node in (5, 10_000, 10_001, 25_000)] == [1, 1, 2, 3]
    assert [rack.racks(nodes, 4, 1, 0) for nodes in (127, 128, 129)] == [32, 32, 33]
    assert (rack.racks(7, 1, 3, 0), rack.racks(7, 0, 3, 2)) == (7, 23)
    full = [rack.rack_power(held, 11_000, nodes, None) for held, nodes in ((4, 3), (4, 9), (0, 9))]
    assert full == [33_000, 44_000, 11_000]
    assert [rack.rack_power(held, 11_000, 3, 4) for held in (4, 2)] == [44_000, 22_000], "sold whole"
    assert [rack.support_racks(watts, 30_000) for watts in (0, 30_000, 30_001)] == [0, 1, 2]


def test_circuits_carry_three_phases() -> None:
    """400 V x 63 A x 1.732 x 0.8 x 0.9 are 31.43 kW; 10 kW take 16.04 A of each phase."""
    assert rack.circuit_power(400, 63, 0.8, 0.9) == pytest.approx(31_426, abs=1)
    assert rack.circuit_current(10_000, 400, 0.9) == pytest.approx(10_000 / 360 / sqrt(3))
    assert rack.power_per_surviving_source(10_000, 2) == 10_000
    assert rack.power_per_surviving_source(10_000, 4) == pytest.approx(3333.33, abs=0.01)


def test_ratings_add_up_to_the_site() -> None:
    """7 nodes of 8 GPUs of 700 W in 10.3 kW; support a sixth on top, a PUE of 1.3."""
    assert rating.node_power(8, 1287.5) == 10_300
    assert rating.compute_power(7, 10_300) == 72_100
    assert rating.gpus_power(7, 8, 700) == 39_200
    assert (rating.servers_rest_power(72_100, 39_200), rating.servers_rest_power(39_000, 39_200)) == (32_900, 0)
    assert rating.support_power(72_100, 1 / 6) == pytest.approx(12_016.67, abs=0.01)
    assert rating.it_power(72_100, 1 / 6, 0) == pytest.approx(84_116.67, abs=0.01)
    assert rating.facility_power(84_116, 1.3) == pytest.approx(109_350.8)
    assert rating.overhead_power(109_350, 84_116) == 25_234
    assert rating.shortcut_power(56, 700) == pytest.approx(50_960)
    usual, management = rating.counted_support_share(None, None, 1), rating.counted_support_share(0, None, 1)
    assert usual == float(facts.fact("support-share").value)
    assert rating.counted_support_share(7_210, None, 72_100) == pytest.approx(0.1 + management)
    assert rating.counted_support_share(0.5, None, 0) == pytest.approx(0.5 + management)
    # Five storage nodes of 640 W next to a server of 10.2 kW are 31%, next to a hundred of them within the 4%.
    assert rating.counted_support_share(0, 3_200, 10_200) == pytest.approx(0.3137, abs=1e-4)
    assert rating.counted_support_share(0, 3_200, 1_020_000) == management
    assert rating.counted_support_share(None, 3_200, 10_200) == pytest.approx(0.06 + 0.3137, abs=1e-4)
    assert rating.counted_support_share(None, 3_200, 1_020_000) == pytest.approx(usual)
    assert watts.server_power(10_300, 7) == pytest.approx(1471.43, abs=0.01)


def test_modules_are_whole_ones_and_spares_come_on_top() -> None:
    sizes: dict[Any, list[float]] = {"n": [2, 3], "n_plus_1": [3, 4], "two_n": [4, 6]}
    for redundancy, expected in sizes.items():
        assert [supply.modules_installed(load, 1e6, redundancy) for load in (2e6, 2.1e6)] == expected
    assert supply.installed_power(3, 1.5e6) == 4.5e6
    assert supply.spare_power(4.5e6, 2.1e6) == 2.4e6
    assert (supply.installed_over_needed(4.5e6, 2e6), supply.installed_over_needed(4.5e6, 0)) == (2.25, 0)


def test_a_swing_is_what_the_rating_leaves_of_it() -> None:
    """1,000 GPUs of 700 W between 0.3 and 0.9; nodes rated at 0.8 or 0.2 of their GPUs hold them."""
    assert supply.power_swing(1000, 700, 0.3, 0.9, 700e3, 1e6) == pytest.approx(420e3)
    assert supply.power_swing(1000, 700, 0.3, 0.9, 700e3, 560e3) == pytest.approx(350e3)
    assert supply.power_swing(1000, 700, 0.3, 0.9, 700e3, 140e3) == 0
    assert supply.power_swing(1000, 700, 0.3, 0.9, 0, 140e3) == pytest.approx(420e3)
    assert supply.swing_peak(60, 30, 100) == 90
    assert supply.swing_peak(80, 30, 100) == 100
    assert (supply.swing_floor(60, 30, 100), supply.swing_floor(90, 30, 100), supply.swing_floor(10, 30, 100)) == (
        45,
        70,
        0,
    )


def test_what_is_used_is_a_share_of_what_there_is() -> None:
    assert supply.hall_power_used(3, 4) == 0.75
    assert supply.hall_racks_used(3, 8) == 0.375
    assert supply.cooling_used(3, 8) == 0.375
    assert (supply.rack_limit_idle(3, 8), supply.rack_limit_idle(9, 8)) == (0.625, 0)
    # One node; a rack sold whole; more nodes than a rack may feed; as many as it may.
    assert supply.rack_limit_used(3, 6, None, 8) == 0.375
    assert supply.rack_limit_used(3, 6, 4, 8) == 1.5
    assert supply.rack_limit_used(3, 9, None, 8) == 1.125
    assert supply.rack_limit_used(3, 8, None, 8) == 0.375


def test_a_hall_takes_whole_nodes() -> None:
    """A node of 10 kW, with a fifth of support and a PUE of 1.5, is 18 kW at the site."""
    assert [supply.gpus_by_power(hall, 10_000, 0.2, 1.5, 8, 0) for hall in (17_999, 18_000, 53_999)] == [0, 8, 16]
    # Other servers of 2 kW take 3 kW of the hall.
    assert [supply.gpus_by_power(hall, 10_000, 0.2, 1.5, 8, 2_000) for hall in (20_999, 21_000)] == [0, 8]
    assert supply.gpus_by_power(9, 0.5, 0.2, 1.5, 8, 0) == 40, "1.8 W each, a watt at least"
    assert supply.gpus_by_racks(7, 3, 1, 8, 0) == 168
    assert supply.gpus_by_racks(7, 1, 1, 8, 2) == 40
    assert supply.gpus_by_racks(7, 0, 3, 8, 0) == 16
    assert (supply.gpus_that_fit(16, 24, 1, 1), supply.gpus_that_fit(24, 16, 1, 1)) == (16, 16)
    assert (supply.gpus_that_fit(16, 24, 1.1, 1), supply.gpus_that_fit(16, 24, 1, 1.1)) == (None, None)


def test_a_year_of_energy() -> None:
    assert energy.average_it_power(10_300, 0.7) == pytest.approx(7210)
    assert energy.average_facility_power(7210, 1.3) == pytest.approx(9373)
    assert energy.yearly_it_energy(7210, 0.9) == pytest.approx(7210 * 0.9 * YEAR)
    assert energy.yearly_energy(5, 1.3) == 6.5
    assert energy.energy_cost(5, 0.7) == energy.yearly_emissions(5, 0.7) == energy.water(5, 0.7) == 3.5
    assert energy.reusable_heat(5, 0.7, 0.2) == pytest.approx(0.7)
    assert energy.yearly_gpu_hours(7, 0.9) == pytest.approx(7 * 0.9 * 8766)
    assert energy.run_energy(3, 1100, 0.7) == pytest.approx(3 * HOUR * 770)
    assert energy.run_emissions(5, 0.7) == 3.5


@pytest.mark.parametrize(
    ("name", "speaks", "silent"),
    [
        ("node_exceeds_rack", [(11, 10)], [(10, 10), (9, 10)]),
        ("too_much_for_air", [("air", AIR + 1)], [("air", AIR), ("rear_door", AIR + 1)]),
        ("only_the_average_fits", [(11, 10, 10), (11, 9, 10)], [(10, 9, 10), (11, 10.1, 10)]),
        ("air_with_a_low_pue", [("air", 1.09)], [("air", 1.1), ("immersion", 1.09)]),
        ("dry_and_efficient", [(0, 1.19)], [(0, 1.2), (0.1, 1.19)]),
        (
            "still_by_air",
            [("direct_liquid", 0.99), ("direct_liquid", 0.01)],
            [("air", 0.5), ("direct_liquid", 1), ("direct_liquid", 0)],
        ),
        ("servers_move_air", [("rear_door",)], [("air",), ("immersion",)]),
        ("loop_without_liquid", [("rear_door", 0)], [("air", 0), ("rear_door", 0.1)]),
        ("racks_for_support", [(10, 1, 10), (9, 2, 10)], [(9, 1, 10), (11, 1, 10)]),
        ("rack_sold_whole", [(18, 17)], [(18, 18), (18, 19), (None, 1)]),
        ("average_below_what_waits", [(0.29, 0.3)], [(0.3, 0.3), (0.31, 0.3)]),
        ("counted_at_the_rating", [(MOST + 0.01,)], [(MOST,), (0.1,)]),
        ("measured_on_another_device", [(MEASURED, H100 + 1)], [(MEASURED, H100), (MEASURED + 0.01, H100 + 1)]),
    ],
)
def test_a_caution_turns_at_its_boundary(
    name: str, speaks: list[tuple[Any, ...]], silent: list[tuple[Any, ...]]
) -> None:
    (formula,) = (one for one in warnings.FORMULAS if one.name == name)
    assert [given for given in speaks if not formula.function(*given)] == []
    assert [given for given in silent if formula.function(*given)] == []


def judged(name: str, *given: Any) -> Any:
    (formula,) = (one for one in verdicts.FORMULAS if one.name == name)
    return formula.function(*given)


@pytest.mark.parametrize(
    ("given", "level", "word", "because"),
    [
        # Megawatts, racks, kilowatts per rack and cooling as used; nodes in a rack, and in one that is sold whole.
        ((0.8, 0.7, 0.6, 0.5, 2, None), "good", "fits; the first limit is power", "{hall_power_used}"),
        ((0.81, 0.7, 0.6, 0.5, 2, None), "tight", "tight; the limit is power", "{hall_power_used}"),
        ((0.7, 1, 0.6, 0.5, 2, None), "tight", "tight; the limit is rack positions", "{hall_racks_used}"),
        ((0.7, 1.01, 0.6, 0.5, 2, None), "bad", "does not fit; the limit is rack positions", "{hall_racks_used}"),
        ((0.7, 0.6, 0.5, 0.9, 2, None), "tight", "tight; the limit is rack cooling", "{cooling_used}"),
        ((0.7, 0.6, 1, 0.5, 2, None), "tight", "tight; the limit is rack power", "A node of"),
        ((0.7, 0.6, 1.1, 0.5, 1, None), "bad", "does not fit; the limit is rack power", "A node of"),
        ((0.7, 0.6, 1.1, 0.5, 2, None), "bad", "does not fit; the limit is rack power", "{nodes_per_rack} of"),
        ((0.7, 0.6, 1.1, 0.5, 2, 18), "bad", "does not fit; the limit is rack power", "A rack built with"),
        ((0.7, 1.2, 1.1, 0.5, 2, 18), "bad", "does not fit; the limit is rack positions", "{hall_racks_used}"),
    ],
)
def test_the_limit_of_which_most_is_used_binds(given: tuple[Any, ...], level: str, word: str, because: str) -> None:
    found = judged("hall_fits", *given)
    assert (found.level, found.word, because in found.reason) == (level, word, True)


@pytest.mark.parametrize(
    ("given", "word"),
    [
        # The swing, its peak, the facility, the hall, the average, a feed that remains, and what a circuit carries.
        ((30, 90, 100, 100, 60, 20, 20), "OK"),
        ((30.1, 90, 100, 100, 60, 20, 20), "large swings"),
        ((30, 90, 100, 100, 60, 20.1, 20), "a lost feed trips breakers"),
        ((40, 100, 100, 100, 60, 20.1, 20), "a lost feed trips breakers"),
        ((40.1, 100, 100, 100, 60, 20.1, 20), "swings reach the rating"),
        ((40.1, 100.1, 110, 100, 60, 20, 20), "swings exceed the supply"),
        ((30, 90, 100.1, 100, 60, 20, 20), "rating exceeds the supply"),
    ],
)
def test_a_supply_follows_as_far_as_it_reaches(given: tuple[float, ...], word: str) -> None:
    found = judged("supply_follows", *given)
    level = {"OK": "good", "swings exceed the supply": "bad"}.get(word, "tight")
    assert (found.level, found.word) == (level, word)


def test_heat_leaves_in_coolant_in_air_or_in_both() -> None:
    assert [judged("heat_carried", share, 1).word for share in (1, 0.99, 0.01, 0)] == [
        "liquid only",
        *["liquid and air"] * 2,
        "air only",
    ]
    assert judged("heat_carried", 0, 1.01).level == "bad"


def test_what_does_not_fit_a_hall_is_refused() -> None:
    assert [bool(judged("node_fits_the_rack", units, 42)) for units in (42, 43)] == [False, True]
    assert [bool(judged("a_node_draws_something", watts)) for watts in (0, 0.5)] == [True, False]
    assert [bool(judged("swing_has_a_lower_end", low, 0.5)) for low in (0.5, 0.51)] == [False, True]


def test_electricity_costs_ten_dollars_a_kilowatt_hour_at_most() -> None:
    assert valid_inputs(POWER, {"price_per_kwh": "10"}).values["price_per_kwh"] == pytest.approx(10 / 3.6e6)
    with pytest.raises(InputError) as refused:
        valid_inputs(POWER, {"price_per_kwh": "10.1"})
    assert "price_per_kwh" in refused.value.problems
