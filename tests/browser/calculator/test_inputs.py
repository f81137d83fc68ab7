"""What a reader types, chooses and empties, and what the page makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from calculators.catalog import CALCULATORS
from tests.browser import reading

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from calculators.declare import Preset
    from tests.browser.conftest import Visit

PRESETS = [(name, preset.name) for name, calculator in CALCULATORS.items() for preset in calculator.presets]


def preset_of(name: str, preset: str) -> Preset:
    """A preset of a calculator."""
    return next(one for one in CALCULATORS[name].presets if one.name == preset)


def other_record(preset: Preset, from_record: str) -> str:
    """A record of the menu that fills something in differently."""
    filled = preset.filled(from_record)
    return next(record.key for record in reversed(preset.records) if preset.filled(record.key) != filled)


def pins(name: str, typed: str) -> dict[str, str]:
    """The presets that fill this input: they stay chosen when it becomes the reader's own."""
    return {preset.name: preset.default for preset in CALCULATORS[name].presets if typed in preset.fills}


def choose(place: Locator, preset: str, key: str) -> None:
    """Choose a record from a preset's menu."""
    place.locator(f'[data-preset="{preset}"]').select_option(key)


@pytest.mark.parametrize(
    ("name", "typed", "text", "box"),
    [
        ("checkpoint", "parameters", "70B", "70B"),
        ("checkpoint", "parameters", "1,500,000,000", "1.5B"),
        ("checkpoint", "write_bandwidth", "1.5 TB/s", "1.5 TB/s"),
        ("checkpoint", "write_bandwidth", "800Gb/s", "100 GB/s"),
        ("checkpoint", "checkpoint_interval", "3h", "3 h"),
        ("checkpoint", "checkpoint_interval", "90 min", "1.5 h"),
        ("checkpoint", "write_window", "45", "45 s"),
        ("training_time", "mfu", "37%", "37%"),
        ("training_time", "mfu", "0.37", "37%"),
        ("training_time", "tokens", "2e12", "2T"),
        ("training_memory", "gpu_memory", "141 GiB", "141 GiB"),
        ("kv_cache", "context", "128k", "131,072"),
    ],
)
def test_a_typed_quantity_may_have_any_unit(live: Visit, name: str, typed: str, text: str, box: str) -> None:
    place = reading.calculator(live(reading.path_of(name)), name)
    field = reading.type_in(place, typed, text)
    answer = reading.ask(name, {**pins(name, typed), typed: text})
    reading.await_answer(place, answer, but=("controls",))
    expect(field).to_have_value(text)  # a box is not rewritten while the reader types
    field.press("Tab")
    reading.await_answer(place, answer)
    expect(field).to_have_value(box)


@reading.each_calculator
def test_an_emptied_box_goes_back_to_the_default(live: Visit, name: str) -> None:
    place = reading.calculator(live(reading.path_of(name)), name)
    typed = CALCULATORS[name].first_sliders[-1]
    before = reading.shown(place)
    stop = before["controls"][typed]["stop"]
    moved = stop - 1 if stop else 1
    reading.slide(place, typed, moved)
    changed = reading.await_answer(place, reading.ask(name, pins(name, typed), stops={typed: moved}))
    assert changed["texts"] != before["texts"]
    field = place.locator(f'[data-input="{typed}"] [data-box]')
    field.fill("")
    field.press("Tab")
    after = reading.await_answer(place, reading.ask(name))
    assert after["controls"] == before["controls"]
    assert after["texts"] == before["texts"]


@pytest.mark.daily(12)
@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_a_preset_fills_its_inputs_and_overriding_one_keeps_the_others(live: Visit, name: str, preset: str) -> None:
    place = reading.calculator(live(reading.path_of(name)), name)
    menu, before = preset_of(name, preset), reading.shown(place)
    chosen = menu.default or menu.records[0].key
    if not menu.default:  # nothing is chosen at first
        choose(place, preset, chosen)
        before = reading.await_answer(place, reading.ask(name, {preset: chosen}))
    filled = list(menu.filled(chosen))
    overridden, stop, answer = next(
        (one, stop, answer)
        for one in filled
        for stop in (before["controls"][one].get("stop", 0) + step for step in (1, -1))
        if "stop" in before["controls"][one]
        and "texts" in (answer := reading.ask(name, {**pins(name, one), preset: chosen}, stops={one: stop}))
        and answer["controls"][one]["box"] != before["controls"][one]["box"]
    )
    reading.slide(place, overridden, stop)
    after = reading.await_answer(place, answer)
    assert after["controls"][overridden]["origin"] == "yours"
    assert after["presets"][preset] == chosen
    for other in filled:
        if other != overridden and after["controls"][other]["origin"] != "computed":
            assert after["controls"][other] == before["controls"][other]
    # Choosing again fills all of them again.
    key = other_record(menu, chosen)
    choose(place, preset, key)
    given = {one: default for one, default in pins(name, overridden).items() if one != preset}
    again = reading.await_answer(place, reading.ask(name, {**given, preset: key}))
    filled = list(menu.filled(key))
    assert any(again["controls"][one]["box"] != before["controls"][one]["box"] for one in filled)
    assert {again["controls"][one]["origin"] for one in filled} == {"preset"}
    assert "yours" not in {control["origin"] for control in again["controls"].values()}
    expect(place.locator(f'[data-input="{filled[0]}"] [data-origin-word]')).to_have_text("preset")


def test_a_menu_may_have_no_record(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("checkpoint")), "checkpoint")
    choose(place, "model", "")
    after = reading.await_answer(place, reading.ask("checkpoint", {"model": ""}))
    assert after["presets"]["model"] == ""
    assert after["controls"]["parameters"]["origin"] == "default"


def test_an_option_of_a_menu_changes_the_answer(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("checkpoint")), "checkpoint")
    before = reading.shown(place)
    reading.open_groups(place)
    place.locator('[data-input="checkpoint_mode"] select').select_option("asynchronous")
    after = reading.await_answer(place, reading.ask("checkpoint", {"checkpoint_mode": "asynchronous"}))
    assert after["texts"]["checkpoint_stall"] != before["texts"]["checkpoint_stall"]


def test_advice_that_is_taken_makes_it_fit(live: Visit) -> None:
    given = {"model": "llama-3-1-405b", "tensor_parallel": "4"}
    bad = reading.ask("training_memory", given)
    assert bad["verdicts"]["fits"]["level"] == "bad"
    page = live(reading.path_of("training_memory") + "#" + "&".join(f"{key}={text}" for key, text in given.items()))
    place = reading.calculator(page, "training_memory")
    reading.await_answer(place, bad)
    recommendations = reading.ask("training_memory", given, asks=["explore"])["advice"]
    buttons = place.locator("[data-recommendations] button")
    expect(buttons).to_have_text([row["label"] for row in recommendations])
    expect(place.locator('[data-recommendations] [data-field="outcome"]')).to_have_text(
        [row["outcome"] for row in recommendations]
    )
    buttons.first.click()
    after = reading.await_answer(place, reading.ask("training_memory", {**given, **recommendations[0]["changes"]}))
    assert after["verdicts"]["fits"][0]["level"] != "bad"


@reading.each_calculator
def test_reset_brings_the_defaults_back(live: Visit, name: str) -> None:
    page = live(reading.path_of(name))
    place = reading.calculator(page, name)
    before = reading.shown(place)
    slider = CALCULATORS[name].first_sliders[0]
    reading.slide(place, slider, before["controls"][slider]["stop"] + 1)
    expect(place.locator(f'[data-input="{slider}"]')).to_have_attribute("data-origin", "yours")
    reading.await_truth(page, "() => location.hash.includes('=')")
    wrong = CALCULATORS[name].first_sliders[1]
    reading.type_in(place, wrong, "nonsense")
    expect(place.locator(f'[data-input="{wrong}"] [data-problem]')).to_be_visible()
    place.get_by_role("button", name="Reset").click()
    after = reading.await_answer(place, reading.ask(name))
    assert after["texts"] == before["texts"]
    reading.await_truth(page, "() => !location.href.includes('#')")
