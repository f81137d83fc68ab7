"""The page of offers: prices in one unit, where a difference comes from, what is assumed, the table as a file."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from calculators import cost, units
from calculators.answers.review.offers import compared
from calculators.page.offers import EXAMPLE, SHEETS, response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calculators.answers.messages import Offers


def answered(given: Mapping[str, str]) -> Offers:
    return response(given)["offers"]


def test_each_bid_has_the_price_of_the_calculator_in_its_terms() -> None:
    cells = answered(EXAMPLE)["cells"]
    shared: dict[str, float | str] = {"gpus": 1024, "utilization": "80%"}
    bought = cost(**shared, server_price_per_gpu=29500, support_rate="6%").own_per_useful_hour
    rented = cost(**shared, price_per_gpu_hour=2.1).rent_per_useful_hour
    assert cells["b.price"] == units.text(bought, "USD/GPU-hour")
    assert cells["c.price"] == units.text(rented, "USD/GPU-hour")
    assert cells["b.more"].startswith(f"+{units.text(bought - rented, 'USD/GPU-hour')} (")


def test_a_difference_is_split_over_the_terms_of_two_bids_of_one_kind() -> None:
    common = {"gpus": "1024", "utilization": "80 %"}
    terms = ({"server_price_per_gpu": "31,000 USD"}, {"server_price_per_gpu": "29,000 USD", "support_rate": "6 %"})
    offers = {key: {"result": "own_per_useful_hour", **one} for key, one in zip("ab", terms, strict=True)}
    found = compared({"calculator": "cost", "common": common, "offers": offers})
    cheapest, dearer = found.offers
    parts = found.parts[dearer.key]
    assert parts.other == cheapest.name
    assert sum(part for _, part in parts.amounts) == pytest.approx(dearer.price - cheapest.price)
    signs = {label: part > 0 for label, part in parts.amounts}
    # a pays more for its servers and less for support
    assert signs == {"Server price, per GPU": True, "Support contract": False}


def test_a_difference_from_another_kind_is_split_over_parts_of_cost() -> None:
    found = answered(EXAMPLE)
    cells = found["cells"]
    assert cells["a.lines"].startswith("Cloud: Idle hours +$")
    assert cells["a.made"].startswith("GPUs in full use: Vendor A (servers $")
    assert "below Vendor A. Largest part of that: Idle hours, +$" in found["sentence"]
    assert "\N{MINUS SIGN}\N{WORD JOINER}$" in cells["a.lines"]
    assert "\N{WORD JOINER}" not in found["csv"]
    given = {"compare": "gpu-hour", "a.kind": "bought", "b.kind": "bought", "b.server_price_per_gpu": "90,000 USD"}
    assert answered(given)["cells"]["b.lines"] == "the cheapest bid is of this kind"


def test_a_term_that_is_left_out_is_counted_and_its_value_shown() -> None:
    cells = answered(EXAMPLE)["cells"]
    assert cells["a.residual.assumed"] == units.text(cost().residual, "share")
    assert "a.support_rate.assumed" not in cells
    assert "Residual value" in cells["a.missing"]
    assert "Support contract" not in cells["a.missing"]
    all_of_rent = {f"c.{term}": "" for term in SHEETS["gpu-hour"].kinds["rented"].terms}
    stated = {"c.commitment": "10%", "c.rent_trend": "0%", "c.rent_support": "0%", "c.stored": "1 PB"}
    stated |= {"c.storage_per_gb_month": "20 USD/TB/month", "c.egress": "1 TB/month", "c.egress_per_gb": "0.08 USD"}
    assert answered({**all_of_rent, **EXAMPLE, **stated})["cells"]["c.missing"] == "nothing"


def test_a_hosted_price_is_compared_with_own_gpus_per_million_tokens() -> None:
    given = {
        "compare": "million-tokens",
        "serving_tokens_per_second_per_gpu": "900",
        "a.kind": "bought",
        "b.name": "API",
        "b.kind": "quoted",
        "b.price": "0.60 USD",
    }
    found = answered(given)
    own = cost(serving_tokens_per_second_per_gpu=900).own_per_million
    assert found["problems"] == []
    assert found["cells"]["a.price"] == units.text(own, "USD")
    assert found["sentence"].startswith("API is the cheapest at $0.60 per million output tokens, ")
    assert found["cells"]["utilization.assumed"] == units.text(cost().utilization, "share")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"a.kind": "bought"}, "2 to 5 offers can be compared"),
        ({"a.kind": "bought", "b.kind": "quoted"}, "Bid B: the price as quoted is missing"),
        ({"a.kind": "bought", "b.kind": "rented", "b.name": "Cloud", "b.egress": "much"}, "Cloud: "),
        ({"compare": "pound"}, "“pound” is no unit of this page"),
    ],
)
def test_what_cannot_be_compared_is_named(given: dict[str, str], words: str) -> None:
    found = answered(given)
    assert words in " ".join(found["problems"])
    assert found["cells"] == {}


def test_the_table_as_a_file_has_every_bid_and_marks_what_was_assumed() -> None:
    rows = list(csv.reader(answered(EXAMPLE)["csv"].splitlines()))
    assert rows[0] == ["Useful GPU-hour", "Vendor A", "Vendor B", "Cloud"]
    by_label = {row[0]: row[1:] for row in rows}
    assert by_label["Support contract"] == ["4%", "6%", ""]
    assert by_label["Residual value"] == ["10% (assumed)", "10% (assumed)", ""]


@pytest.mark.parametrize("unit", SHEETS)
def test_bought_and_rented_are_compared_in_every_unit(unit: str) -> None:
    given = {"compare": unit, "a.kind": "bought", "b.kind": "rented", "serving_tokens_per_second_per_gpu": "900"}
    assert answered(given)["problems"] == []


def test_a_price_outside_its_range_says_so() -> None:
    found = answered(EXAMPLE)
    # Vendor A states its servers and support alone: power, staff, interest may cost much more, hardly less.
    assert "(median $" in found["cells"]["a.range"]
    assert "(median" not in found["cells"]["c.range"]
    assert "Vendor A: terms not stated are more likely to raise the price" in found["sentence"]
