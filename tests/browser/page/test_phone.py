"""On a phone inputs and full answer are two tabs below the sentence; every way into the hidden one shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import reading
from tests.browser.page.test_accessibility import violations
from tests.browser.page.test_finder import find

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Visit

CHECKPOINT = reading.path_of("checkpoint")
LONGEST = (CHECKPOINT, reading.path_of("inference"), reading.path_of("post_training"), "machine/", "machine/serving/")
_FIRST_INPUT = """() => [...document.querySelectorAll("ai-calculator [data-part=inputs] :is(select, .field-box)")]
    .find((one) => one.checkVisibility()).getBoundingClientRect().bottom + scrollY"""
_DOCK_TOP = "() => document.querySelector('.dock').getBoundingClientRect().top"


def on_phone(page: Page, width: int = 390, height: int = 844) -> Locator:
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => scrollTo(0, 0)")
    return page.locator("ai-calculator.calculator")


def part(place: Locator, name: str) -> Locator:
    return place.locator(f'[data-part="{name}"]').last


@pytest.mark.parametrize("path", LONGEST)
def test_the_first_input_is_on_the_first_screen_below_the_answers_sentence(live: Visit, path: str) -> None:
    page = live(path)
    for width, height in ((390, 844), (360, 740)):
        on_phone(page, width, height)
        assert page.evaluate(_FIRST_INPUT) <= page.evaluate(_DOCK_TOP), (width, height)


@pytest.mark.parametrize(
    ("path", "word"),
    [
        (f"{reading.path_of('inference')}#cache_precision=nvfp4", "KV cache refused"),
        ("machine/#model=llama-3-70b&gpus=8&accelerator=l4", "GPU memory"),
        (f"{reading.path_of('inference')}#ffn_hidden=28673", "layout refused"),
        (f"{reading.path_of('training_memory')}#gpus=500", "layout refused"),
        ("machine/#model=llama-3-8b&gpus=1792&tp=4&cp=14", "layout refused"),
    ],
)
def test_a_state_without_an_answer_has_no_number_at_the_foot_of_a_phone(live: Visit, path: str, word: str) -> None:
    place = on_phone(live(path))
    expect(place.locator(".dock-verdict").filter(visible=True).first).to_contain_text(word, ignore_case=True)
    expect(place.locator(".dock .live").filter(visible=True)).to_have_count(0)


def test_one_tab_is_shown_at_a_time_and_on_paper_and_wide_screens_both(live: Visit) -> None:
    page = live(CHECKPOINT)
    place = on_phone(page)
    inputs, full = reading.button(place, "Inputs"), reading.button(place, "Full answer")
    slider, picture = place.locator("[data-slider]").first, place.locator(".picture")
    expect(inputs).to_have_attribute("aria-pressed", "true")
    expect(slider).to_be_visible()
    expect(part(place, "answer")).to_have_attribute("hidden", "until-found")  # once the page has seen its width
    assert not picture.evaluate("one => one.checkVisibility({contentVisibilityAuto: true})")
    assert violations(page) == ""
    full.press("Enter")
    expect(full).to_have_attribute("aria-pressed", "true")
    assert picture.evaluate("one => one.checkVisibility({contentVisibilityAuto: true})")
    assert not slider.evaluate("one => one.checkVisibility({contentVisibilityAuto: true})")
    assert violations(page) == ""
    page.emulate_media(media="print")
    assert place.locator(".menus select").first.evaluate("one => one.checkVisibility({contentVisibilityAuto: true})")
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(inputs).to_be_hidden()
    expect(slider).to_be_visible()
    expect(picture).to_be_visible()


def test_every_way_to_a_hidden_tab_shows_it(live: Visit) -> None:
    page = live(CHECKPOINT)
    place = on_phone(page)
    inputs, full = reading.button(place, "Inputs"), reading.button(place, "Full answer")
    place.locator(".dock .to-answer").click()
    expect(full).to_have_attribute("aria-pressed", "true")
    place.locator(".dock .to-inputs").click()
    expect(inputs).to_have_attribute("aria-pressed", "true")
    full.click()
    find(page, "write time limit")
    page.keyboard.press("Enter")
    expect(reading.box(place, "write_window")).to_be_focused()
    expect(inputs).to_have_attribute("aria-pressed", "true")
    place.locator('.page-parts a[href$="#sure"]').evaluate("link => link.click()")
    expect(full).to_have_attribute("aria-pressed", "true")
    part(place, "inputs").dispatch_event("beforematch")  # as the browser does that finds a word in it
    expect(inputs).to_have_attribute("aria-pressed", "true")
    expect(part(place, "answer")).to_have_attribute("hidden", "until-found")


@pytest.mark.context(viewport={"width": 390, "height": 844}, java_script_enabled=False)
def test_without_script_there_are_no_tabs_and_nothing_is_hidden(visit: Visit) -> None:
    place = visit(CHECKPOINT).locator("ai-calculator.calculator")
    expect(place.locator(".part-tabs")).to_be_hidden()
    expect(place.locator(".picture")).to_be_visible()
    expect(place.locator(".field-box").first).to_be_visible()


@pytest.mark.expects_problems("Failed to load resource")
@pytest.mark.context(viewport={"width": 390, "height": 844})
def test_a_script_that_does_not_come_leaves_nothing_hidden(page: Page, visit: Visit) -> None:
    page.route("**/assets/start-*.js", lambda route: route.abort())
    place = visit(CHECKPOINT).locator("ai-calculator.calculator")
    expect(place.locator(".picture")).to_be_visible()
    expect(place.locator(".field-box").first).to_be_visible()
