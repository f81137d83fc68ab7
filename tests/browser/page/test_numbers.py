"""Numbers: found by words, kind and source, whole without script, and old links lead where they led."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from calculators import facts

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from builder.serving.serve import SiteServer
    from tests.browser.conftest import Visit

ALL = len(facts.all_records())


def test_the_index_is_short_until_something_is_asked(visit: Visit) -> None:
    page = visit("numbers/")
    expect(page.locator(".find-count")).to_have_text(f"{ALL:,} in total")
    assert page.evaluate("() => document.documentElement.scrollHeight") < 4500


def test_words_narrow_the_lines_and_open_their_groups(visit: Visit) -> None:
    page = visit("numbers/")
    page.get_by_label("Find").fill("llama INTERRUPTIONS")
    expect(page.locator("li#llama3-interruptions")).to_be_visible()
    expect(page.locator("li#h100-sxm")).to_be_hidden()
    expect(page.locator("details#accelerators")).to_be_hidden()
    shown = page.locator(".numbers-group li:visible").count()
    expect(page.locator(".find-count")).to_have_text(f"{shown:,} of {ALL:,}")
    page.get_by_label("Find").fill("")
    expect(page.locator("details#accelerators")).to_be_visible()
    expect(page.locator("li#llama3-interruptions")).to_be_hidden()  # its group is closed again


def test_kind_and_source_narrow_together(visit: Visit) -> None:
    page = visit("numbers/")
    page.get_by_label("Kind").select_option("measured")
    page.get_by_label("Source").select_option("abstract")
    fitting = [
        record.key
        for record in facts.all_records().values()
        if any(fact.kind == "measured" for fact in record.fields.values())
        and any(fact.source and fact.source.read == "abstract" for fact in record.fields.values())
    ]
    expect(page.locator(".numbers-group li:visible")).to_have_count(len(fitting))


def test_an_unknown_word_finds_nothing(visit: Visit) -> None:
    page = visit("numbers/")
    page.get_by_label("Find").fill("no such thing")
    expect(page.locator(".find-count")).to_have_text(f"0 of {ALL:,}")


@pytest.mark.parametrize("script", [True, False], ids=["script", "without script"])
@pytest.mark.parametrize(
    "path", ["numbers/#mfu", "numbers/#bytecheckpoint-405b", "numbers/storage/#bytecheckpoint-405b"]
)
def test_a_link_to_a_number_shows_it(browser: Browser, site: SiteServer, path: str, script: bool) -> None:  # noqa: FBT001  pytest gives it by name
    context = browser.new_context(java_script_enabled=script, service_workers="block")
    page = context.new_page()
    page.goto(site.url + path)
    expect(page.locator(f"[id='{path.partition('#')[2]}']")).to_be_in_viewport()
    context.close()


def test_without_script_there_is_no_form_that_does_nothing(browser: Browser, site: SiteServer) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.url + "numbers/")
    expect(page.locator("form.find")).to_be_hidden()
    page.locator("details#storage > summary").click()
    expect(page.locator("li#bytecheckpoint-405b")).to_be_visible()
    context.close()
