"""Offers side by side: one unit, the cheapest first, what is not stated, what both have in common, break-even."""

from __future__ import annotations

import json
import math
import random
import re
from typing import TYPE_CHECKING

import pytest

from calculators import cost
from calculators.__main__ import main
from calculators.answers.review.offers import compared
from calculators.catalog import CALCULATORS
from calculators.cli.offers import of_file
from calculators.declare import InputError

if TYPE_CHECKING:
    from pathlib import Path

Captured = pytest.CaptureFixture[str]
OFFERS = """
calculator = "cost"

[common]
gpus = 1024
utilization = "80 %"

[offers.vendor]
name = "Vendor, bought"
result = "own_per_useful_hour"
server_price_per_gpu = "31,000 USD"

[offers.cloud]
result = "rent_per_useful_hour"
price_per_gpu_hour = "2.10 USD"

[offers.hosted]
price = "2.95 USD/GPU-hour"
"""


def run(tmp_path: Path, text: str, *more: str) -> int:
    file = tmp_path / "offers.toml"
    file.write_text(text, "utf-8")
    return main(["offers", str(file), *more])


def test_each_price_is_that_of_the_calculator_in_this_state(tmp_path: Path, capsys: Captured) -> None:
    assert run(tmp_path, OFFERS, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["key"] for one in found["offers"]] == ["cloud", "vendor", "hosted"]
    cloud, vendor, hosted = found["offers"]
    assert cloud["price"] == cost(gpus=1024, utilization="80 %", price_per_gpu_hour=2.1).rent_per_useful_hour
    owned = cost(gpus=1024, utilization="80 %", server_price_per_gpu=31000).own_per_useful_hour
    assert vendor["price"] == owned
    assert hosted["price"] == pytest.approx(2.95)
    assert vendor["more_than_cheapest"] == pytest.approx(owned - cloud["price"])
    assert vendor["range"][0] < vendor["range"][1]
    assert hosted["range"] == hosted["not_stated"] == []


def test_what_an_offer_does_not_state_is_named_with_what_was_used(tmp_path: Path, capsys: Captured) -> None:
    run(tmp_path, OFFERS, "--json")
    vendor = json.loads(capsys.readouterr().out)["offers"][1]
    missing = " ".join(vendor["not_stated"])
    assert "Price of electricity ($0.0861/kWh of 2025-12-31)" in missing
    assert "Server price" not in missing


def test_at_the_break_even_price_both_cost_the_same(tmp_path: Path, capsys: Captured) -> None:
    run(tmp_path, OFFERS, "--json")
    cloud, vendor, _ = json.loads(capsys.readouterr().out)["offers"]
    (way,) = vendor["break_even"]
    price = re.search(r"\$([\d,]+); now \$31,000", way)
    assert price
    again = cost(gpus=1024, utilization="80 %", server_price_per_gpu=float(price[1].replace(",", "")))
    assert again.own_per_useful_hour == pytest.approx(cloud["price"], rel=1e-3)


def test_what_two_offers_have_in_common_cancels_out() -> None:
    """Both are the same but for a price whose effect no range touches: the difference has hardly a range."""
    text = """
calculator = "cost"
result = "rent_per_used_hour"
[offers.one]
price_per_gpu_hour = "2 USD"
[offers.other]
price_per_gpu_hour = "3 USD"
"""
    found = of_file(text)
    low, middle, high = found.more["other"]
    ends = found.ranges["other"]
    assert high - low < ends.high - ends.low
    assert low <= middle <= high


def test_text_names_the_cheapest_first(tmp_path: Path, capsys: Captured) -> None:
    assert run(tmp_path, OFFERS) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0].startswith("cloud")
    assert "more than cloud" in printed
    assert "As cheap as cloud" in printed


WRONG = {
    "one offer": ("[offers.a]\nprice = 1", "2 to 5 offers"),
    "two units": (
        '[offers.a]\nresult = "own_per_useful_hour"\n[offers.b]\nresult = "capital"',
        "offers have one unit",
    ),
    "no input": ("[offers.a]\nserver_price_per_gpus = 1\n[offers.b]\nprice = 1", "did you mean"),
    "another unit": ('[offers.a]\nprice = "3 km"\n[offers.b]\nprice = 1', "3 km"),
    "no calculator": ('calculator = "cots"\n[offers.a]\nprice = 1\n[offers.b]\nprice = 2', "did you mean cost"),
    "no table": ("offers = 3", "2 to 5 offers"),
    "no TOML": ("[offers", "not TOML"),
    "no such key": ("bids = 1\n[offers.a]\nprice = 1\n[offers.b]\nprice = 2", "unknown key “bids”"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_file_is_refused_in_a_sentence(tmp_path: Path, capsys: Captured, kind: str) -> None:
    text, words = WRONG[kind]
    assert run(tmp_path, text) == 2
    assert words in capsys.readouterr().err


KINDS = {
    "GPU-hour": ("cost", "own_per_useful_hour", "rent_per_useful_hour"),
    "used GPU-hour": ("cost", "own_per_used_hour", "rent_per_used_hour"),
    "million tokens": ("cost", "own_per_million", "rented_per_million"),
    "TB-month": ("data_lifecycle", "hot_tb_month", "warm_tb_month"),
}
STATES: dict[str, list[dict[str, tuple[float, float]]]] = {
    "cost": [
        {
            "server_price_per_gpu": (0, 60_000),
            "storage_per_gpu": (0, 9000),
            "facility_per_kw": (0, 9),
            "capital_rate": (0, 0.2),
            "residual": (0, 0.5),
            "utilization": (0.05, 1),
            "goodput": (0.5, 1),
            "serving_tokens_per_second_per_gpu": (20, 9000),
            "operations": (0, 0.3),
        },
        {
            "price_per_gpu_hour": (0.5, 9),
            "commitment": (0, 1),
            "rent_trend": (-0.3, 0.3),
            "rent_support": (0, 0.2),
            "stored": (0, 1e17),
            "egress": (0, 1e9),
            "utilization": (0.05, 1),
            "goodput": (0.5, 1),
            "serving_tokens_per_second_per_gpu": (20, 9000),
        },
    ],
    "data_lifecycle": [
        {
            "hot_media_price": (0, 1e-9),
            "hot_media_share": (0.1, 1),
            "hot_fill_share": (0.3, 1),
            "capital_rate": (0, 0.2),
            "operations": (0, 0.3),
        },
        {"warm_rent": (1e-17, 1e-14), "warm_least_object": (0, 1e9), "object_size": (1e3, 1e8)},
    ],
}


def offers_at_random(kind: str, seed: int, *, quoted: bool) -> dict[str, object]:
    """Offers as a file states them: bought, rented and maybe quoted, with terms drawn from their ranges."""
    drawn = random.Random(seed)  # noqa: S311  states by chance, not secrets
    name, bought, rented = KINDS[kind]
    offers: dict[str, dict[str, object]] = {}
    for key, result, ranges in zip("ab", (bought, rented), STATES[name], strict=True):
        terms = {term: repr(drawn.uniform(*ends)) for term, ends in ranges.items() if drawn.random() < 0.8}
        offers[key] = {"result": result, **terms}
    if quoted:
        offers["quote"] = {"price": drawn.uniform(0.01, 9)}
    return {"calculator": name, "offers": offers}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(12))
def test_lines_of_cost_are_the_price_and_their_differences_the_difference(kind: str, seed: int) -> None:
    found = compared(offers_at_random(kind, seed, quoted=seed % 2 == 0))
    for one in found.offers:
        if one.result:
            assert found.calculator.cost_lines[one.result](one.values).price == pytest.approx(one.price, rel=1e-9)
    cheapest = found.offers[0]
    assert found.lines
    for one in found.offers[1:]:
        if one.result == cheapest.result:
            continue
        split = found.lines[one.key]
        assert split.other == cheapest.name
        parts = math.fsum(part for _, part in split.amounts)
        assert parts == pytest.approx(one.price - cheapest.price, rel=1e-9, abs=1e-9 * cheapest.price)


def test_every_price_with_lines_is_a_result_of_its_calculator() -> None:
    for calculator in CALCULATORS.values():
        assert {*calculator.cost_lines} <= {*calculator.steps}


def test_throughput_is_a_part_where_it_differs() -> None:
    """Of both offers a GPU-hour is in full use; one serves half as fast."""
    offers = {
        "rented": {"result": "rented_per_million", "utilization": 1, "serving_tokens_per_second_per_gpu": 2000},
        "bought": {"result": "own_per_million", "utilization": 1, "serving_tokens_per_second_per_gpu": 1000},
    }
    found = compared({"calculator": "cost", "offers": offers})
    (split,) = found.lines.values()
    parts = dict(split.amounts)
    assert [one.key for one in found.offers] == ["rented", "bought"]
    rent, own = (found.calculator.cost_lines[one.result](one.values) for one in found.offers)
    assert own.scale == 2 * rent.scale
    assert parts["Output tokens/s per GPU"] == pytest.approx(rent.scale * (own.total + rent.total) / 2)


def test_an_api_has_no_idle_hours_and_own_gpus_have() -> None:
    text = """
calculator = "cost"
[offers.own]
result = "own_per_million"
utilization = "25 %"
serving_tokens_per_second_per_gpu = 900
[offers.api]
price = "0.40 USD"
"""
    found = of_file(text)
    split = found.lines["own"]
    parts = dict(split.amounts)
    at_full_use = cost(utilization=1, serving_tokens_per_second_per_gpu=900).own_per_million
    assert parts["Idle hours"] == pytest.approx(3 * at_full_use)
    assert parts["GPUs in full use"] + parts["Storage"] == pytest.approx(at_full_use - 0.4)
    assert "api (the price as quoted, taken to include everything)" in split.sentence


def test_a_difference_that_cannot_be_split_says_why(tmp_path: Path, capsys: Captured) -> None:
    assert run(tmp_path, "[offers.a]\nprice = 1\n[offers.b]\nprice = 2") == 0
    assert "Both are prices as quoted, which state no parts" in capsys.readouterr().out
    unlike = '[offers.a]\nresult = "capital"\n[offers.b]\nresult = "own_per_year"'
    assert run(tmp_path, unlike, "--json") == 0
    parts = json.loads(capsys.readouterr().out)["offers"][1]["cost_parts"]
    assert parts["amounts"] == []
    assert "no lines of cost in common" in parts["sentence"]


def test_parts_of_cost_are_printed_as_text_json_and_markdown(tmp_path: Path, capsys: Captured) -> None:
    assert run(tmp_path, OFFERS) == 0
    assert "Against cloud, by part of cost: Idle hours +$" in capsys.readouterr().out
    assert run(tmp_path, OFFERS, "--json") == 0
    vendor = json.loads(capsys.readouterr().out)["offers"][1]
    parts = vendor["cost_parts"]
    assert parts["compared_with"] == "cloud"
    assert sum(one["amount"] for one in parts["amounts"]) == pytest.approx(vendor["more_than_cheapest"])
    assert run(tmp_path, OFFERS, "--markdown") == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("| Offer | Price |")
    assert printed[2].startswith("| cloud | $")
    assert "**Vendor, bought**" in printed
    assert any(line.startswith("- Against cloud, by part of cost: ") for line in printed)


@pytest.mark.parametrize("price", ["nan", "2026-01-01", "-2.95", "inf", "true"])
def test_a_price_that_is_none_is_refused_in_a_sentence(price: str) -> None:
    with pytest.raises(InputError) as raised:
        of_file(f'calculator = "cost"\n[offers.a]\nprice = {price}\n[offers.b]\nprice = 3\n')
    assert "is not a number from 0; write for example 2.50 USD/GPU-hour" in raised.value.problems["price"]


@pytest.mark.parametrize("text", ["a = " + "[" * 5000, "price = " + "9" * 5000])
def test_a_file_that_breaks_a_parser_is_refused_in_a_sentence(text: str) -> None:
    said = r"it is not TOML: (this is nested deeper|line 1: “price = 9+…”: a number has more digits)"
    with pytest.raises(ValueError, match=said):
        of_file(text)
