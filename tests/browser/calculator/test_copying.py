"""What a reader takes along into a review document: the link, and the table in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from calculators.catalog import CALCULATORS
from tests.browser import reading
from tooling import browsers

if TYPE_CHECKING:
    from tests.browser.conftest import Visit

pytestmark = pytest.mark.skipif(browsers.chosen() != "chromium", reason="only Chromium lets a test read the clipboard")


@reading.each_calculator
def test_the_copied_markdown_is_pythons_table_with_the_whole_link(live: Visit, name: str) -> None:
    page = live(reading.path_of(name))
    address = page.url
    place = reading.calculator(page, name)
    place.get_by_role("button", name="Copy everything").click()
    expect(place.locator("[data-toast]")).to_have_text("Markdown copied")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied == reading.ask(name, asks=["markdown"])["markdown"].replace("\nState: #", f"\nState: {address}#")
    for headline in CALCULATORS[name].headline[:1]:
        assert f"| {CALCULATORS[name].steps[headline].label} |" in copied


@pytest.mark.parametrize(("path", "name"), [(reading.path_of("checkpoint"), "checkpoint"), ("machine/", "machine")])
def test_the_copied_answer_is_short_and_has_sentence_results_and_link(live: Visit, path: str, name: str) -> None:
    page = live(path)
    place = reading.calculator(page, name)
    place.get_by_role("button", name="Copy as Markdown").click()
    expect(place.locator("[data-toast]")).to_have_text("Answer copied")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert reading.ask(name)["sentence"] in copied
    assert f"\nState: {page.url}#" in copied
    assert len(copied) < 2000


def test_the_copied_markdown_has_the_numbers_on_the_screen(live: Visit) -> None:
    page = live(reading.path_of("checkpoint") + "#parameters=405B&write_bandwidth=1TB/s")
    place = reading.calculator(page, "checkpoint")
    found = reading.await_answer(place, reading.ask("checkpoint", {"parameters": "405B", "write_bandwidth": "1TB/s"}))
    reading.await_differences(place)
    place.get_by_role("button", name="Copy everything").click()
    expect(place.locator("[data-toast]")).to_have_text("Markdown copied")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    for result in ("checkpoint_size", "required_write_bandwidth", "write_duration"):
        assert found["texts"][result][0] in copied
    assert page.url in copied


@reading.each_calculator
def test_the_copied_link_is_the_address_of_this_very_state(live: Visit, name: str) -> None:
    page = live(reading.path_of(name))
    address = page.url
    place = reading.calculator(page, name)
    slider = CALCULATORS[name].first_sliders[1]
    reading.slide(place, slider, reading.shown(place)["controls"][slider]["stop"] + 1)
    expect(place.locator(f'[data-input="{slider}"]')).to_have_attribute("data-origin", "yours")
    place.get_by_role("button", name="Copy link").click()
    expect(place.locator("[data-toast]")).to_have_text("Link copied")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    base, _, fragment = copied.partition("#")
    assert base == address
    found = reading.shown(place)
    answer = reading.ask(name, fragment=fragment)
    assert {key: answer["texts"][key] for key in found["texts"]} == {
        key: texts[0] for key, texts in found["texts"].items()
    }


def test_the_word_that_it_was_copied_goes_away(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("checkpoint")), "checkpoint")
    reading.listen(place)
    place.get_by_role("button", name="Copy link").click()
    text = place.locator("[data-toast]")
    expect(text).to_have_text("Link copied")
    reading.await_heard(place, "Link copied")
    expect(text).to_be_empty()
