"""Search: what people type finds the place that explains it first."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

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


def test_whatever_words_begin_with_is_looked_for(visit: Visit) -> None:
    """Lunr gives up, and finds nothing, where it believes in a word that is not in its index."""
    page = visit("about/")
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text) if "Invalid query" in message.text else None)
    box, told = page.locator(".md-search__input"), page.locator(".md-search-result__meta")
    box.click()
    expect(told).to_have_text("Type to start searching")
    for typed in (*string.ascii_lowercase, *string.digits):
        page.keyboard.type(typed)
        expect(told).to_contain_text("matching document")
        page.keyboard.press("Backspace")
        expect(told).to_have_text("Type to start searching")
    page.keyboard.type("training memory")
    found = page.locator(".md-search-result__item").first.locator("a.md-search-result__link").first
    expect(found).to_have_attribute("href", re.compile("/calculators/training-memory/"))
    assert refused == []


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
