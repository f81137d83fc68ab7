"""Published rates of failure: one of each definition calculated by hand from what its source prints."""

from __future__ import annotations

import pytest

from calculators import facts
from calculators.guide.failures import failure_data
from calculators.guide.failures.failure_rate import COUNTED, USES, Rate, counting_error

HOUR = 3600.0


def of(machine: str, counted: str, how: str = "") -> Rate:
    (found,) = [r for r in failure_data.counting(counted) if r.machine.startswith(machine) and r.how.endswith(how)]
    return found


@pytest.mark.parametrize(
    ("machine", "counted", "how", "hours"),
    [
        # 419 interruptions in 54 days of 24 hours on 16,384 GPUs.
        ("Llama 3", "stops", "", 54 * 24 * 16384 / 419),
        # 7.9 hours between failures of jobs of 1,024 GPUs.
        ("Meta RSC-1, large", "stops", "", 7.9 * 1024),
        # Stalls of ten minutes leave 44 %: a failure every 10 / 0.56 minutes, on 100,000 GPUs.
        ("Meta, FT-HSDP", "stops", "", 10 / 0.56 / 60 * 100_000),
        # 2.3 interruptions a day of a thousand servers of eight.
        ("Meta, 32,000", "stops", "", 1000 * 8 * 24 / 2.3),
        # The cluster down 14 times in 55 days, or in 73.
        ("SKT", "stops", "", 504 * 55 * 24 / 14),
        # 35 + 70 restarts of 992 GPUs in two months, a sixth of a year of 365.25 days.
        ("OPT", "stops", "", 992 * 365.25 * 24 / 6 / 105),
        # 6.5 failures in a thousand days of a node of eight.
        ("Meta RSC-1", "nodes", "", 1000 * 24 * 8 / 6.5),
        # 584 faults of 400 servers of eight in 348 days.
        ("StepFun", "nodes", "among them", 400 * 8 * 348 * 24 / 584),
        # Ten failures of 504 GPUs in 55 days.
        ("SKT", "gpus", "", 504 * 55 * 24 / 10),
        # 148 + 72 + 19 + 17 + 6 + 6 interruptions by GPUs.
        ("Llama 3", "gpus", "", 54 * 24 * 16384 / 268),
        # One message every 1.4 hours from 448 GPUs.
        ("NCSA Delta", "messages", "all messages", None),
        # Five failures a day of 1,500 GPUs.
        ("Customers", "claims", "", 1500 * 24 / 5),
        # One in a hundred GPUs a year of 365.25 days.
        ("Databricks", "claims", "", 100 * 365.25 * 24),
    ],
)
def test_a_rate_follows_from_what_its_source_prints(machine: str, counted: str, how: str, hours: float | None) -> None:
    if hours is None:
        messages = {rate.device: rate.per_gpu / HOUR for rate in failure_data.counting("messages") if rate.how == how}
        assert messages == pytest.approx({"A100": 1.4 * 448, "GH200": 1.9 * 608})
    else:
        assert of(machine, counted, how).per_gpu / HOUR == pytest.approx(hours)


def test_what_a_source_leaves_open_holds_the_rate() -> None:
    assert of("BLOOM", "gpus").low == pytest.approx(384 * 7 * 24 / 2 * HOUR)
    assert of("BLOOM", "gpus").high == pytest.approx(384 * 7 * 24 / 1 * HOUR)
    assert of("SKT", "stops").high == pytest.approx(504 * 73 * 24 / 14 * HOUR)
    analyst = {rate.device: rate for rate in failure_data.counting("claims") if rate.machine == "An analyst's range"}
    assert (analyst["GB200"].low, analyst["GB200"].high) == (1000 * 24 * HOUR, 3000 * 24 * HOUR)
    assert (analyst["H100"].low, analyst["H100"].high) == (2000 * 24 * HOUR, 5000 * 24 * HOUR)
    for rate in failure_data.rates():
        assert (rate.low or rate.per_gpu) <= rate.per_gpu <= (rate.high or rate.per_gpu)


def test_a_rate_is_as_old_as_its_source() -> None:
    assert of("OPT", "stops").year == 2022
    assert of("Llama 3", "stops").year == 2024


def test_rates_appear_under_what_they_count_the_most_frequent_failures_first() -> None:
    order = [(list(COUNTED).index(rate.counted), rate.per_gpu) for rate in failure_data.rates()]
    assert order == sorted(order)
    assert {rate.use for rate in failure_data.rates()} == set(USES)
    assert {rate.counted for rate in failure_data.rates()} == set(COUNTED)


def test_no_band_rests_on_a_rate_that_we_know_second_hand() -> None:
    assert {rate.machine for rate in failure_data.rates() if rate.second_hand} >= {"Meta, 32,000 GPUs"}
    for band in (failure_data.dedicated(), failure_data.shared()):
        assert [rate.machine for rate in (band.low, band.middle, band.high) if rate.second_hand] == []


def test_every_rate_has_a_source_that_can_be_opened() -> None:
    assert [rate.machine for rate in failure_data.rates() if not (rate.fact.source and rate.fact.source.url)] == []


@pytest.mark.parametrize(
    ("key", "machine", "counted"),
    [
        ("mtbf-rsc1", "Meta RSC-1", "nodes"),
        ("mtbf-rsc2", "Meta RSC-2", "nodes"),
        ("mtbf-opt", "OPT", "nodes"),
        ("mtbf-bloom", "BLOOM", "gpus"),
        ("gpu-mtbf", "Llama 3", "stops"),
        ("mtbf-rsc1-jobs", "Meta RSC-1, large", "stops"),
    ],
)
def test_the_menu_of_the_goodput_calculator_agrees_with_the_table(key: str, machine: str, counted: str) -> None:
    assert facts.fact(key).value == pytest.approx(of(machine, counted).per_gpu, rel=2e-3)


def test_the_default_is_the_best_rate_not_known_second_hand_and_its_hedge_holds_both_bands() -> None:
    default = facts.fact("gpu-mtbf")
    read = [rate.per_gpu for rate in failure_data.counting("stops") if not rate.second_hand]
    assert max(read) == pytest.approx(default.value, rel=2e-3)
    above = [rate.machine for rate in failure_data.counting("stops") if rate.per_gpu > max(read)]
    assert above == ["Meta, 32,000 GPUs"], "only this one was not read at its source"
    assert default.spread
    for band in (failure_data.dedicated(), failure_data.shared()):
        assert default.spread[0] <= band.low.per_gpu < band.middle.per_gpu < band.high.per_gpu <= default.spread[1]


def test_chance_alone_moves_a_count_of_ten_by_a_third_and_one_of_four_hundred_by_a_twentieth() -> None:
    assert counting_error(10) == pytest.approx(1 / 3, rel=0.06)
    assert counting_error(400) == pytest.approx(1 / 20)
