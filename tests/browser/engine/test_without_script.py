"""Without script every default answer is in the page, the same text that Python gives; and on paper too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from calculators.catalog import CALCULATORS
from calculators.page.machine import MACHINES
from tests.browser import reading

if TYPE_CHECKING:
    from builder.serving.serve import SiteServer
    from tests.browser.conftest import Visit

no_script = pytest.mark.context(java_script_enabled=False)


@no_script
@reading.each_calculator
def test_the_page_of_a_calculator_is_complete(visit: Visit, name: str) -> None:
    page = visit(reading.path_of(name))
    place = reading.calculator(page, name)
    found = reading.await_answer(place, reading.ask(name))
    results = {*CALCULATORS[name].inputs, *CALCULATORS[name].steps} - reading.ask(name)["verdicts"].keys()
    assert results <= found["texts"].keys()
    explored = reading.ask(name, asks=["explore"])
    rows = place.locator("[data-swings] .swing")
    assert rows.count() == len(explored["swings"])
    for row, swing in zip(rows.all(), explored["swings"], strict=True):
        for part in ("label", "hedge", "result"):
            assert row.locator(f'[data-field="{part}"]').text_content() == swing[part]
    for verdict, edge in explored["edges"].items():
        expect(place.locator(f'[data-threshold="{verdict}"] [data-threshold-text]')).to_have_text(edge)
    expect(place.locator("[data-chart-shows]")).to_have_text(explored["chart_shows"])
    expect(place.locator("[data-chart] svg")).to_be_visible()
    expect(place.locator("[data-chart] svg polyline")).not_to_have_count(0)  # a level one has no height to be seen by
    expect(place.locator(".answer")).to_be_visible()
    expect(place.locator("table.results").first).to_be_visible()
    expect(place.locator("math:visible").first).to_be_visible()


@no_script
@reading.each_calculator
def test_the_page_says_that_it_does_not_move_and_offers_nothing_that_does_not_work(visit: Visit, name: str) -> None:
    page = visit(reading.path_of(name))
    expect(page.locator(".no-script")).to_be_visible()
    expect(page.locator("ai-calculator button:visible")).to_have_count(0)
    expect(page.locator("ai-calculator progress:visible")).to_have_count(0)


@no_script
def test_folded_parts_open_without_script(visit: Visit) -> None:
    page = visit(reading.path_of("checkpoint"))
    page.evaluate("() => document.fonts.ready.then(() => true)")  # a face that comes late moves what is clicked
    place = reading.calculator(page, "checkpoint")
    steps = place.locator("details.step")
    folded = steps.nth(steps.evaluate_all("all => all.findIndex(step => !step.open && step.querySelector('math'))"))
    expect(folded.locator("math").first).to_be_hidden()
    folded.locator("summary").click()
    expect(folded.locator("math").first).to_be_visible()


@no_script
@pytest.mark.parametrize("path", ["", "calculators/"])
def test_every_question_leads_to_its_calculator(visit: Visit, site: SiteServer, path: str) -> None:
    ways = visit(path).locator(".ways a")
    found = {way.text_content(): way.evaluate("way => way.href") for way in ways.all()}
    assert found == {calculator.question: site.url + reading.path_of(name) for name, calculator in CALCULATORS.items()}


@no_script
def test_the_overview_has_every_answer(visit: Visit) -> None:
    answers = visit("calculators/").locator(".ways .way-answer").all_text_contents()
    assert answers == [reading.ask(name)["sentence"] for name in reading.NAMES]


@pytest.mark.daily(1)
@no_script
def test_every_calculator_of_the_site_appears_with_its_answer(
    visit: Visit, site: SiteServer, site_pages: tuple[str, ...]
) -> None:
    """Chapters too, whose cards may show another state than the defaults."""
    with_any = [path for path in site_pages if b"<ai-calculator" in site.files[path + "index.html"].body]
    assert len(with_any) > len(reading.NAMES)
    for path in with_any:
        page = visit(path)
        expect(page.locator("ai-calculator")).not_to_have_count(0)
        for place in page.locator("ai-calculator").all():
            name = place.get_attribute("data-calculator") or ""
            given = json.loads(place.get_attribute("data-given") or "{}")
            expected = reading.ask(name, given)
            if name in MACHINES:  # what follows the answer is there too, and its answer leads to what limits
                expected |= reading.ask(name, given, asks=["explore"], slice_ms=600_000)
                if place.locator(".answer [data-cell=limit]").count():  # a card has the sentence alone
                    expected["sentence"] += f" {expected['cells']['limit']}"
            reading.await_answer(place, expected)
