"""The reader's own facts: given on their page, in every menu and answer after it, in no link, and gone when removed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser import reading
from tests.browser.page.test_accessibility import violations

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Visit

PAGE = "own-facts/"
START = reading.START_SECONDS * 1000
OWN = """
[accelerators.h100-contract]
like = "h100-sxm"
name = "H100, our contract"
price_per_gpu_hour = 1.23

[drives.wrong]
drive_read = "7 GBB/s"

[facts]
capital-rate = "6 %"
"""


def use(page: Page, text: str) -> None:
    """Give these facts and wait until they are in use."""
    page.get_by_label("Your facts").fill(text)
    page.get_by_role("button", name="Use these facts").click()
    expect(page.locator("[data-own-status]")).to_have_text("In use on every page:", timeout=START)


def test_own_facts_are_in_menus_and_answers_and_in_no_link(visit: Visit) -> None:
    page = visit(PAGE)
    use(page, OWN)
    expect(page.locator("[data-own-named] li")).to_have_count(2)
    expect(page.locator("[data-own-problems] li")).to_have_text(re.compile(r"line 8: .*\[drives\.wrong\] is left out"))
    assert violations(page) == ""

    page.goto(page.url.replace(PAGE, reading.path_of("cost")))
    place = reading.calculator(page, "cost")
    expect(place.locator("[data-own-note]")).to_contain_text("2 entries, 1 problem", timeout=START)
    expect(reading.box(place, "capital_rate")).to_have_value("6%", timeout=START)
    place.locator("select[data-preset=accelerator]").select_option(label="H100, our contract (yours)")
    expect(reading.box(place, "price_per_gpu_hour")).to_have_value(re.compile(r"1\.23"))
    expect(place.locator(".answer")).to_contain_text("(yours)")
    reading.await_truth(page, "() => location.hash.includes('h100-contract')")
    assert "1.23" not in page.url

    page.goto(page.url.split("#")[0].replace(reading.path_of("cost"), PAGE))
    expect(page.locator("[data-own-status]")).to_have_text("In use on every page:", timeout=START)
    page.get_by_role("button", name="Stop using them").click()
    expect(page.locator("[data-own-status]")).to_have_text("Published facts alone are in use.")
    page.goto(page.url.replace(PAGE, reading.path_of("cost")))
    expect(page.locator("[data-own-note]")).to_be_hidden()
    expect(reading.box(reading.calculator(page, "cost"), "capital_rate")).to_have_value("8%")


def test_the_example_of_the_page_has_no_problem_and_reaches_the_planner(visit: Visit) -> None:
    page = visit(PAGE)
    page.get_by_role("button", name="Insert the example").click()
    page.get_by_role("button", name="Use these facts").click()
    expect(page.locator("[data-own-named] li")).to_have_count(4, timeout=START)
    expect(page.locator("[data-own-problems] li")).to_have_count(0)
    page.goto(page.url.replace(PAGE, "machine/#accelerator=h100-contract"))
    place = page.locator(".calculator.machine")
    expect(place.locator("select[data-preset=accelerator]")).to_have_value("h100-contract", timeout=START)
    expect(place.locator(".answer")).to_contain_text("yours", timeout=START)


def test_a_file_dropped_on_any_page_is_taken(visit: Visit, tmp_path: Path) -> None:
    page = visit(reading.path_of("checkpoint"))
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "tender.toml"));
            document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        OWN,
    )
    page.wait_for_url(f"**/{PAGE}")
    expect(page.locator("[data-own-named] li")).to_have_count(2, timeout=START)
