"""Cost: owning, renting, dated prices and what a run takes, at figures that do not divide, by hand."""

from __future__ import annotations

from math import log

import pytest

from calculators import facts
from calculators.subjects.money.cost import owning, quotations, renting, spending
from calculators.units import HOUR, YEAR

# A server of 30,000 dollars for a GPU; each dollar more is a quarter of one a year.
PER_HOUR = {
    "server_price_per_gpu": 30_000,
    "residual": 0,
    "capital_rate": 0,
    "book_years": 5 * YEAR,
    "annuity": 0.2,
    "operations": 0.05,
}


def test_a_purchase_is_what_it_is_made_of() -> None:
    assert owning.servers_price(7, 31_000.5) == 217_003.5
    assert (owning.fabric_price(7, 1_500, None), owning.fabric_price(7, 1_500, 9_999)) == (10_500, 9_999)
    assert (owning.storage_price(7, 1_500, None), owning.servers_power(7, 1275)) == (10_500, 8_925)
    assert owning.site_price(9_000, 1.25, 11) == 123_750
    assert owning.capital(5, 7, 11, 13) == 36


def test_a_purchase_is_paid_back_over_its_years() -> None:
    """3,000 $ over two years and a half, a tenth of it left."""
    assert owning.annuity(0, 2.5 * YEAR) == pytest.approx(0.4)
    assert owning.annuity(0.1, YEAR) == pytest.approx(1.1)
    assert owning.annuity(0.1, 2 * YEAR) == pytest.approx(0.1 / (1 - 1 / 1.21))
    assert owning.capital_cost(3_000, 0.1, 0, 2.5 * YEAR, 0.4) == pytest.approx(1_080)
    assert owning.capital_cost(3_000, 0.1, 0.1, 2 * YEAR, 0.5) == pytest.approx((3_000 - 300 / 1.21) / 2)
    assert owning.written_off(3_000, 2.5 * YEAR) == 1_200
    assert owning.residual_for_a_year(1_200, 0.1) == 120
    assert (owning.interest_cost(1_200, 1_200, 120), owning.interest_cost(1_000, 1_200, 120)) == (120, 0)


def test_a_year_of_owning_is_what_it_is_made_of() -> None:
    assert owning.colocation_cost(7, 3) == pytest.approx(21 * YEAR)
    assert owning.every_hours_energy_cost(7, 0.5, 1.2, 3) == pytest.approx(12.6 * YEAR)
    assert owning.operations_rate(0.02, 0.03, 0.04) == pytest.approx(0.09)
    assert owning.operations_cost(3_000, 0.09) == pytest.approx(270)
    assert owning.own_per_year(5, 7, 11, 13) == 36
    # 17,532 $ over two GPUs and 8,766 hours are a dollar; used seven tenths of them, and useful nine tenths of those.
    assert owning.own_per_gpu_hour(17_532, 2) == pytest.approx(1)
    assert owning.own_per_used_hour(1, 0.7) == pytest.approx(1 / 0.7)
    assert owning.own_per_useful_hour(1, 0.9) == pytest.approx(1 / 0.9)
    assert owning.hardware_per_gpu_hour(18_532, 1_000, 2) == pytest.approx(1)
    for each in (
        owning.interest_per_gpu_hour,
        owning.colocation_per_gpu_hour,
        owning.electricity_per_gpu_hour,
        owning.operations_per_gpu_hour,
    ):
        assert each(8_766, 2) == pytest.approx(0.5)


def test_a_dollar_of_the_purchase_is_paid_back_and_kept_up() -> None:
    values = {"residual": 0.1, "capital_rate": 0, "book_years": 2.5 * YEAR, "annuity": 0.4, "operations": 0.09}
    assert owning.yearly_cost_of_a_dollar(values) == pytest.approx(0.45)


@pytest.mark.parametrize("tiers", [renting.STORAGE_TIERS, renting.EGRESS_TIERS])
def test_the_first_byte_pays_the_first_price_and_each_further_one_its_tier_s(tiers: renting.Tiers) -> None:
    (start, end, price), (following, _, next_price), *_ = tiers
    assert (start, following, tiers[-1][1]) == (0, end, float("inf"))
    assert renting.tiered(1, tiers) == renting.tiered(0, tiers) == renting.tiered(end, tiers) == pytest.approx(price)
    assert renting.tiered(2 * end, tiers) == pytest.approx((price + next_price) / 2)
    assert renting.tiered(1, tiers) == price


def test_a_year_of_renting_is_what_it_is_made_of() -> None:
    assert renting.yearly_storage_rent(7, 3) == pytest.approx(21 * YEAR)
    assert renting.yearly_egress_cost(7, 3) == pytest.approx(21 * YEAR)
    # A tenth less each year: over two years the mean of what falls evenly by logarithms.
    assert renting.rent_growth(-0.1, 2 * YEAR) == pytest.approx(0.95)
    assert renting.rent_growth(0.1, 3 * YEAR) == pytest.approx((1.331 - 1) / 0.3)
    assert renting.mean_rent(3, 0.95, 0.2) == pytest.approx(3.42)
    assert renting.rent_of_used_hours(2, 3, 0.7) == pytest.approx(4.2 * 8_766)
    assert renting.rent_of_unused_hours(2, 3, 0.7, 0.9) == pytest.approx(1.2 * 8_766)
    assert renting.rent_of_unused_hours(2, 3, 0.7, 0.6) == 0
    assert renting.rent_per_year(5, 7, 11, 13) == 36
    assert renting.beside_the_rent(8_766, 17_532, 2) == pytest.approx(1.5)
    assert renting.rent_per_used_hour(3, 0.6, 0.5, 0.2) == pytest.approx(4)
    assert renting.rent_per_used_hour(3, 0.4, 0.5, 0.2) == pytest.approx(3.4)
    assert renting.used_rent_per_hour(3, 0.7) == pytest.approx(2.1)
    assert renting.unused_rent_per_hour(3, 0.7, 0.9) == pytest.approx(0.6)
    assert renting.unused_rent_per_hour(3, 0.7, 0.6) == 0
    assert renting.rent_per_useful_hour(3, 0.9) == pytest.approx(3 / 0.9)


def test_a_run_takes_its_hours() -> None:
    assert spending.used_gpu_hours(3, 0.7) == pytest.approx(2.1 * 8_766)
    assert spending.run_owned(7, 2.5) == 17.5
    # A tenth of a year of one of four GPUs that cost 1,000, at half of the value a year.
    assert spending.hardware_used_up(876.6, 1_000, 4, 0.5) == pytest.approx(25 * log(2))
    assert spending.run_electricity(7, 900, 3, 0.5, 1.2, 0.1) == pytest.approx(7 * HOUR * 300 * 0.06)
    assert spending.run_used_up(5, 7) == 12
    assert spending.percent_of_time(3, 2) == pytest.approx(6 * 87.66)
    assert spending.own_per_million(3.5, 123) == pytest.approx(3.5 / 0.4428)


@pytest.mark.parametrize(("over", "report"), [(1.5, "never owned"), (1, "owned from 100%"), (0.5, "owned from 50%")])
def test_a_dated_rent_says_from_which_use_on_owning_costs_less(over: float, report: str) -> None:
    free = [
        record.fields["price_per_gpu_hour"]
        for record in facts.records("prices", "rent-h100-").values()
        if not record.value("commitment")
    ]
    assert free
    for fact in free:
        values = {**PER_HOUR, "own_per_gpu_hour": over * float(fact.value), "beside_the_rent": 0}
        messages = [last for _, price, *_, last in quotations.rows(values) if price == fact.text and "/" not in last]
        assert report in messages


def test_what_is_paid_anyway_is_always_owned_and_a_server_says_what_its_hour_costs() -> None:
    """Each dollar more is a quarter of one a year, over 8,766 hours."""
    values = {**PER_HOUR, "own_per_gpu_hour": 1, "beside_the_rent": 1}
    rows = list(quotations.rows(values))
    assert {last for *_, last in rows if not last.endswith("/GPU-hour")} == {"always owned"}
    server = float(facts.fact("server-price-h100").value)
    hour = 1 + (server - 30_000) * 0.25 / 8_766
    (report,) = {last for name, *_, last in rows if name == facts.fact("server-price-h100").name}
    assert float(report.removeprefix("owned $").removesuffix("/GPU-hour")) == pytest.approx(hour, abs=0.006)


def test_no_price_of_a_whole_cluster_is_among_those_of_a_server_for_one_gpu() -> None:
    """Nothing that is sold for one GPU's share of a server makes an hour of it cost a hundred dollars."""
    values = {**PER_HOUR, "own_per_gpu_hour": 1, "beside_the_rent": 1}
    hours = [last for *_, last in quotations.rows(values) if last.endswith("/GPU-hour")]
    assert all(float(hour.removeprefix("owned $").removesuffix("/GPU-hour")) < 100 for hour in hours)


def test_an_age_of_years_has_its_comma() -> None:
    ages = [age for _, _, _, age, _ in quotations.rows({**PER_HOUR, "own_per_gpu_hour": 1, "beside_the_rent": 1})]
    assert any(age.startswith("1,") for age in ages)
