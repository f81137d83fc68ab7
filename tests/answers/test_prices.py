"""Prices in answers: an old one is never said without its age, the reader's own is marked, records ask to confirm."""

from __future__ import annotations

import datetime
import json
import re
from typing import Any

import pytest

from calculators import bridge, facts, library
from calculators.answers import answer, prices
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator
from calculators.facts import ages
from calculators.machine.serving import serving_machine
from calculators.machine.training_state import training_state
from calculators.page import machine as machine_page

_OLD_SERVER = "server price of 31 August 2024, 818 days old"
_OLD_RENT = "GPU rent of 31 May 2026, 180 days old"


def message(name: str, **given: str) -> str:
    calculator = CALCULATORS[name]
    resolved = parse_inputs(calculator, given)
    return answer.sentence(calculator, answer.evaluated(calculator, resolved), resolved)


def test_every_dated_price_has_a_class_and_every_class_a_limit_of_a_quarter_at_most() -> None:
    quarter = facts.fact("price-is-old").value / 86_400
    assert all(limit <= quarter for limit in ages.LIMITS.values())
    fields = [fact for record in facts.priced().values() for fact in record.fields.values()]
    assert {fact.price_class for fact in fields if fact.priced_on} <= ages.LIMITS.keys()


def test_an_old_price_is_in_the_sentence_with_its_day_and_age_once() -> None:
    sentence = message("cost")
    assert sentence.count(_OLD_SERVER) == sentence.count(_OLD_RENT) == 1
    assert "colocation and electricity price of 31 December 2025, 331 days old" in sentence
    assert _OLD_RENT in message("training_time")
    assert "server price" not in message("training_time")


def test_a_price_of_the_same_quarter_has_no_age() -> None:
    assert "rent of" not in message("cost", rent_as="rent-h100-runpod-secure")
    with ages.CLOCK.on("2024-10-01"):
        assert "old" not in message("cost")


def test_a_rent_from_the_menu_of_an_h100_is_named_so_where_another_accelerator_is_chosen() -> None:
    assert "(H100 SXM 80 GB rent of " in message("cost", accelerator="b200-sxm", rent_as="rent-h100-aws-p5")
    for given in ({"accelerator": "h100-sxm"}, {"accelerator": "b200-sxm", "price_per_gpu_hour": "5"}):
        assert "H100 SXM 80 GB rent" not in message("cost", rent_as="rent-h100-aws-p5", **given)


@pytest.mark.parametrize("name", ["cost", "training_time", "inference"])
def test_the_price_of_another_device_is_named_by_that_device_however_new(name: str) -> None:
    """No rent of a V100 is known, and the H100's stays; a GB200's is a survey's, $4 in July 2026."""
    with ages.CLOCK.on("2026-06-01"):
        assert "(H100 SXM 80 GB rent of 31 May 2026, 1 day old)" in message(name, accelerator="v100-sxm-32gb", gpus="1")
    assert "H100 SXM 80 GB rent" not in message(name, accelerator="v100-sxm-32gb", price_per_gpu_hour="3", gpus="1")
    sentence = message(name, accelerator="gb200")
    assert "GPU rent by a market survey of 31 July 2026, 119 days old" in sentence
    assert "H100 SXM 80 GB rent" not in sentence


def test_a_rent_is_the_device_s_own_as_its_list_has_it() -> None:
    printed = {"gb200": 4, "gb300": 5, "b300-sxm": 7.4, "mi355x": 2.9, "mi300x": 1.3, "gh200": 2.29, "rtx-4090": 0.74}
    for key, dollars in printed.items():
        assert parse_inputs(CALCULATORS["cost"], {"accelerator": key}).explicit["price_per_gpu_hour"] == dollars


def test_it_is_old_on_the_day_after_its_limit() -> None:
    rent = facts.fact("price-per-gpu-hour-h100")
    assert rent.priced_on
    for days, old in ((90, False), (91, True)):
        with ages.CLOCK.on((rent.priced_on + datetime.timedelta(days=days)).isoformat()):
            assert (ages.is_old(rent), f"{days} days old" in message("training_time")) == (old, old)


def test_a_price_that_the_reader_gave_is_used_and_marked() -> None:
    sentence = message("cost", price_per_gpu_hour="3", server_price_per_gpu="30000")
    assert (
        "rented at $3/GPU-hour (yours)" in message("cost", price_per_gpu_hour="3") or "$3/GPU-hour (yours)" in sentence
    )
    assert "server price, per GPU: yours" in sentence
    assert _OLD_SERVER not in sentence
    assert _OLD_RENT not in sentence


@pytest.mark.parametrize("paid", ["rent", "own"])
def test_a_system_says_the_ages_of_the_prices_that_it_pays_and_of_no_others(paid: str) -> None:
    found = training_state({"paid": paid})
    sentence = answer.sentence(found.calculator, found.values, found.resolved)
    assert (_OLD_SERVER in sentence, _OLD_RENT in sentence) == (paid == "own", paid == "rent")
    serving: Calculator = serving_machine()
    state = machine_page.found_state(serving, {"paid": paid})
    sentence = answer.sentence(serving, state.values, state.resolved)
    assert (_OLD_SERVER in sentence, _OLD_RENT in sentence) == (paid == "own", paid == "rent")


def test_a_record_says_no_money_without_ages_and_asks_to_confirm_each_price() -> None:
    cost: Any = library.Question(CALCULATORS["cost"])
    found = cost(price_per_gpu_hour="2.5").record()
    for paragraph in found.text.splitlines():
        if "$" in paragraph and not paragraph.startswith(("|", "- ", "#")):
            assert "days old" in paragraph, paragraph
    lines = found.data["prices"]
    assert any(
        line.startswith("☐ Server price, per GPU, $37,500: price of 31 August 2024, 818 days old, over its limit of ")
        for line in lines
    )
    assert any(line.startswith("☐ Price per GPU-hour, $2.50/GPU-hour: yours.") for line in lines)
    assert all(line in found.text for line in lines)


def test_a_page_sends_the_day_from_which_prices_age() -> None:
    question = {"asks": ["answer"], "calculator": "training_time", "given": {}, "day": "2026-12-27"}
    sentence = json.loads(bridge.respond(json.dumps(question)))["sentence"]
    assert "210 days old" in sentence
    assert "180 days old" in json.loads(bridge.respond(json.dumps({**question, "day": "tomorrow"})))["sentence"]


def test_places_in_the_sentence_are_those_of_the_page() -> None:
    calculator = CALCULATORS["cost"]
    resolved = parse_inputs(calculator, {})
    values = answer.evaluated(calculator, resolved)
    found = answer.answer(calculator, resolved, values)
    notes = {name: text for name, text in found["cells"].items() if name.startswith("aged.")}
    assert [name for name, text in notes.items() if text] == ["aged.own_shown", "aged.price_per_gpu_hour"]
    named = set(re.findall(r"\{(\w+)\}", calculator.answer))
    assert {name.removeprefix("aged.") for name in notes} <= named


def test_ages_of_one_day_are_reported_together() -> None:
    calculator = CALCULATORS["cost"]
    resolved = parse_inputs(calculator, {})
    known = prices.prices(calculator, resolved, answer.evaluated(calculator, resolved))
    assert prices.ages_text(known).startswith(f"{_OLD_SERVER}; ")
