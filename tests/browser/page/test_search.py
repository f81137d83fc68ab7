"""Search: what people type finds the place that explains it first."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.browser import reading

if TYPE_CHECKING:
    from tests.browser.conftest import Visit


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("Young/Daly", "guide/failure/#the-interval"),
        ("young daly", "guide/failure/#the-interval"),
        ("all-reduce", "guide/collectives/#the-verbs"),
        ("all reduce", "guide/collectives/#the-verbs"),
        ("erasure coding", "guide/inside-storage/#copies-erasure-codes-and-what-they-cost"),
    ],
)
def test_a_term_of_the_field_finds_where_it_is_explained(visit: Visit, typed: str, place: str) -> None:
    page = visit("about/")
    page.locator(".md-search__input").click()
    page.keyboard.type(typed)
    first = page.locator(".md-search-result__item").first.locator("a.md-search-result__link").nth(1)
    path, _, anchor = place.partition("#")
    wanted = re.compile(rf"{re.escape(path)}(\?[^#]*)?#{re.escape(anchor)}$")
    expect(first).to_have_attribute("href", wanted)  # in the end: what was typed so far may have found something else


@pytest.mark.parametrize(("typed", "place"), [("storage demand", "storage-demand"), ("data loading", "data-loader")])
def test_a_calculator_whose_heading_is_a_question_is_found_by_its_name(visit: Visit, typed: str, place: str) -> None:
    page = visit("about/")
    page.locator(".md-search__input").click()
    page.keyboard.type(typed)
    found = page.locator(".md-search-result__item").first.locator("a.md-search-result__link").first
    expect(found).to_have_attribute("href", re.compile(rf"/calculators/{place}/"))


def test_the_entries_come_with_the_first_look_into_the_box(visit: Visit, page: Page) -> None:
    """Half a megabyte, and time to read it, that a page would otherwise ask for at every start."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "search/entries" in request.url else None)
    visit("about/")
    page.wait_for_load_state("networkidle")
    assert asked == []
    page.locator(".md-search__input").click()
    expect(page.locator(".md-search-result__meta")).to_have_text("Type to start searching")
    assert len(asked) == 1


def test_what_was_found_is_marked_in_its_page(visit: Visit) -> None:
    page = visit("about/")
    page.locator(".md-search__input").click()
    page.keyboard.type("restart")
    page.locator(".md-search-result__link").first.click()
    expect(page.locator("article mark").first).to_have_text(re.compile("restart", re.IGNORECASE))


def test_whatever_words_begin_with_is_looked_for(visit: Visit) -> None:
    page = visit("about/")
    box, report = page.locator(".md-search__input"), page.locator(".md-search-result__meta")
    box.click()
    expect(report).to_have_text("Type to start searching")
    for typed in (*string.ascii_lowercase, *string.digits):
        page.keyboard.type(typed)
        expect(report).to_contain_text("matching document")
        page.keyboard.press("Backspace")
        expect(report).to_have_text("Type to start searching")
    page.keyboard.type("training memory")
    found = page.locator(".md-search-result__item").first.locator("a.md-search-result__link").first
    expect(found).to_have_attribute("href", re.compile("/calculators/training-memory/"))


def test_the_box_grows_over_the_sections_not_under_them(visit: Visit) -> None:
    page = visit("about/")
    page.locator(".md-search__input").click()
    form = page.locator(".md-search__form")
    reading.await_truth(page, "() => document.querySelector('.md-search__form').offsetWidth > 500")
    covered = form.evaluate(
        """form => {
            const { left, top, width, height } = form.getBoundingClientRect();
            return [0.02, 0.1, 0.3, 0.6].filter((part) =>
                !form.contains(document.elementFromPoint(left + part * width, top + height / 2)));
        }"""
    )
    assert covered == []


def test_words_in_quotation_marks_are_all_needed(visit: Visit) -> None:
    page = visit("about/")
    box, report = page.locator(".md-search__input"), page.locator(".md-search-result__meta")
    box.click()
    page.keyboard.type("erasure nonsense")
    expect(report).to_contain_text("matching documents")
    box.fill("")
    page.keyboard.type('"erasure nonsense"')
    expect(report).to_have_text("No matching documents")
    box.fill("")
    page.keyboard.type('"erasure code"')
    expect(report).to_contain_text("matching documents")
