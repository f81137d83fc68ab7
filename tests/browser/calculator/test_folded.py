"""What a calculator keeps folded is no part of the page until it is opened, and then as alive as the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from calculators.answers import sliders
from calculators.catalog import CALCULATORS
from calculators.declare import Quantity
from tests.browser import reading

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Visit

OPEN_AT_FIRST = 2  # steps of the working


@reading.each_calculator
def test_what_is_opened_shows_the_present_state_and_follows_it(live: Visit, name: str) -> None:
    place = reading.calculator(live(reading.path_of(name)), name)
    expect(place.locator(".step-body")).to_have_count(OPEN_AT_FIRST)
    filled = {one for preset in CALCULATORS[name].presets for one in preset.fills}
    slider = next(one for one in CALCULATORS[name].first_sliders if one not in filled)
    declared = CALCULATORS[name].inputs[slider]
    assert isinstance(declared, Quantity)
    middle = (len(sliders.stops(declared)) - 1) // 2
    reading.slide(place, slider, middle)
    reading.await_answer(place, reading.ask(name, stops={slider: middle}))
    reading.open_all(place)
    found = reading.await_answer(place, reading.ask(name, stops={slider: middle}, python=python_of(place)))
    steps = {step.name for step in CALCULATORS[name].formulas if step.role == "step"}
    assert steps <= found["texts"].keys() | found["python"].keys()
    assert all(len(found["texts"][step]) > 1 for step in steps), "its summary, and its place in the results"
    reading.slide(place, slider, middle - 1)
    reading.await_answer(place, reading.ask(name, stops={slider: middle - 1}, python=python_of(place)))


def python_of(place: Locator) -> list[str]:
    """The formulas shown as Python on the page."""
    found: list[str] = place.locator("[data-python]").evaluate_all("all => all.map(one => one.dataset.python)")
    return found


def test_a_page_that_instant_navigation_brought_unfolds_too(live: Visit) -> None:
    page = live("calculators/")
    reading.await_links(page)
    page.evaluate("() => { window.sameVisit = true; }")
    page.locator(f'.md-content a[href$="{reading.path_of("checkpoint")}"]').first.click()
    page.wait_for_url("**/checkpoint/")
    assert page.evaluate("() => window.sameVisit")
    place = reading.calculator(page, "checkpoint")
    reading.await_answer(place, reading.ask("checkpoint"))
    reading.open_all(place)
    for formulas in place.locator("details.step .step-formulas").all():
        expect(formulas).to_be_visible()
    reading.slide(place, "write_bandwidth", 60)
    reading.await_answer(place, reading.ask("checkpoint", stops={"write_bandwidth": 60}))


def test_paper_has_what_is_folded_if_the_working_is_asked_for(live: Visit) -> None:
    page = live(reading.path_of("checkpoint"))
    place = reading.calculator(page, "checkpoint")
    reading.slide(place, "write_bandwidth", 60)
    place.locator("[data-print-working]").check()
    expect(place.locator("details > noscript")).to_have_count(0)
    reading.await_answer(place, reading.ask("checkpoint", stops={"write_bandwidth": 60}))


def test_a_value_on_the_way_is_turned_round_once_it_is_opened(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("checkpoint")), "checkpoint")
    fold = place.locator("details.more-results", has_text="intermediate values")
    expect(fold.locator("tbody tr")).to_have_count(0)
    fold.locator("summary").click()
    fold.locator('tbody [data-value][role="button"]').first.click()
    expect(place.locator('details[data-review="solve"]')).to_have_attribute("open", "")


def test_the_style_sheet_stays_while_pages_come_and_go(visit: Visit) -> None:
    """The theme's script writes every address again; browsers would read the sheet again, and draw the whole page."""
    page = visit(reading.path_of("checkpoint"))
    reading.await_live(page)
    page.evaluate("() => { window.sheet = document.styleSheets[0]; window.link = window.sheet.ownerNode; }")
    for way in ("About", "Numbers"):
        follow(page, way)
        assert page.evaluate("() => [...document.styleSheets].map(one => one === window.sheet)") == [True]
        assert page.evaluate("() => [...document.querySelectorAll('link[rel=stylesheet]')][0] === window.link")


def follow(page: Page, way: str) -> None:
    """A tab of the site, with instant navigation."""
    page.locator(".md-tabs").get_by_role("link", name=way, exact=True).click()
    page.wait_for_url(f"**/{way.lower()}/")
    expect(page.locator(f'link[rel=canonical][href$="/{way.lower()}/"]')).to_be_attached()
