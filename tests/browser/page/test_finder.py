"""Type to find: inputs, results, actions and pages, by keys alone; and the frame for other sites."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import reading
from tests.browser.page.test_accessibility import violations

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.browser.conftest import Visit

CHECKPOINT = reading.path_of("checkpoint")


def find(page: Page, text: str) -> None:
    """Open the finder and type."""
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Find")).to_be_focused()
    page.keyboard.type(text)


def test_an_input_of_a_folded_group_is_found_by_its_words_and_focused(visit: Visit) -> None:
    page = visit(CHECKPOINT)
    find(page, "bytes para")
    first = page.locator(".finder [role=option]").first
    expect(first).to_contain_text("Input")
    expect(first).to_have_attribute("aria-selected", "true")
    assert violations(page) == ""
    page.keyboard.press("Enter")
    expect(reading.box(reading.calculator(page, "checkpoint"), "checkpoint_bytes_per_parameter")).to_be_focused()


def test_what_is_typed_before_the_finder_is_there_is_for_it_and_not_for_the_page(page: Page, visit: Visit) -> None:
    """The theme has keys of its own: "s" searches, "n" goes to the next page."""
    held: list[Route] = []
    # Before the visit: a browser needs a moment until it lets requests be held.
    page.route("**/finder-*.js", lambda route: held.append(route))  # noqa: PLW0108  Playwright takes no method of a list
    visit(CHECKPOINT)
    page.keyboard.press("Control+k")
    page.keyboard.type("ns bytes")
    reading.await_here(page, lambda: bool(held))
    held[0].continue_()
    box = page.get_by_role("combobox", name="Find")
    expect(box).to_have_value("ns bytes")
    expect(box).to_be_focused()
    page.keyboard.type(" para")
    expect(box).to_have_value("ns bytes para")
    assert page.url.endswith(CHECKPOINT)


def test_a_result_opens_its_working(visit: Visit) -> None:
    page = visit(CHECKPOINT)
    find(page, "checkpoint size")
    page.locator(".finder [role=option]").filter(has_text="Result").first.click()
    expect(page.locator("#how-checkpoint_size")).to_have_attribute("open", "")
    expect(page.locator("#how-checkpoint_size summary")).to_be_focused()


def test_arrows_choose_and_a_page_is_opened(visit: Visit) -> None:
    page = visit("guide/storage/")
    find(page, "kv cache")
    options = page.locator(".finder [role=option]")
    expect(options.first).to_contain_text("Page")
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url("**/kv-cache/")


def test_what_no_target_is_called_is_searched_for_in_all_pages(visit: Visit) -> None:
    page = visit(CHECKPOINT)
    find(page, "zzyzx")
    expect(page.locator(".finder [role=option]")).to_have_text([re.compile("“zzyzx” in all pages")])
    page.keyboard.press("Escape")
    expect(page.locator(".finder")).to_be_hidden()


@pytest.mark.context(viewport={"width": 700, "height": 420})
@pytest.mark.parametrize("path", [CHECKPOINT, "machine/"])
def test_a_frame_of_another_site_shows_the_answer_and_three_sliders(visit: Visit, path: str) -> None:
    page = visit(f"{path}?embed#gpus=2048")
    expect(page.locator(".answer")).to_be_in_viewport()
    sliders = page.locator("[data-slider]").locator("visible=true")
    expect(sliders).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollHeight") <= 420
    expect(page.locator(".md-header")).to_be_hidden()
    assert violations(page) == ""
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Open the whole page").click()
    opened.value.wait_for_load_state()
    assert "embed" not in opened.value.url
    assert "gpus=2,048" in opened.value.url or "gpus=2048" in opened.value.url
    expect(opened.value.locator(".md-header")).to_be_visible()
