"""Cost: what moves each side, tiers, the mean of moving rents, dated prices, the bill, and menus against each other."""

from __future__ import annotations

import re
from typing import Any

import pytest

from calculators import cost, facts
from calculators.__main__ import main
from calculators.catalog import CALCULATORS, joined
from calculators.subjects.money.cost.renting import EGRESS_TIERS, STORAGE_TIERS, tiered
from calculators.units import MONTH, YEAR

COST = CALCULATORS["cost"]


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The rows of a sheet as the command line prints them."""
    assert main(["cost", *arguments]) == 0
    return [line for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]


def test_the_specified_cluster_costs_what_was_worked_out_for_it() -> None:
    """49,000 USD, 8 %, five years, a tenth left, full power: 2.34; even at 0.78 of 3.00, 0.59 of 3.99, 0.34 of 6.88."""
    given: dict[str, Any] = {"average_share": 1, "pue": 1.3, "price_per_kwh": 0.0806, "stored": 0, "egress": 0}
    assert round(cost(**given).own_per_gpu_hour, 2) == 2.34
    even = [round(cost(price_per_gpu_hour=rent, **given).break_even_utilization, 2) for rent in (3, 3.99, 6.88)]
    assert even == [0.78, 0.59, 0.34]


def test_without_interest_and_residual_it_is_the_sum_that_guides_print() -> None:
    """1.12 for the purchase, 0.34 for space, 0.56 for operations, 0.13 for electricity: 2.15."""
    plain = cost(capital_rate=0, residual=0, average_share=1, pue=1.3, price_per_kwh=0.0806)
    assert plain.own_per_gpu_hour == pytest.approx(49000 / 43830 + 0.34025 + 4900 / 8766 + 0.13360, abs=1e-4)


def test_three_years_at_ten_percent_are_never_worth_it_at_three_dollars() -> None:
    """Annuity 0.40211 of 49,000 less 3,681 is 18,223; with 2,983, 4,900 and 1,171 it is 27,277 by 8,766 hours."""
    short = cost(capital_rate=0.1, book_years="3 years", average_share=1, pue=1.3, price_per_kwh=0.0806)
    assert round(short.own_per_gpu_hour, 2) == 3.11
    assert short.break_even_utilization > 1


@pytest.mark.parametrize(
    ("amount", "tiers", "mean"),
    [
        (0, STORAGE_TIERS, 0.023 / MONTH),
        (50e12, STORAGE_TIERS, 0.023 / MONTH),
        (500e12, STORAGE_TIERS, 0.0221 / MONTH),  # 50 at 23 and 450 at 22
        (10e12, EGRESS_TIERS, 0.09),
        (150e12, EGRESS_TIERS, (10 * 0.09 + 40 * 0.085 + 100 * 0.07) / 150),
        (1e18, EGRESS_TIERS, 0.05),
    ],
)
def test_each_part_of_an_amount_pays_the_price_of_its_tier(amount: float, tiers: Any, mean: float) -> None:
    assert tiered(amount, tiers) * 1e9 == pytest.approx(mean, rel=2e-3)


def test_rents_that_move_count_with_their_mean() -> None:
    """Two years at 4, the second a half dearer: 4 and 6."""
    assert cost(price_per_gpu_hour=4, rent_trend=0.5, book_years="2 years").mean_rent == pytest.approx(5)


def test_the_lines_of_an_hour_add_up_to_it() -> None:
    found = cost(facility_per_kw=9000, commitment=0.9)
    parts = ("hardware", "interest", "colocation", "electricity", "operations")
    assert sum(getattr(found, f"{part}_per_gpu_hour") for part in parts) == pytest.approx(found.own_per_gpu_hour)
    hours = 1024 * 8766
    rented = (found.used_rent_per_hour + found.unused_rent_per_hour + found.beside_the_rent) * hours
    assert rented == pytest.approx(found.rent_per_year)


def test_at_break_even_use_and_at_break_even_rent_both_sides_cost_the_same() -> None:
    usual = cost()
    used = cost(utilization=usual.break_even_utilization)
    assert used.own_per_useful_hour == pytest.approx(used.rent_per_useful_hour)
    rented = cost(price_per_gpu_hour=usual.break_even_rent)
    assert rented.own_per_useful_hour == pytest.approx(rented.rent_per_useful_hour)
    lower = cost(price_per_gpu_hour=3 * 0.7)
    assert lower.break_even_utilization == pytest.approx(usual.break_even_if_rents_fall)
    assert lower.rent_per_useful_hour == pytest.approx(usual.rent_if_rents_fall)


def test_a_run_never_pays_for_lost_hours_twice() -> None:
    """GPU-hours are billed ones: what goodput loses is among them, and only useful hours are dearer by it."""
    low, high = cost(goodput=0.5, gpu_hours=1e6), cost(goodput=1, gpu_hours=1e6)
    assert (low.training_cost, low.run_owned) == (high.training_cost, high.run_owned)
    assert low.own_per_useful_hour == 2 * high.own_per_useful_hour


def test_a_payback_ends_after_thirty_years() -> None:
    assert cost(price_per_gpu_hour=0.5).payback == 30 * YEAR


def test_every_price_in_the_menu_and_of_a_server_has_its_day() -> None:
    for record in facts.records("prices").values():
        for fact in record.fields.values():
            if fact.unit != "share":
                assert fact.priced_on, fact.key
                assert fact.price_class in {"rent", "survey", "server"}, fact.key


def test_storage_and_egress_besides_a_rent_follow_the_number_of_gpus() -> None:
    """A petabyte next to one rented GPU made its hour cost $53.6."""
    one, thousand = cost(gpus=1), cost(gpus=1000)
    assert (thousand.stored, thousand.egress * MONTH) == (pytest.approx(1e15), pytest.approx(50e12))
    assert one.stored == pytest.approx(1e12)
    assert one.rent_per_useful_hour == pytest.approx(thousand.rent_per_useful_hour, rel=0.01)


def test_what_a_storage_system_costs_replaces_its_price_by_the_gpu() -> None:
    assert cost(gpus=1000).storage_price == 2.5e6
    assert cost(gpus=1000, storage_cost="4M").storage_price == 4e6


@pytest.mark.parametrize("per", ["hour", "month", "year", "million", "whole"])
def test_one_switch_shows_both_bills_per_hour_month_year_million_tokens_or_in_total(per: str) -> None:
    found = cost(money_per=per, serving_tokens_per_second_per_gpu=1000)
    amounts = {
        "hour": (found.own_per_gpu_hour, found.rent_per_year / found.gpus / 8766),
        "month": (found.own_per_year / 12, found.rent_per_year / 12),
        "year": (found.own_per_year, found.rent_per_year),
        "million": (found.own_per_used_hour / 3.6, found.rent_per_used_hour / 3.6),
        "whole": (found.own_per_year * 5, found.rent_per_year * 5),
    }
    assert [found.own_shown, found.rent_shown] == pytest.approx(amounts[per])


def test_dated_prices_show_their_age_old_ones_marked_and_what_they_make_of_the_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = report(capsys, "--prices")
    lambda_eight = next(row for row in rows if row.startswith("| Lambda, server of eight H100 SXM |"))
    assert "| $3.99/GPU-hour | 2026-09-25 | 63 days | owned from 57.1% |" in lambda_eight
    middle = next(row for row in rows if row.startswith("| Specialist clouds"))
    assert "180 days, old" in middle
    assert cost(rent_as="rent-h100-lambda-eight").text("break_even_utilization") == "57.1%"
    shop = next(row for row in rows if row.startswith("| DGX H100"))
    assert f"owned {cost(server_price_per_gpu=46875).text('own_per_gpu_hour')}" in shop


def test_a_dated_price_appears_next_to_a_purchase_of_nothing_too(capsys: pytest.CaptureFixture[str]) -> None:
    nothing = {"fabric_per_gpu": 0, "storage_per_gpu": 0}
    arguments = [f"--{name.replace('_', '-')}=0" for name in (*nothing, "server_price_per_gpu")]
    shop = next(row for row in report(capsys, "--prices", *arguments) if row.startswith("| DGX H100"))
    assert f"owned {cost(server_price_per_gpu=46875, **nothing).text('own_per_gpu_hour')}" in shop


def test_every_line_is_in_the_bill_those_that_are_off_too(capsys: pytest.CaptureFixture[str]) -> None:
    rows = report(capsys, "--bill")
    lines = [row.split(" | ")[1] for row in rows[1:]]
    assert lines == [
        *("Servers, written off", "Fabric, written off", "Storage, written off", "Own site, written off"),
        *("Residual value", "Interest", "Space and power rented", "Electricity"),
        *("Support contract", "Spare parts", "Staff", "Together"),
        *("Hours used", "Hours paid and not used", "Support contract", "Storage", "Egress", "Together"),
    ]
    assert sum("off: nothing was given" in row for row in rows) == 3
    one_share = [row.split(" | ")[1] for row in report(capsys, "--bill", "--operations", "8%")]
    assert "Operations: support, spares, staff" in one_share


def test_the_published_meanings_of_a_run_are_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    """Epoch's purchase, 896 million for Llama 3.1 405B, is printed in dollars of 2023: half a percent below."""
    given = ("--gpus", "16384", "--server-price-per-gpu", "44489.88", "--fabric-per-gpu", "10435.9")
    rows = report(capsys, "--conventions", *given, "--storage-per-gpu", "0", "--gpu-hours", "35094528")
    assert any("$105M for 35.1M GPU-hours at $3/GPU-hour" in row for row in rows)
    assert any(re.search(r"\$900M for 16,384 GPUs", row) for row in rows)
    assert any("$2,160, $2,190, $2,190" in row for row in rows)


def test_a_rent_on_a_price_list_goes_before_the_price_of_a_device() -> None:
    assert cost(accelerator="h200-sxm").price_per_gpu_hour == 4
    chosen = cost(accelerator="h200-sxm", rent_as="rent-h100-nebius")
    assert chosen.price_per_gpu_hour == 3.85
    assert cost(rent_as="rent-h100-one-year-index").commitment == 1
    assert cost(rent_as="rent-h100-nebius", price_per_gpu_hour=3.3).price_per_gpu_hour == 3.3


def test_a_device_brings_its_rent_its_server_and_what_the_rest_of_it_draws() -> None:
    b200 = cost(accelerator="b200-sxm")
    assert (b200.price_per_gpu_hour, b200.server_price_per_gpu, b200.watts_per_gpu) == (6.99, 47409.13, 1787.5)


def test_in_the_join_power_fabric_and_hours_come_from_those_who_count_them() -> None:
    machine = joined()
    values = machine.evaluate({"gpus": 1024.0, "utilization": 0.5, "switch_price": 40000.0, "link_price": 500.0})
    alone = CALCULATORS["power"].evaluate({"gpus": 1024.0, "utilization_of_year": 0.5})
    assert values["utilization_of_year"] == 0.5
    assert values["it_power"] > values["servers_power"]
    assert values["energy_cost"] == pytest.approx(values["yearly_energy"] * values["price_per_kwh"])
    assert values["energy_cost"] == pytest.approx(alone["energy_cost"], rel=0.2)
    assert values["fabric_price"] == values["fabric_cost"] == values["switches"] * 40000 + values["fabric_links"] * 500
    assert values["gpu_hours"] == values["gpus"] * values["training_duration"] / 3600
    assert values["training_cost"] == values["gpu_hours"] * values["price_per_gpu_hour"]


def test_in_the_join_gpus_that_only_read_prompts_are_paid_for_as_well() -> None:
    """With every copy busy, the rent of all of them by what they write is the rent of a million tokens."""
    fits = {"weight_bytes": 1.0, "serving_tensor_parallel": 16.0}
    busy = {"request_rate": 1e5, "target_utilization": 1.0, "price_per_gpu_hour": 3.0, "disaggregated": True}
    values = joined().evaluate(fits | busy)
    assert values["prefill_replicas"] > 0.1 * values["replicas"]
    assert values["cost_per_million"] == pytest.approx(values["cost_per_million_output"], rel=1e-4)
    owned_over_rented = values["own_per_used_hour"] / values["price_per_gpu_hour"]
    assert values["own_per_million"] == pytest.approx(owned_over_rented * values["cost_per_million_output"], rel=1e-4)


def test_egress_by_the_month_is_paid_by_the_byte() -> None:
    """100 TB in a month of which 10 cost 90, 40 85 and 50 70 USD for each TB: 7,800 a month."""
    found = cost(egress="100 TB/month")
    assert found.yearly_egress_cost == pytest.approx(12 * 7800)
    assert found.egress * MONTH == pytest.approx(100e12)


def test_support_besides_a_rent_is_a_share_of_all_that_is_paid_for_hours() -> None:
    """5 % of 6,423,183 is 321,159; ClusterMAX prints 321,422 for a hyperscaler."""
    without, found = cost(commitment=1), cost(commitment=1, rent_support=0.05)
    hours = without.rent_of_used_hours + without.rent_of_unused_hours
    assert found.rent_per_year - without.rent_per_year == pytest.approx(0.05 * hours)
    assert found.payback < without.payback
