"""From a phone to a wall: nothing sticks out, the answer comes first, and on paper stands what defends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import reading

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Visit

_STICKING_OUT = """() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width && document.body.scrollWidth <= width) return [];
    const clipped = (element) => element && element !== document.body &&
        (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(element).overflowX) ||
            clipped(element.parentElement));
    return [...document.querySelectorAll("body *")]
        .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > width + 1)
        .filter((element) => !clipped(element.parentElement))
        .map((element) => element.outerHTML.slice(0, 120)).slice(-3)
        .concat([`${document.documentElement.scrollWidth} of ${width}`]);
}"""
PHONE = {"width": 390, "height": 844}
WIDTHS = [320, 390, 768, 1440, 2560]


def wider_than_the_window(page: Page) -> list[str]:
    """What makes the page scroll sideways."""
    found: list[str] = page.evaluate(_STICKING_OUT)
    return found


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.context(java_script_enabled=False)
def test_no_page_scrolls_sideways(visit: Visit, site_pages: tuple[str, ...], width: int) -> None:
    bad = {}
    for path in (*site_pages, "no/such/page"):
        page = visit(path)
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(
            "() => { for (const folded of document.querySelectorAll('article details')) folded.open = true; }"
        )
        if found := wider_than_the_window(page):
            bad[path] = found
    assert bad == {}


test_no_page_scrolls_sideways = pytest.mark.expects_problems(r"404.*no/such/page")(test_no_page_scrolls_sideways)


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("name", reading.NAMES)
def test_a_live_page_with_long_numbers_and_a_problem_fits_a_phone(live: Visit, name: str, width: int) -> None:
    page = live(reading.path_of(name))
    page.set_viewport_size({"width": width, "height": 844})
    place = reading.calculator(page, name)
    reading.open_groups(place)
    place.locator("[data-slider]").first.fill("7")
    expect(place.locator('[data-input][data-origin="yours"]')).not_to_have_count(0)
    place.locator("[data-box]").last.fill("x" * 60)
    expect(place.locator("[data-problem]:visible")).to_have_count(1)
    assert wider_than_the_window(page) == []


@pytest.mark.parametrize("name", reading.NAMES)
def test_on_a_phone_the_answer_comes_before_the_inputs(live: Visit, name: str) -> None:
    page = live(reading.path_of(name))
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # a dict of two numbers
    place = reading.calculator(page, name)
    answer = place.locator(".answer").bounding_box()
    field = place.locator(".field:visible").first.bounding_box()
    assert answer
    assert field
    assert answer["y"] + answer["height"] <= PHONE["height"]
    assert answer["y"] + answer["height"] <= field["y"]


def test_on_a_phone_the_answer_stays_in_sight_while_a_slider_moves(live: Visit) -> None:
    page = live(reading.path_of("checkpoint"))
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # a dict of two numbers
    place = reading.calculator(page, "checkpoint")
    slider = place.locator('[data-input="write_bandwidth"] [data-slider]')
    reading.open_groups(place)
    slider.scroll_into_view_if_needed()
    shown = place.locator('.dock [data-value="checkpoint_size"]')
    expect(shown).to_be_in_viewport()
    before = shown.text_content()
    reading.slide(place, "parameters", 10)
    expect(shown).not_to_have_text(before or "")


@pytest.mark.parametrize("width", [1440, 2560])
def test_on_a_wide_screen_inputs_and_answer_stand_side_by_side(live: Visit, width: int) -> None:
    page = live(reading.path_of("training_memory"))
    page.set_viewport_size({"width": width, "height": width * 9 // 16})
    place = reading.calculator(page, "training_memory")
    page.evaluate("() => scrollTo(0, 0)")
    inputs, answer = place.locator(".calculator-inputs"), place.locator(".calculator-answer")
    left, right = inputs.bounding_box(), answer.bounding_box()
    assert left
    assert right
    assert left["x"] + left["width"] <= right["x"]
    assert abs(left["y"] - right["y"]) < 5
    reading.open_groups(place)
    inputs.locator(".field:visible").last.scroll_into_view_if_needed()
    expect(place.locator(".answer")).to_be_in_viewport()


@pytest.mark.parametrize("name", reading.NAMES)
def test_on_paper_stand_answer_working_and_sources_and_no_controls(live: Visit, name: str) -> None:
    page = live(reading.path_of(name))
    page.emulate_media(media="print")
    place = reading.calculator(page, name)
    for selector in (".engine-line", ".actions", ".field-slider", ".dock", "button"):
        expect(place.locator(f"{selector}:visible")).to_have_count(0)
    for selector in (".md-header", ".md-tabs", ".md-footer", ".md-sidebar"):
        expect(page.locator(f"{selector}:visible")).to_have_count(0)
    expect(place.locator(".answer")).to_be_visible()
    expect(place.locator(".picture-bar").first).to_be_visible()
    hidden = place.locator(".step-body, .field-box, .results td, .sources li").evaluate_all(
        "all => all.filter(e => !e.checkVisibility() || e.getBoundingClientRect().height === 0)"
        ".map(e => e.outerHTML.slice(0, 80))"
    )
    assert hidden == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_paper_ink_is_dark_whatever_the_screen_is(live: Visit, scheme: str) -> None:
    page = live(reading.path_of("checkpoint"))
    page.emulate_media(media="print", color_scheme=scheme)  # type: ignore[arg-type]  # one of two words
    ink = page.locator(".answer").evaluate("answer => getComputedStyle(answer).color.match(/[\\d.]+/g).map(Number)")
    assert sum(ink[:3]) < 200
