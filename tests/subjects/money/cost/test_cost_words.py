"""What cost says of its own accord: every check and caution speaks once and is silent once; advice turns the answer."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from tests.subjects.training.training_memory.said import said

COST = CALCULATORS["cost"]
# Prices that nobody published, so that none of them is old.
OWN: dict[str, Any] = {"price_per_gpu_hour": 3.1, "server_price_per_gpu": 37000}


def spoken(**given: Any) -> dict[str, str]:
    return said(COST, {key: str(text) for key, text in given.items()})


SPEAKS: list[tuple[str, dict[str, Any], str]] = [
    (
        "prices_are_old",
        # 31 May and 31 August 2024 to 22 November 2026: 175 and 813 days
        {},
        (
            "Prices were last looked up on 2026-11-22: the rent of $3/GPU-hour is of 2026-05-31, 175 "
            "days before; a server at $37,500 per GPU is of 2024-08-31, 813 days before. Compare "
            "prices of the same month before you decide."
        ),
    ),
    (
        "prices_are_old",
        {"rent_as": "rent-h100-oracle", "server_price_per_gpu": 37000},
        (
            "Prices were last looked up on 2026-11-22: the rent of $10/GPU-hour is of 2025-03-17, "
            "615 days before. Compare prices of the same month before you decide."
        ),
    ),
    (
        "running_prices_are_old",
        # 31 December 2025 to 22 November 2026: 326 days
        {},
        (
            "Older than 90 days: space and power at $195/kW/month and electricity at $0.0861/kWh, "
            "2025-12-31, 326 days. Ask what your facility pays."
        ),
    ),
    (
        "running_prices_are_old",
        {"price_per_kwh": 0.09},
        ("Older than 90 days: space and power at $195/kW/month, 2025-12-31, 326 days. Ask what your facility pays."),
    ),
    (
        "reservation_without_commitment",
        {"price_per_gpu_hour": 1.9},
        (
            "$1.90/GPU-hour is below on-demand prices of such a device: a reservation is paid used "
            "or not. Set the committed hours."
        ),
    ),
    (
        "prices_of_another_device",
        {"gpu_power": 1000, "price_per_gpu_hour": 3, "server_price_per_gpu": 37500},
        "$3/GPU-hour and $37,500 are an H100's prices, but 1 kW is another device's power: set its own prices.",
    ),
    (
        "prices_of_another_device",
        {"accelerator": "a100-sxm-80gb"},
        "$37,500 is an H100's price, but 400 W is another device's power: set its own prices.",
    ),
    (
        "lines_forgotten",
        {"storage_per_gpu": 0, "staff_rate": 0, "capital_rate": 0},
        ("The owner's bill has no storage, staff or interest: quotes often leave these out, but they are paid."),
    ),
    (
        "lines_forgotten",
        {"operations": 0},
        ("The owner's bill has no support, spare parts or staff: quotes often leave these out, but they are paid."),
    ),
    (
        "rent_without_storage",
        {"stored": 0, "egress": 0},
        ("The rented bill has no storage or egress: ask the provider for the price before you compare."),
    ),
    (
        "rent_without_storage",
        {"egress": 0},
        "The rented bill has no egress: ask the provider for the price before you compare.",
    ),
    (
        "site_twice",
        {"facility_per_kw": 15000},
        "The facility is both built and rented: set one of $15,000/kW and $195/kW/month to 0.",
    ),
    (
        "site_twice",
        {"colocation_per_kw_month": 0},
        ("No cost for space, power and cooling: set the colocation price or the facility construction price."),
    ),
    (
        "residual_above_market",
        # 0.724 to the power of five is 0.199
        {"residual": 0.21},
        ("A residual value of 21% after 5 years is more than devices keep that lose 27.6% a year."),
    ),
    (
        "utilization_above_published",
        {"utilization": 0.95},
        "95% utilization is more than large clusters report: Meta's reach 85%.",
    ),
    (
        "unusual_book",
        {"book_years": "7 years"},
        "7 years depreciates slower than published books, which take 3 to 6 years.",
    ),
    (
        "unusual_book",
        {"book_years": "2 years"},
        "2 years depreciates faster than published books, which take 3 to 6 years.",
    ),
    (
        "rent_for_nothing",
        {"price_per_gpu_hour": 0},
        "Nothing is even with an hour for nothing; give what one costs",
    ),
]
SILENT: list[tuple[str, dict[str, Any]]] = [
    ("prices_are_old", OWN),
    ("prices_are_old", {"rent_as": "rent-h100-nebius", "server_price_per_gpu": 37000}),
    ("running_prices_are_old", {"price_per_kwh": 0.09, "colocation_per_kw_month": 200}),
    ("reservation_without_commitment", {"price_per_gpu_hour": 1.99}),
    ("reservation_without_commitment", {"price_per_gpu_hour": 1.9, "commitment": 1}),
    ("reservation_without_commitment", {"accelerator": "a100-sxm-80gb"}),
    ("prices_of_another_device", {}),
    ("prices_of_another_device", {"accelerator": "b200-sxm"}),
    ("lines_forgotten", {}),
    ("lines_forgotten", {"operations": 0.08, "staff_rate": 0}),
    ("rent_without_storage", {}),
    ("site_twice", {}),
    ("site_twice", {"facility_per_kw": 15000, "colocation_per_kw_month": 0}),
    ("residual_above_market", {"residual": 0.19}),
    ("utilization_above_published", {"utilization": 0.85}),
    ("unusual_book", {"book_years": "6 years"}),
    ("unusual_book", {"book_years": "3 years"}),
    ("rent_for_nothing", {}),
]


@pytest.mark.parametrize(("name", "given", "sentence"), SPEAKS)
def test_it_says_what_is_wrong(name: str, given: dict[str, Any], sentence: str) -> None:
    assert spoken(**given).get(name) == sentence


@pytest.mark.parametrize(("name", "given"), SILENT)
def test_it_is_silent_where_nothing_is_wrong(name: str, given: dict[str, Any]) -> None:
    assert name not in spoken(**given)


def test_everything_that_can_speak_is_heard_in_both_ways() -> None:
    names = {formula.name for role in ("constraint", "warning") for formula in COST.of_role(role)}
    assert names == {name for name, *_ in SPEAKS} == {name for name, _ in SILENT}


def judged(**given: Any) -> tuple[str, str, str]:
    resolved = valid_inputs(COST, {key: str(text) for key, text in given.items()})
    found = answer.verdicts(COST, answer.evaluated(COST, resolved))["own_or_rent"]
    return found["level"], found["word"], found["reason"]


@pytest.mark.parametrize(
    ("given", "level", "word", "reason"),
    [
        (
            {},
            "tight",
            "renting costs less, at this rent",
            "Owning costs less from 75.9% utilization on: utilization decides",
        ),
        (
            {"rent_as": "rent-h100-aws-p5"},
            "good",
            "owning costs less",
            "Owning costs less from 33.1% utilization on, which most clusters reach",
        ),
        (
            {"price_per_gpu_hour": 2.4},
            "good",
            "renting costs less",
            "Owning costs less from 94.9% utilization on, which few clusters reach",
        ),
        (
            {"price_per_gpu_hour": 2.1},
            "good",
            "renting costs less",
            "Never at this rent: every hour owned costs $2.31/GPU-hour, and one rented $2.10/GPU-hour",
        ),
        (
            {"rent_as": "rent-h100-one-year-index"},
            "tight",
            "owning costs less, at this rent",
            "Committed hours cost more than owning at any utilization",
        ),
    ],
)
def test_the_verdict_says_what_kind_of_decision_it_is(
    given: dict[str, Any], level: str, word: str, reason: str
) -> None:
    told = judged(**given)
    assert told[:2] == (level, word)
    assert told[2].partition(". ")[0] == reason


def test_the_verdict_says_from_where_on_owning_pays_when_rents_move() -> None:
    """Even at 1.08 and 0.58 of all hours; 1.65 for every hour, three tenths below 2.35, is less than owning costs."""
    assert judged()[2].endswith(". With rents 30% lower never, 30% higher from 58.4% on.")
    bound = judged(rent_as="rent-h100-one-year-index")[2]
    assert bound.endswith(". With rents 30% lower never, 30% higher always.")


def advised(**given: Any) -> dict[str, dict[str, Any]]:
    resolved = valid_inputs(COST, {key: str(text) for key, text in given.items()})
    values = answer.evaluated(COST, resolved)
    assert COST.recommendations is not None
    proposed = {label: dict(change) for label, change in COST.recommendations(values)}
    for label, change in proposed.items():
        after = COST.after(values, change)
        assert after["own_or_rent"].word.startswith("owning costs less"), label
    return proposed


def test_advice_turns_the_answer_or_is_not_given() -> None:
    assert list(advised(price_per_gpu_hour=2.4)) == [
        "Raise utilization to {utilization}",
        "Buy servers at {server_price_per_gpu}",
    ]
    assert advised(price_per_gpu_hour=2.4)["Raise utilization to {utilization}"] == {"utilization": pytest.approx(0.95)}
    short = advised(price_per_gpu_hour=2.4, book_years="3 years", utilization=0.95)
    assert short["Depreciate over {book_years}"] == {"book_years": 5 * 31557600}
    falling = advised(price_per_gpu_hour=2.4, book_years="3 years", utilization=0.95, rent_trend=-0.03)
    assert falling["Depreciate over {book_years}"] == {"book_years": 6 * 31557600}  # longer means cheaper rents, too


def test_no_advice_is_given_where_owning_costs_less_or_never_can_or_nearly_does() -> None:
    assert advised(rent_as="rent-h100-aws-p5") == {}
    assert advised(price_per_gpu_hour=1) == {}
    assert advised() == {}
