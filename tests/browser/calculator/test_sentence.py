"""The answer's sentence: inputs edited in it, results that lead to the explore panel, differences from the baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import reading
from tests.browser.page.test_accessibility import violations
from tests.browser.review.test_review import CHECKPOINT, fold

if TYPE_CHECKING:
    from tests.browser.conftest import Visit


@pytest.mark.parametrize("path", ["machine/", "machine/serving/", "machine/rag/", "machine/post-training/"])
def test_each_number_of_a_planners_sentence_is_a_control_and_results_lead_to_explore(live: Visit, path: str) -> None:
    page = live(path)
    place = page.locator("ai-calculator").first
    idle = "all => all.filter((one) => one.getAttribute('role') !== 'button').map((one) => one.outerHTML)"
    assert place.locator(".answer [data-value]").evaluate_all(idle) == []
    power = place.locator('.answer [data-value="facility_power"]')
    power.press("Enter")
    wanted = fold(place, "solve").get_by_role("textbox", name="Target")
    expect(wanted).to_be_focused()
    expect(wanted).to_have_value(power.inner_text())


def test_an_input_is_typed_and_stepped_in_the_sentence(live: Visit) -> None:
    page = live(reading.path_of("goodput"))
    place = reading.calculator(page, "goodput")
    control = place.locator(".answer .given-value").first
    name = str(control.get_attribute("data-value"))
    stop = reading.shown(place)["controls"][name]["stop"]
    control.press("ArrowRight")
    after = reading.ask("goodput", stops={name: stop + 1})
    expect(control).to_have_text(after["texts"][name])
    text = after["texts"][name]
    control.press("Enter")
    typed = place.locator(".answer .in-sentence")
    typed.fill("nonsense")
    expect(typed).to_have_attribute("aria-invalid", "true")
    typed.press("Escape")
    expect(control).to_be_focused()
    expect(control).to_have_text(text)
    box = control.bounding_box()
    assert box
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 41, box["y"] + 5, steps=6)
    page.mouse.up()
    expect(control).to_have_text(reading.ask("goodput", stops={name: stop + 7})["texts"][name])
    page.keyboard.press("Control+z")
    expect(control).to_have_text(text)
    place.locator(".answer a.to-working").first.press("Enter")
    place.get_by_role("link", name="How it is computed").press("Enter")
    expect(place.locator("details.step:focus-within, details.step:focus")).to_have_count(1)


def test_a_focus_that_moved_on_is_not_taken_by_a_panel_that_opens_late(visit: Visit) -> None:
    page = visit(CHECKPOINT)
    reading.await_live(page)
    place = reading.calculator(page, "checkpoint")
    page.evaluate(
        """() => {
          document.querySelector('.answer a.to-working[href$="#how-stall_share"]').click();
          document.getElementById('parameters').focus();
        }"""
    )
    expect(fold(place, "solve").get_by_label("Target", exact=True)).not_to_have_value("")
    expect(place.locator("#parameters")).to_be_focused()


def test_a_click_on_a_number_brings_the_panel_to_it_and_close_takes_it_back(visit: Visit) -> None:
    """What gives another value, along which input it moves and what moves it: all asked of the number clicked."""
    page = visit(CHECKPOINT)  # the first page of a visit, on which the theme does not know where it is
    reading.await_live(page)
    place = reading.calculator(page, "checkpoint")
    number = place.locator('.answer a.to-working[href$="#how-stall_share"]')
    number.click()
    panel = place.locator(".calculator-answer .review")
    expect(panel.get_by_label("Target", exact=True)).to_be_focused()
    expect(panel.get_by_label("Target", exact=True)).to_be_in_viewport()
    expect(fold(place, "solve").get_by_role("combobox", name="Result", exact=True)).to_have_value("stall_share")
    for kind in ("sweep", "tornado"):
        fold(place, kind).locator("summary").first.press("Enter")
        expect(fold(place, kind).get_by_role("combobox", name="Result", exact=True)).to_have_value("stall_share")
    panel.get_by_role("button", name="Close").press("Enter")
    expect(panel).to_have_count(0)
    expect(place.locator(".calculator-more .review")).to_be_visible()
    expect(number).to_be_focused()
    number.press("Enter")
    expect(panel).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(number).to_be_focused()


def test_every_number_of_the_answer_says_how_it_differs_from_the_baseline(live: Visit) -> None:
    """A checkpoint of 5.68 TB takes 142 s at 40 GB/s and 56.8 s at 100 GB/s."""
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    page.evaluate("() => sessionStorage.clear()")
    page.reload()
    reading.await_live(page)
    reading.button(place, "Pin as baseline").press("Enter")
    line = place.locator(".baseline-line")
    expect(line).to_contain_text("This is the baseline.")
    reading.type_in(place, "write_bandwidth", "100 GB/s").press("Tab")
    expect(line).to_contain_text("Storage write bandwidth 100 GB/s instead of 40 GB/s")
    expect(place.locator('.answer [data-against="write_bandwidth"]')).to_have_text("+60 GB/s, +150%")
    expect(place.locator('.answer [data-against="checkpoint_stall"]')).to_have_text("−85.2 s, −60%")
    expect(place.locator('.results [data-against="write_duration"]')).to_have_text("−85.2 s, −60%")
    expect(place.locator('.answer [data-against="checkpoint_size"]')).to_have_text("")
    verdict = place.locator('.findings [data-against="write_in_time"]')
    expect(verdict).to_have_text("was too slow")
    assert violations(page) == ""
    line.get_by_role("button", name="Clear baseline").press("Enter")
    expect(line).to_be_hidden()
    expect(verdict).to_have_text("")
    page.evaluate("() => sessionStorage.clear()")
