"""A state saved as a spreadsheet: the page's second Python writes the workbook of what is on the screen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import reading
from tests.spreadsheet.evaluator import Evaluation
from tests.spreadsheet.files import Book

if TYPE_CHECKING:
    from tests.browser.conftest import Visit

BUTTON = "Save as spreadsheet (.xlsx)"


@pytest.mark.long
def test_the_spreadsheet_has_the_state_on_the_screen_and_recalculates(live: Visit) -> None:
    page = live(reading.path_of("checkpoint") + "#parameters=405B&write_bandwidth=60GB/s")
    place = reading.calculator(page, "checkpoint")
    reading.await_answer(place, reading.ask("checkpoint", {"parameters": "405B", "write_bandwidth": "60GB/s"}))
    with page.expect_download() as saved:
        place.get_by_role("button", name=BUTTON).click()
    expect(place.locator("[data-toast]")).to_have_text("checkpoint.xlsx saved")
    assert saved.value.suggested_filename == "checkpoint.xlsx"
    book = Book(saved.value.path().read_bytes())
    assert book.value("parameters") == 405e9
    written = Evaluation(book)
    size = written.value("checkpoint_size")
    assert size == 405e9 * book.value("checkpoint_bytes_per_parameter")
    assert written.value("write_duration") == pytest.approx(size / 60e9)
    twice = Evaluation(book, {"write_bandwidth": 80e9})
    assert twice.value("write_duration") == pytest.approx(size / 80e9)
    address = page.url.partition("#")[0]
    links = [one for one in book.values.values() if isinstance(one, str) and one.startswith(f"{address}#")]
    assert len(links) == 1
    assert "write_bandwidth=60" in links[0]


def test_a_state_that_is_wrong_has_no_spreadsheet(live: Visit) -> None:
    page = live(reading.path_of("checkpoint"))
    place = reading.calculator(page, "checkpoint")
    field = place.locator('[data-input="write_window"] [data-box]')
    field.fill("nonsense")
    field.press("Tab")
    expect(field).to_have_attribute("aria-invalid", "true")
    place.get_by_role("button", name=BUTTON).click()
    expect(place.locator("[data-toast]")).to_have_text("No spreadsheet: an input is invalid")


@pytest.mark.long
def test_a_systems_state_is_saved_with_the_layout_that_was_found(visit: Visit) -> None:
    page = visit("machine/#model=llama-3-8b&gpus=64&tokens=1T")
    reading.await_live(page)
    place = reading.calculator(page, "machine")
    with page.expect_download(timeout=240_000) as saved:
        place.get_by_role("button", name=BUTTON).click()
    book = Book(saved.value.path().read_bytes())
    assert book.value("gpus") == 64
    parallel = ("tensor_parallel", "pipeline_parallel", "context_parallel", "data_parallel")
    assert math.prod(book.value(name) for name in parallel) <= 64
    assert Evaluation(book).value("training_duration") == pytest.approx(book.value("training_duration"), rel=1e-9)
