"""Terms say what they mean where they are: to the pointer, to the keyboard and to a finger; links stay links."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page

    from builder.serving.serve import SiteServer
    from tests.browser.conftest import Visit

CHAPTER = "guide/failure/"
LITTLE = "What is in flight equals the rate times the time each takes."


def term(page: Page) -> Locator:
    return page.locator("a.term[href$='#littles-law']").first


@pytest.fixture
def phone(browser: Browser, site: SiteServer) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, service_workers="block"
    )
    page = context.new_page()
    page.goto(site.url + CHAPTER)
    page.wait_for_function("() => customElements.get('wide-figure')")
    yield page
    context.close()


def test_focus_shows_what_a_term_means_and_escape_hides_it(visit: Visit) -> None:
    page = visit(CHAPTER)
    page.wait_for_function("() => customElements.get('wide-figure')")
    term(page).focus()
    text = page.get_by_role("tooltip")
    expect(text).to_contain_text(LITTLE)
    expect(text).to_be_in_viewport()
    expect(term(page)).to_have_attribute("aria-describedby", "term-definition")
    page.keyboard.press("Escape")
    expect(text).to_be_hidden()


def test_the_pointer_shows_it_and_may_rest_on_it(visit: Visit) -> None:
    page = visit(CHAPTER)
    page.wait_for_function("() => customElements.get('wide-figure')")
    term(page).hover()
    text = page.get_by_role("tooltip")
    expect(text).to_contain_text(LITTLE)
    text.hover()
    page.wait_for_timeout(400)  # longer than it would stay if the pointer had left
    expect(text).to_be_visible()
    page.mouse.move(2, 400)
    expect(text).to_be_hidden()


def test_a_first_touch_shows_it_and_a_second_leads_to_the_glossary(phone: Page) -> None:
    term(phone).tap()
    expect(phone.get_by_role("tooltip")).to_contain_text(LITTLE)
    assert CHAPTER in phone.url
    term(phone).tap()
    phone.wait_for_url("**/guide/glossary/#littles-law")
    expect(phone.get_by_role("tooltip")).to_be_hidden()


def test_a_touch_elsewhere_hides_it(phone: Page) -> None:
    term(phone).tap()
    expect(phone.get_by_role("tooltip")).to_be_visible()
    phone.get_by_role("heading", name="Spares and repair").tap()
    expect(phone.get_by_role("tooltip")).to_be_hidden()


def test_without_script_the_title_says_it(browser: Browser, site: SiteServer) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.url + CHAPTER)
    assert LITTLE in (term(page).get_attribute("title") or "")
    context.close()


def test_a_figure_wider_than_a_phone_scrolls_alone_and_shows_that_it_does(phone: Page) -> None:
    figure = phone.locator("#figure-interval wide-figure")
    wide = figure.evaluate("(it) => it.scrollWidth > it.clientWidth && getComputedStyle(it).overflowX === 'auto'")
    assert wide
    assert "linear-gradient" in figure.evaluate("(it) => getComputedStyle(it).backgroundImage")
    expect(figure).to_have_attribute("tabindex", "0")
    assert phone.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_a_figure_that_fits_is_no_stop_of_the_tab_key(visit: Visit) -> None:
    page = visit(CHAPTER)
    page.wait_for_function("() => customElements.get('wide-figure')")
    assert page.locator("wide-figure[tabindex]").count() == 0


def test_no_page_shows_the_markup_it_was_written_in(site: SiteServer, site_pages: tuple[str, ...]) -> None:
    """Lists of attributes, braces of templates: what a page's source says to its builders."""
    for path in site_pages:
        page = site.files[path + "index.html"].body
        body = re.sub(rb"<(script|style|pre|code)\b.*?</\1>|<[^>]*>", b" ", page, flags=re.DOTALL)
        assert not re.findall(rb"\{[:%{].{,40}", body), path
