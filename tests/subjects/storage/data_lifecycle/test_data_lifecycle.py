"""The data lifecycle: the default scenario, odd inputs, the bill by hand, placements against whole bills."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import parse_inputs, valid_inputs
from calculators.declare import Values
from calculators.subjects.storage.data_lifecycle import media
from calculators.subjects.storage.data_lifecycle.bill import stream_fees
from calculators.subjects.storage.data_lifecycle.calculator import CALCULATOR
from calculators.subjects.storage.data_lifecycle.cost_lines import COST_LINES
from calculators.subjects.storage.data_lifecycle.placement import reads_to_break_even, stay_to_break_even
from calculators.subjects.storage.data_lifecycle.recommendations import recommendations
from calculators.subjects.storage.data_lifecycle.streams import WARM, Estate, level
from calculators.subjects.storage.data_lifecycle.tables import PURCHASES, purchases
from calculators.units import DAY, MONTH, YEAR

TB = 1e12


def values(**given: Any) -> Values:
    """Every value of a state."""
    return answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, given))


def problems(**given: Any) -> dict[str, str]:
    """What is wrong with a state."""
    return dict(parse_inputs(CALCULATOR, given).problems)


@pytest.mark.parametrize(
    ("month", "hot", "warm", "cold", "raw_warm", "raw_cold"),
    [
        (0, 82.69, 731.9, 560.1, 500.0, 0),
        (12, 100.7, 894.1, 1123, 656.6, 200.0),
        (24, 132.9, 1121, 1929, 855.9, 500.0),
        (36, 177.9, 1501, 2991, 1198.3, 856.6),
    ],
)
def test_the_default_estate_by_month(
    month: int, hot: float, warm: float, cold: float, raw_warm: float, raw_cold: float
) -> None:
    """As the specification prints it, to four digits."""
    found = values(shown_month=f"{month} months")
    shown = [found[name] / TB for name in ("hot_held", "warm_held", "cold_held", "raw_warm", "raw_cold")]
    assert shown == pytest.approx([hot, warm, cold, raw_warm, raw_cold], rel=6e-4)


def test_the_default_bill_and_rates() -> None:
    found = values()
    assert [found[name] / TB for name in ("hot_peak", "warm_peak", "cold_peak")] == pytest.approx(
        [349.1, 1587, 2991], rel=3e-4
    )
    assert [sum(year) / 1e3 for year in found["bill"].years] == pytest.approx([67.4, 89.3, 123.1], abs=0.05)
    assert found["bill_total"] == pytest.approx(279_800, rel=2e-4)
    assert (found["bill_at_half_growth"], found["bill_at_more_growth"]) == pytest.approx((239e3, 326e3), rel=2e-3)
    assert [found[f"{tier}_tb_month"] * TB * MONTH for tier in ("hot", "warm", "cold")] == pytest.approx(
        [18.48, 2.27, 0.31], abs=0.005
    )
    assert found["bill_per_tb_month"] * TB * MONTH == pytest.approx(2.83, abs=0.005)
    rates = [found[f"{tier}_{way}_rate"] / 1e6 for tier in ("hot", "warm", "cold") for way in ("read", "write")]
    assert rates == pytest.approx([95, 1130, 150, 147, 54, 46], abs=0.5)
    assert (found["storage_power"], found["storage_units"]) == pytest.approx((1880, 12.5), rel=5e-3)
    assert (found["prep_time_now"] / DAY, found["prep_time"] / DAY) == pytest.approx((5.0, 20.4), abs=0.05)
    assert (found["tape_drives_needed"], found["cold_restore_time"] / 3600) == (3, pytest.approx(29, abs=0.1))
    months = [limit.month for limit in values(hot_bought="300TB", warm_bought="1.6PB", cold_bought="2PB")["limits"]]
    assert months == [13, 19, 23]


def test_what_to_buy_by_year() -> None:
    found = values()
    bought = [
        [raw / TB for raw in purchases(found["plan"], tier, found[f"{name}_tier"])]
        for tier, name in ((1, "hot"), (2, "warm"), (3, "cold"))
    ]
    assert bought[0] == pytest.approx([294, 105, 147], abs=0.6)
    assert bought[1] == pytest.approx([1430, 400, 650], rel=0.01)
    assert bought[2] == pytest.approx([1250, 900, 1180], rel=0.01)
    assert len(list(PURCHASES.rows(found))) == len(list(PURCHASES.rows(values(growth_years=20)))) == 7
    # What is bought in year 1 is bought again after 5 years.
    again = values(growth_years=6, ingest_growth=0, ingest=0)
    whole = purchases(again["plan"], 1, again["hot_tier"])
    assert whole[5] == pytest.approx(whole[0])
    assert purchases(again["plan"], 2, values(warm_medium="medium-s3-ia")["warm_tier"]) == []


@pytest.mark.parametrize(
    ("estate", "now", "then", "bill"),
    [
        ("estate-llm-lab", 1.37, 4.67, 0.28),
        ("estate-driving", 7.2, 25.7, 2.54),
        ("estate-life-sciences", 5.0, 9.9, 0.53),
        ("estate-rag", 0.26, 0.39, 0.061),
        ("estate-sovereign", 27.9, 64.8, 3.38),
    ],
)
def test_example_estates(estate: str, now: float, then: float, bill: float) -> None:
    found = values(estate=estate)
    shown = (found["stored_now"] / 1e15, found["stored_at_end"] / 1e15, found["bill_total"] / 1e6)
    assert shown == pytest.approx((now, then, bill), rel=9e-3)


def test_a_medium_that_is_given_stays_where_an_estate_has_its_own() -> None:
    typed = parse_inputs(CALCULATOR, {"estate": "estate-driving", "hot_medium": "medium-tlc-file"})
    assert typed.presets["hot_medium"] == "medium-tlc-file"
    assert parse_inputs(CALCULATOR, {"estate": "estate-driving"}).presets["hot_medium"] == "medium-qlc-object"


@pytest.mark.parametrize(
    ("fast", "slow", "reads"),
    [
        ("medium-tlc-file", "medium-qlc-object", 134),
        ("medium-qlc-object", "medium-hdd-object", 94),
        ("medium-hdd-object", "medium-tape-lto9", 2.4),
        ("medium-s3-standard", "medium-s3-ia", 1.05),
        ("medium-s3-standard", "medium-s3-glacier-instant", 0.63),
        ("medium-s3-ia", "medium-s3-glacier-instant", 0.42),
        ("medium-s3-standard", "medium-s3-deep-archive", 8.7),
        ("medium-gcs-standard", "medium-gcs-archive", 0.38),
    ],
)
def test_break_even_reads_of_neighbors(fast: str, slow: str, reads: float) -> None:
    found = reads_to_break_even(media.listed(fast), media.listed(slow), values()["terms"])
    assert found == pytest.approx(reads, rel=0.025)


@pytest.mark.parametrize(("object_size", "days"), [("1GB", 16), ("128kB", 275)])
def test_a_move_to_an_archive_pays_later_for_small_objects(object_size: str, days: float) -> None:
    pair = [media.listed(key) for key in ("medium-s3-standard", "medium-s3-glacier-instant")]
    stay = stay_to_break_even(pair[0], pair[1], values(object_size=object_size)["terms"])
    assert stay is not None
    assert stay / DAY == pytest.approx(days, rel=0.03)


def test_the_cheapest_of_160_placements() -> None:
    """Those of the specification; each as expensive as a plan with that medium and age given."""
    found = values()["search"]
    assert len(found.placements) == 160
    assert (found.cheapest.warm, found.cheapest.cold, found.cheapest.months) == (
        "medium-hdd-object",
        "medium-tape-lto9",
        1,
    )
    assert found.cheapest.cost == pytest.approx(256_800, rel=2e-4)
    assert found.placements[-1].cost == pytest.approx(1_327_000, rel=1e-3)
    best = {(one.warm, one.cold): one.cost for one in found.best_of_each_pair}
    assert len(best) == 20
    for pair, cost in (
        (("medium-hdd-object", "medium-s3-deep-archive"), 282_800),
        (("medium-hdd-object", "medium-hdd-object"), 368_700),
        (("medium-s3-standard", "medium-s3-deep-archive"), 552_600),
    ):
        assert best[pair] == pytest.approx(cost, rel=1e-3)


@pytest.mark.parametrize("trend", ["0%", "20%"])
@pytest.mark.parametrize("place", [3, 40, 77, 111, 150])
def test_a_placement_costs_what_a_plan_with_it_costs(place: int, trend: str) -> None:
    given = {
        "object_size": "2MB",
        "media_price_trend": trend,
        "replica_sites": 1,
        "hot_landing": "10 d",
        "archive_per_month": "3TB/month",
    }
    one = values(**given)["search"].placements[place]
    plan = values(**given, warm_medium=one.warm, cold_medium=one.cold, cold_after=f"{one.months} months")
    assert one.cost == pytest.approx(plan["bill_total"])


def test_what_the_bill_is_made_of_adds_up() -> None:
    found = values(estate="estate-rag", cold_medium="medium-s3-deep-archive")
    lines = ("local_cost", "hot_cost", "warm_cost", "cold_cost", "drives_cost", "fees_cost", "transfer_cost")
    assert sum(found[line] for line in lines) == pytest.approx(found["bill_total"])
    assert found["fees_cost"] > 0
    assert found["drives_cost"] == 0


def test_fees_of_a_stream_by_hand() -> None:
    """1 TB of logs a month in objects of 1 MB: 6 months warm where 8 are billed, then half of them go cold.

    A year is 12 million writes at 10 USD per million, and half as many reads at 1 USD per million, with 10 USD/TB
    retrieved; the 12 TB that leave pay 10 USD/TB/month for 2 months more.
    """
    logs = level("logs", 1e12 / MONTH, 0, (0, 0, 6 * MONTH, 12 * MONTH), YEAR, (1, 1, 0.5))
    medium = replace(
        media.listed("medium-s3-ia"), put=0.01, get=0.001, retrieval=10 / 1e12, rent=1e-11 / MONTH, least_stay=8 * MONTH
    )
    prices = replace(values()["prices"], object_size=1e9, other_object_size=1e6)
    fees = stream_fees(Estate((logs,), 24, MONTH, 0, 0), logs, WARM, medium, prices, 12, 24)
    assert fees == pytest.approx(120 + 6 + 60 + 240)


@pytest.mark.parametrize(
    "given", [{}, {"capital_rate": 0}, {"warm_medium": "medium-s3-ia", "object_size": "50kB", "operations": "7%"}]
)
def test_the_lines_of_a_stored_tb_add_up_to_its_price(given: dict[str, Any]) -> None:
    found = values(**given)
    for name, lines in COST_LINES.items():
        price = lines(found)
        assert sum(price.bundle.values()) + sum(price.lines.values()) == pytest.approx(found[name]), name
    hot = COST_LINES["hot_tb_month"](found).bundle
    refresh, raw = found["hot_tier"].refresh, found["hot_tier"].raw_per_stored
    assert hot["drives"] == pytest.approx(found["hot_media_price"] / refresh)
    assert hot["protection and free space"] == pytest.approx(
        found["hot_media_price"] / found["hot_media_share"] * (raw - 1) / refresh
    )
    assert (hot["interest"] > 1e-9 * found["hot_tb_month"]) == (found["capital_rate"] > 0)


def test_preparation_runs_short_once_it_takes_half_of_the_time_between_versions() -> None:
    scarce = {"prep_cores": 70}
    month = next(one.month for one in values(**scarce)["limits"] if one.name == "preparation")
    before, then = (values(**scarce, shown_month=f"{number} months") for number in (month - 1, month))
    assert month > 1
    assert before["prep_time"] <= before["version_interval"] / 2 < then["prep_time"]


def test_the_hot_tier_is_too_slow_from_the_month_in_which_it_is_busier_than_planned() -> None:
    scarce = {"prep_passes": 50, "hot_bought": "600TB", "busy_share": "2.2%"}
    month = next(one.month for one in values(**scarce)["limits"] if one.name == "hot bandwidth")
    before, then = (values(**scarce, shown_month=f"{number} months") for number in (month - 1, month))
    assert month > 1
    assert before["hot_busy"] <= 0.022 < then["hot_busy"]


def test_the_band_of_a_falling_ingest_is_that_of_half_and_of_one_and_a_half_times_the_fall() -> None:
    found = values(ingest_growth="-50%", prepared_growth=0, index_growth=0)
    slower, faster = (values(ingest_growth=growth, prepared_growth=0, index_growth=0) for growth in ("-25%", "-75%"))
    assert found["bill_at_half_growth"] == pytest.approx(slower["bill_total"])
    assert found["bill_at_more_growth"] == pytest.approx(faster["bill_total"])


def test_only_tape_needs_tape_drives() -> None:
    restores = values()["restores"]
    drives = [restores.drives_needed(media.listed(f"medium-{name}"), 1e15) for name in ("hdd-object", "s3-ia")]
    assert drives == [0, 0]


def test_odd_inputs() -> None:
    still = values(ingest="0TB/month")
    assert still["cold_held"] / TB == pytest.approx(1079.5, rel=1e-3)
    assert still["bill_total"] == pytest.approx(224_800, rel=1e-3)
    empty = values(ingest="0TB/month", raw_data=0)
    assert empty["estate"].raw is None
    assert (empty["prep_time"], empty["recall_time"]) == (0, 0)
    assert empty["hot_held"] == values()["hot_held"]
    assert values(cold_after=0)["warm_held"] / TB == pytest.approx(302.7, rel=1e-3)
    assert values(growth_years=20)["stored_at_end"] == pytest.approx(1.5e18, rel=0.05)
    assert min(values(ingest_growth="-50%")[f"{tier}_held"] for tier in ("hot", "warm", "cold")) > 0
    assert values(checkpoint_size=0)["estate"].streams[2].name == "models"
    assert values(growth_years=0)["plan_months"] == 1
    assert values(shown_month="200 months")["month_number"] == 36


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (
            {"hot_landing": "3 months", "cold_after": "2 months"},
            "cannot go cold after 2 months while it lands hot for 3",
        ),
        ({"kept_for": "1 year"}, "deleted before it goes cold after 24 months"),
        ({"raw_kept": "50%"}, "Triage needs a place to land"),
        ({"kv_kept": "1TB"}, "nothing writes them"),
    ],
)
def test_ages_that_contradict_each_other_are_refused(given: dict[str, Any], text: str) -> None:
    assert text in " ".join(problems(**given).values())


def advice(**given: Any) -> list[str]:
    """Labels of the recommendations of a state."""
    return [label for label, _ in recommendations(values(**given))]


def test_recommendations_delete_first_and_order_last() -> None:
    assert advice(replica_sites=1) == [
        "Raw data cold after {cold_after}, on Disks, object store and Tape, LTO-9",
    ]
    found = advice(hot_bought="200TB", warm_bought="1PB", replica_sites=1)
    assert found[:3] == [
        "Keep logs for {log_retention}",
        "Keep no old version of prepared data",
        "Buy {hot_bought} hot, {warm_bought} warm",
    ]
    assert "Prepare on {prep_cores}" in advice(prep_cores=100)
    assert "Use as many tape drives as needed" in advice(tape_drives=2)
    assert "Keep {backup_copies} backup copies" in advice()
    packed = advice(cold_medium="medium-s3-deep-archive", object_size="1MB")
    assert "Pack raw data into objects of {object_size}" in packed
    assert "Pack raw data into objects of {object_size}" not in advice(object_size="1MB")


def test_the_recommended_placement_costs_what_was_found() -> None:
    before = values(replica_sites=1)
    changes = dict(list(recommendations(before))[-1][1])
    assert CALCULATOR.after(before, changes)["bill_total"] == pytest.approx(before["cheapest_bill"])


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"replica_sites": 0, "backup_copies": 0}, "one copy"),
        ({"replica_sites": 1, "backup_copies": 1}, "OK"),
        ({"backup_copies": 2}, "OK"),
        ({"backup_copies": 2, "backup_offsite": "no"}, "incomplete"),
        ({"replica_sites": 2, "backup_copies": 0}, "incomplete"),
    ],
)
def test_three_copies_two_media_one_away(given: dict[str, Any], word: str) -> None:
    assert values(**given)["copies"].word == word
