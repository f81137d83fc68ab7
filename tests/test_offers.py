"""Offers side by side: one unit, the cheapest first, what is not stated, what both have in common, break-even."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from calculators import cost
from calculators.__main__ import main
from calculators.cli.offers import of_file

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
    "no such key": ("bids = 1\n[offers.a]\nprice = 1\n[offers.b]\nprice = 2", "unknown key 'bids'"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_file_is_refused_in_a_sentence(tmp_path: Path, capsys: Captured, kind: str) -> None:
    text, words = WRONG[kind]
    assert run(tmp_path, text) == 2
    assert words in capsys.readouterr().err
