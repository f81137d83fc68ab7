"""Search: what people type finds the place that explains it first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.browser.conftest import Visit


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("Young/Daly", "guide/failure/#the-interval"),
        ("young daly", "guide/failure/#the-interval"),
        ("all-reduce", "guide/collectives/#the-verbs"),
        ("all reduce", "guide/collectives/#the-verbs"),
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
