"""Generation on the site, against numbers that others print and sums done by hand."""

from __future__ import annotations

import pytest

from calculators import facts
from calculators.guide.energy import generation
from calculators.units import YEAR, unit

MWH, KWH, MMBTU = (unit(name).factor for name in ("MWh", "kWh", "MMBtu"))


def test_a_heat_rate_is_3412_btu_over_the_efficiency() -> None:
    # The ASME's magazine prints 10,140 Btu/kWh for 34 % and 7,500 for 45 %, both rounded.
    for efficiency, printed in ((0.34, 10_140), (0.45, 7_500)):
        assert generation.heat_rate(efficiency) * KWH / MMBTU * 1e6 == pytest.approx(printed, rel=0.015)


def test_fuel_at_four_dollars_and_forty_percent_is_34_dollars_for_each_megawatt_hour() -> None:
    # 3.412 MMBtu/MWh / 0.4 = 8.53 MMBtu; times 4 USD.
    cost = generation.fuel_cost(4 / MMBTU, generation.heat_rate(0.4)) * MWH
    assert cost == pytest.approx(34.12, abs=0.01)


def test_capital_is_paid_for_by_the_hours_that_are_used() -> None:
    # 2,000 USD/kW, half as much again for the spare, 11.683 % a year (8 %, 15 years), 8,766 h at 80 %.
    paid = generation.annuity(0.08, 15 * YEAR)
    assert paid * YEAR == pytest.approx(0.11683, abs=1e-5)
    cost = generation.capital_cost(2000 / 1e3, 1.5, paid, 0, 0.8) * MWH
    assert cost == pytest.approx(3_000_000 * 0.11683 / (8766 * 0.8), rel=1e-4)


def test_a_step_at_the_limit_proposed_for_texas_needs_little_energy() -> None:
    limit = facts.fact("ramp-limit-ercot.change").value / facts.fact("ramp-limit-ercot.within").value
    assert generation.ramp_energy(8e6, limit) / KWH == pytest.approx(8**2 / (2 * 2) / 3.6)  # 16 MJ


def test_the_machines_differ_as_their_makers_argue() -> None:
    engine, turbine, cell = (facts.all_records()[f"generator-{name}"] for name in ("engine", "turbine", "fuel-cell"))
    assert turbine.value("efficiency") < engine.value("efficiency") < cell.value("efficiency")
    assert turbine.value("installed_cost") < engine.value("installed_cost") < cell.value("installed_cost")
    assert engine.value("lowest_load") < cell.value("lowest_load") < turbine.value("lowest_load")
