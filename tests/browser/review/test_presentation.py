"""Presentation: one result large, for a room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser import reading
from tests.browser.review.test_review import CHECKPOINT

if TYPE_CHECKING:
    from tests.browser.conftest import Visit


def test_presentation_shows_one_result_large_with_question_sentence_and_the_sliders_that_move_it(live: Visit) -> None:
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    reading.button(place, "Present").press("Enter")
    dialog = place.get_by_role("dialog", name="Presentation")
    value = dialog.locator(".present-value")
    expect(value).to_have_text(place.locator('.results [data-value="checkpoint_size"]').inner_text())
    assert value.evaluate("element => parseFloat(getComputedStyle(element).fontSize)") >= 144
    question = "How big is a checkpoint, and how fast must storage write it?"
    expect(dialog.locator(".present-asked")).to_have_text(question)
    expect(dialog.locator(".present-sentence")).to_contain_text("A checkpoint of 406B parameters is 5.68 TB")
    slider = dialog.get_by_role("slider", name="Model parameters")
    expect(slider).to_be_focused()
    expect(dialog.get_by_role("slider")).to_have_count(2)
    before = value.inner_text()
    page.keyboard.press("ArrowRight")
    expect(value).not_to_have_text(before)
    page.keyboard.press("Control+z")
    expect(value).to_have_text(before)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(reading.button(place, "Present")).to_be_focused()


def test_presentation_of_a_system_has_the_legend_of_its_picture(live: Visit) -> None:
    page = live("machine/")
    page.locator("ai-calculator").get_by_role("button", name="Present").click()
    legend = page.locator("dialog .present-picture .legend")
    expect(legend.locator("li").first).to_contain_text("Model FLOPs at peak")
    expect(legend).not_to_contain_text("0%")
    assert legend.locator("li").count() == legend.locator("svg.swatch").count() > 5
