"""The page of offers: complete before script, compared on every change, its table in the address, out as CSV."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from calculators.page.offers import EXAMPLE, response
from tests.browser import reading

if TYPE_CHECKING:
    from tests.browser.conftest import Visit

PAGE = "offers/"
START = reading.START_SECONDS * 1000


def test_bids_are_compared_and_the_address_holds_the_table(visit: Visit) -> None:
    page = visit(PAGE)
    sentence = page.locator("[data-offers-sentence]")
    expect(sentence).to_have_text(response(EXAMPLE)["offers"]["sentence"])  # before Python runs
    page.get_by_label("Price per GPU-hour, bid C").fill("4 USD")
    given = {**EXAMPLE, "c.price_per_gpu_hour": "4 USD"}
    expected = response(given)["offers"]
    expect(sentence).to_have_text(expected["sentence"], timeout=START)
    expect(page.locator('[data-cell="b.parts"]')).to_have_text(expected["cells"]["b.parts"])
    assert "c.price_per_gpu_hour=4+USD" in page.url

    page.get_by_role("button", name="Add a bid").click()
    page.get_by_label("Kind of bid D").select_option("quoted")
    expect(page.locator("[data-offers-problems] li")).to_have_text("Bid D: the price as quoted is missing")
    page.get_by_label("Price in the unit compared, bid D").fill("1.90 USD/GPU-hour")
    expect(sentence).to_contain_text("Bid D is the cheapest at $1.90/GPU-hour")

    again = page.context.new_page()
    again.goto(page.url)
    expect(again.locator("[data-offers-sentence]")).to_contain_text("Bid D is the cheapest", timeout=START)
    expect(again.get_by_label("Name of bid A")).to_have_value("Vendor A")
    with again.expect_download() as download:
        again.get_by_role("button", name="Export CSV").click()
    rows = list(csv.reader(Path(download.value.path()).read_text("utf-8").splitlines()))
    assert rows[0][1:] == ["Vendor A", "Vendor B", "Cloud", "Bid D"]
    again.get_by_label("Compare per").select_option("tb-month")
    expect(again.locator("tbody", has_text="Storage, bought")).to_be_visible()
    expect(again.locator("tbody", has_text="GPUs, bought")).to_be_hidden()


def test_a_key_of_a_link_that_the_page_does_not_know_is_named(visit: Visit) -> None:
    page = visit(f"{PAGE}#a.kind=bought&b.kind=rented&a.colour=red")
    expect(page.locator("[data-offers-problems] li")).to_have_text(
        "The link has “a.colour”, which this page does not know."
    )
    expect(page.locator("[data-offers-sentence]")).to_contain_text("is the cheapest at", timeout=START)
