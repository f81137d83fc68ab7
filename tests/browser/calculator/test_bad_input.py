"""Wrong input: the page says what is wrong where it is, shows no result of another state, loses nothing typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import reading
from tests.browser.calculator.test_inputs import pins

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Visit

WRONG = [
    ("checkpoint", "parameters", "0", "70B"),
    ("checkpoint", "parameters", "many", "70B"),
    ("checkpoint", "write_bandwidth", "3 h", "3 GB/s"),
    ("training_memory", "layers", "2.5", "25"),
    ("training_time", "mfu", "140%", "40.5%"),
    ("kv_cache", "context", "-3", "3000"),
]


def problem_of(place: Locator, name: str) -> Locator:
    """The sentence next to an input's field."""
    return place.locator(f'[data-input="{name}"] [data-problem]')


@pytest.mark.parametrize(("name", "typed", "wrong", "right"), WRONG)
def test_a_wrong_input_is_reported_next_to_its_field_and_no_result_of_another_state_stays(
    live: Visit, name: str, typed: str, wrong: str, right: str
) -> None:
    place = reading.calculator(live(reading.path_of(name)), name)
    reading.open_groups(place)
    before = reading.shown(place)
    message = reading.ask(name, {**pins(name, typed), typed: wrong})["problems"][typed]

    field = place.locator(f'[data-input="{typed}"] [data-box]')
    field.fill(wrong)  # at once: letter by letter, some beginnings would be right
    problem = problem_of(place, typed)
    expect(problem).to_have_text(message)
    expect(problem).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "true")
    assert problem.get_attribute("id") in (field.get_attribute("aria-describedby") or "").split()
    above, below = field.bounding_box(), problem.bounding_box()
    assert above
    assert below
    assert 0 <= below["y"] - above["y"] < 150
    field.press("Tab")
    expect(field).to_have_value(wrong)
    during = reading.shown(place)
    assert not [key for key, texts in during["texts"].items() if any(texts)]
    assert during["stale"]
    for selector in (".answer .live", ".picture-bar"):
        expect(place.locator(selector).first).to_be_hidden()

    reading.type_in(place, typed, right).press("Tab")
    after = reading.await_answer(place, reading.ask(name, {**pins(name, typed), typed: right}))
    assert after["texts"] != before["texts"]
    expect(problem).to_be_hidden()
    for selector in (".answer .live", ".picture-bar"):
        expect(place.locator(selector).first).to_be_visible()


def test_a_card_on_the_home_page_says_what_is_wrong_as_well(live: Visit) -> None:
    place = reading.calculator(live(), "checkpoint")
    field = reading.type_in(place, "write_bandwidth", "a lot")
    expect(problem_of(place, "write_bandwidth")).to_be_visible()
    field.press("Tab")
    expect(field).to_have_value("a lot")
    reading.type_in(place, "write_bandwidth", "9 GB/s").press("Tab")
    reading.await_answer(place, reading.ask("checkpoint", {"write_bandwidth": "9 GB/s"}))


def test_every_wrong_input_is_reported_at_once_and_other_inputs_may_still_be_set(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("checkpoint")), "checkpoint")
    reading.type_in(place, "write_window", "soon").press("Tab")
    reading.type_in(place, "hot_checkpoints", "2.5").press("Tab")
    expect(place.locator("[data-problem]:visible")).to_have_count(2)
    reading.slide(place, "write_bandwidth", 50)
    expect(place.locator('[data-input="write_bandwidth"]')).to_have_attribute("data-origin", "yours")
    during = reading.shown(place)
    assert during["controls"]["write_window"]["box"] == "soon"
    assert during["controls"]["hot_checkpoints"]["box"] == "2.5"
    assert during["stale"]
    reading.type_in(place, "write_window", "30 s")
    reading.type_in(place, "hot_checkpoints", "2").press("Tab")
    good = reading.ask("checkpoint", {"write_window": "30 s", "hot_checkpoints": "2"}, stops={"write_bandwidth": 50})
    reading.await_answer(place, good)


def test_emptying_a_wrong_box_goes_back_to_the_default(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("checkpoint")), "checkpoint")
    field = reading.type_in(place, "write_bandwidth", "fast")
    expect(problem_of(place, "write_bandwidth")).to_be_visible()
    field.fill("")
    field.press("Tab")
    reading.await_answer(place, reading.ask("checkpoint"))


def test_inputs_that_do_not_go_together_are_reported_too(live: Visit) -> None:
    given = {"model": "none", "parameters": "70B", "active_parameters": "100B"}
    problems = reading.ask("training_time", given)["problems"]
    assert problems
    page = live(reading.path_of("training_time") + "#" + "&".join(f"{key}={text}" for key, text in given.items()))
    place = reading.calculator(page, "training_time")
    for about, message in problems.items():
        expect(problem_of(place, about)).to_have_text(message)
        expect(problem_of(place, about)).to_be_visible()


def test_nothing_is_copied_from_wrong_input(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("checkpoint")), "checkpoint")
    reading.type_in(place, "write_window", "soon").press("Tab")
    expect(problem_of(place, "write_window")).to_be_visible()
    place.get_by_role("button", name="Copy as Markdown").click()
    expect(place.locator("[data-toast]")).to_contain_text("Nothing to copy")


def test_what_is_typed_is_never_read_as_html(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("checkpoint")), "checkpoint")
    reading.type_in(place, "write_window", "<b id=hurt>1</b>").press("Tab")
    expect(problem_of(place, "write_window")).to_contain_text("<b id=hurt>")
    expect(place.locator("#hurt")).to_have_count(0)
