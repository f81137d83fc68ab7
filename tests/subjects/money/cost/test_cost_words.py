"""Verdict and recommendations of cost: which kind of decision it is, and changes that turn the answer."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS

COST = CALCULATORS["cost"]


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
    report = judged(**given)
    assert report[:2] == (level, word)
    assert report[2].partition(". ")[0] == reason


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
