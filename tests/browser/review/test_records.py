"""Design records, from a calculator to a printed page, and values carried from one calculator to the next."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import reading
from tests.browser.page.test_accessibility import violations

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Visit

CHECKPOINT = reading.path_of("checkpoint")


def section(page: Page, heading: str) -> Locator:
    """What follows a heading of the record."""
    return page.locator(f"[data-record-view] h3:text-is('{heading}') + *")


def paste(page: Page, link: str) -> None:
    """Paste a link among the alternatives."""
    page.get_by_label("Another state").fill(link)
    page.keyboard.press("Enter")


def recorded(page: Page) -> None:
    """Wait until the record is shown."""
    expect(page.locator("[data-record-view] h2")).to_be_visible(timeout=reading.START_SECONDS * 1000)
    expect(page.locator("[data-record-status]")).to_be_hidden()


def test_a_review_goes_from_a_calculator_to_a_saved_record(visit: Visit) -> None:
    page = visit(f"{CHECKPOINT}#parameters=405B&write_bandwidth=20GB/s")
    place = reading.calculator(page, "checkpoint")
    found = reading.await_answer(place, reading.ask("checkpoint", {"parameters": "405B", "write_bandwidth": "20GB/s"}))
    reading.await_truth(page, "() => document.querySelector('[data-record]').hash.includes('20GB')")
    place.get_by_role("link", name="Create record").click()
    recorded(page)
    expect(section(page, "Answer")).to_have_text(found["sentence"])
    expect(section(page, "Inputs set")).to_contain_text("Storage write bandwidth: 20 GB/s, default 40 GB/s")

    page.get_by_label("Title").fill("Storage for the 405B run")
    page.get_by_label("Notes").fill("We ask for twice as much.")
    paste(page, "#parameters=405B&write_bandwidth=40GB/s")
    expect(page.locator("[data-record-view] h2")).to_have_text("Storage for the 405B run")
    expect(section(page, "Notes")).to_have_text("We ask for twice as much.")
    expect(section(page, "Alternatives considered")).to_contain_text("Write duration from A to B: 4.72 min to 2.36 min")
    expect(page.locator("[data-alternatives] li")).to_contain_text("Storage write bandwidth 40 GB/s instead of 20 GB/s")
    expect(page.get_by_role("img", name="Write duration, A to B")).to_be_visible()
    assert violations(page) == ""

    page.get_by_role("button", name="Save record").click()
    expect(page.locator("[data-list] a")).to_have_text("Storage for the 405B run")
    page.reload()
    page.locator("[data-list] a").click()
    recorded(page)
    expect(page.get_by_role("img", name="Write duration, A to B")).to_be_visible()  # saved with its picture
    expect(page.get_by_label("Notes")).to_have_value("We ask for twice as much.")
    page.get_by_role("link", name="Back to the calculator").click()
    expect(reading.box(reading.calculator(page, "checkpoint"), "write_bandwidth")).to_have_value("20 GB/s")


def test_a_link_to_a_record_has_its_words_and_alternatives(visit: Visit) -> None:
    words = "record-title=Which%20storage%3F&record-notes=Twice%20%26%20soon.%0AAgreed."
    page = visit(f"records/#of=checkpoint&parameters=405B&{words}&record-alternative=parameters%3D70B")
    recorded(page)
    expect(page.locator("[data-record-view] h2")).to_have_text("Which storage?")
    expect(section(page, "Notes")).to_have_text("Twice & soon.")
    expect(section(page, "Alternatives considered")).to_contain_text("from A to B")
    page.get_by_label("Notes").fill("Twice, and 100% sure.")
    expect(section(page, "Notes")).to_have_text("Twice, and 100% sure.")
    reading.await_truth(page, "() => location.hash.includes('100%25%20sure')")
    page.reload()  # the address has what was typed
    recorded(page)
    expect(page.get_by_label("Notes")).to_have_value("Twice, and 100% sure.")
    expect(page.get_by_label("Title")).to_have_value("Which storage?")
    expect(page.get_by_role("checkbox", name="Link Model parameters 70B")).to_be_checked()
    page.get_by_role("button", name="Copy link to this record").click()
    expect(page.locator("[data-message]")).to_contain_text("copied")
    page.get_by_role("link", name="Back to the calculator").click()
    expect(reading.box(reading.calculator(page, "checkpoint"), "parameters")).to_have_value("405B")


def tab_to(page: Page, control: Locator, key: str = "Tab", most: int = 150) -> None:
    """Press Tab, or Shift+Tab, until this control has the focus."""
    for _ in range(most):
        if control.evaluate("control => control === document.activeElement"):
            return
        page.keyboard.press(key)
    expect(control).to_be_focused()


def test_a_review_by_keys_alone_goes_from_its_question_to_a_printed_record(visit: Visit) -> None:
    """What does hourly checkpointing of a 405B run need from storage, how certain is that, and what would change it?"""
    page = visit()
    keys = page.keyboard
    tab_to(page, page.get_by_role("link", name="How big is a checkpoint, and how fast must storage write it?").first)
    keys.press("Enter")
    place = page.locator(".calculator[data-calculator=checkpoint]")
    expect(place).to_be_attached()  # until then the card of the page before can be typed into
    tab_to(page, reading.box(place, "write_bandwidth"))
    keys.press("Control+a")
    keys.type("100 GB/s")
    keys.press("Tab")
    found = reading.await_answer(place, reading.ask("checkpoint", {"write_bandwidth": "100 GB/s"}))

    fold = place.locator('details[data-review="solve"]')
    tab_to(page, fold.locator("> summary"))
    keys.press("Enter")
    wanted = fold.get_by_role("textbox", name="Target")
    tab_to(page, fold.get_by_role("combobox", name="Result", exact=True))
    keys.type("Write duration")  # among 33 results: the finder opens with it
    expect(page.locator(".finder [role=option]").first).to_contain_text("Write duration")
    keys.press("Enter")
    tab_to(page, wanted)
    keys.press("Control+a")
    keys.type("30 s")
    use = fold.get_by_role("button", name=re.compile("^Use this value: Storage write bandwidth"))
    expect(use).to_be_visible()
    reading.await_truth(page, "() => document.querySelector('[data-record]').hash.includes('bandwidth=100GB')")

    tab_to(page, place.get_by_role("link", name="Create record"), "Shift+Tab")
    keys.press("Enter")
    recorded(page)
    expect(section(page, "Answer")).to_have_text(found["sentence"])
    tab_to(page, page.get_by_label("Title"))
    keys.type("Hourly saves of the 405B run")
    expect(page.locator("[data-record-view] h2")).to_have_text("Hourly saves of the 405B run")
    page.evaluate("() => { window.print = () => { window.printed = true; }; }")
    tab_to(page, page.get_by_role("button", name="Print"))
    keys.press("Enter")
    reading.await_truth(page, "() => window.printed")  # what is still being computed is awaited first
    page.emulate_media(media="print")
    expect(page.get_by_label("Title")).to_be_hidden()
    expect(section(page, "Answer")).to_be_visible()


def test_records_are_exported_and_imported_as_files(visit: Visit, tmp_path: Path) -> None:
    page = visit("records/#of=checkpoint&parameters=70B")
    recorded(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export Markdown").click()
    assert "- Model parameters: 70B parameters" in saved.value.path().read_text("utf-8")
    page.get_by_role("button", name="Save record").click()
    expect(page.locator("[data-list] li")).to_have_count(1)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export all").click()
    file = tmp_path / "records.json"
    file.write_bytes(saved.value.path().read_bytes())
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("[data-list] li")).to_have_count(0)
    page.get_by_role("button", name="Undo delete").click()
    expect(page.locator("[data-list] li")).to_have_count(1)
    page.get_by_role("button", name="Delete").click()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator("[data-message]")).to_have_text("1 record imported.")
    expect(page.locator("[data-list] li")).to_have_count(1)
    file.write_text(json.dumps([{"id": "x"}]), "utf-8")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator("[data-message]")).to_contain_text("not a file of records")
    expect(page.locator("[data-list] li")).to_have_count(1)


def test_pinned_states_are_alternatives(visit: Visit) -> None:
    page = visit(f"{CHECKPOINT}#write_bandwidth=80GB/s")
    place = reading.calculator(page, "checkpoint")
    reading.await_answer(place, reading.ask("checkpoint", {"write_bandwidth": "80GB/s"}))
    reading.await_differences(place)
    reading.button(place, "Pin as baseline").click()
    expect(place.locator(".baseline-line")).to_be_visible()
    reading.slide(place, "write_bandwidth", 3)
    reading.await_truth(page, "() => !document.querySelector('[data-record]').hash.includes('80GB')")
    place.get_by_role("link", name="Create record").click()
    recorded(page)
    state = page.get_by_role("checkbox", name="Pinned A Storage write bandwidth 80 GB/s instead of")
    expect(state).to_be_checked()
    expect(section(page, "Alternatives considered")).to_contain_text("Write duration from A to B")
    state.press("Space")
    recorded(page)
    expect(page.locator("[data-record-view] .record-compared")).to_have_count(0)
    state.press("Space")
    expect(section(page, "Alternatives considered")).to_contain_text("Write duration from A to B")
    for link in ("parameters=8B", "parameters=70B"):
        paste(page, link)
    expect(page.get_by_label("Another state")).to_be_disabled()
    expect(page.locator("[data-full]")).to_be_visible()
    expect(page.locator("[data-letter]")).to_have_text(["B in the record", "C in the record", "D in the record"])
    expect(page.locator(".record-compared svg")).to_have_count(3)


def test_pinned_states_are_alternatives_of_the_defaults_too_and_the_recorded_state_is_none(visit: Visit) -> None:
    page = visit("records/#of=checkpoint")
    recorded(page)
    pins = ["v=0.1.0&was=checkpoint_size:5.68TB", "write_bandwidth=80GB/s&v=0.1.0&was=checkpoint_size:5.68TB"]
    page.evaluate("pins => sessionStorage.setItem('pins:checkpoint', JSON.stringify(pins))", pins)
    page.reload()
    recorded(page)
    expect(page.locator("[data-alternatives] li")).to_have_count(1)
    expect(page.get_by_role("checkbox", name="Pinned B Storage write bandwidth 80 GB/s")).to_be_checked()


def test_an_invalid_alternative_is_reported_and_typed_text_stays(visit: Visit) -> None:
    page = visit("records/#of=checkpoint&parameters=70B")
    recorded(page)
    paste(page, "parameters=0")
    status = page.locator("[data-record-status]")
    expect(status).to_contain_text("State B: Model parameters must be between 1M and 1,000T")
    expect(page.locator("[data-alternatives] li")).to_contain_text("must be between 1M and 1,000T")


@pytest.mark.parametrize("width", [390, 1440])
def test_the_page_of_records_is_fine_on_any_screen(visit: Visit, width: int) -> None:
    page = visit("records/#of=kv_cache")
    page.set_viewport_size({"width": width, "height": 900})
    recorded(page)
    assert violations(page) == ""
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_state_goes_along_to_a_calculator_nearby(visit: Visit) -> None:
    page = visit(f"{reading.path_of('training_time')}#gpus=1024")
    place = reading.calculator(page, "training_time")
    reading.await_answer(place, reading.ask("training_time", {"gpus": "1024"}))
    reading.await_truth(page, "() => document.querySelector('.near a').hash.includes('from=training_time')")
    page.locator(".near a", has_text="Training memory").click()
    there = reading.calculator(page, "training_memory")
    expect(there.locator("[data-notices]")).to_contain_text("Imported from “Training time and cost”")
    expect(there.locator("[data-notices]")).to_contain_text("Data parallel is now 32 ranks")
    expect(reading.box(there, "gpus")).to_have_value("1,024")


def test_values_that_a_calculator_does_not_need_pass_through_it(visit: Visit) -> None:
    page = visit(f"{CHECKPOINT}#parameters=8B")
    for name, onward in (("checkpoint", "goodput"), ("goodput", "storage_demand")):
        reading.calculator(page, name)
        reading.await_truth(page, f"() => document.querySelector('.near a').hash.includes('from={name}')")
        page.locator(f'.near a[href*="{reading.path_of(onward)}"]').click()
        reading.await_truth(page, f"() => document.querySelector('[data-calculator={onward}]') !== null")
    there = reading.calculator(page, "storage_demand")
    expect(reading.box(there, "checkpoint_size")).to_have_value("112 GB")
    expect(there.locator("[data-notices]")).to_contain_text("Imported from “Checkpoint size and bandwidth”")
    reading.type_in(there, "write_window", "2 min").press("Tab")
    reading.await_truth(page, "() => location.hash.includes('write_window=2min')")
    assert page.evaluate("() => new URLSearchParams(location.hash.slice(1)).getAll('with').length") == 2
    page.reload()
    reading.await_truth(page, "() => document.querySelector('.near a').hash.includes('from=storage_demand')")
    page.locator(f'.near a[href*="{CHECKPOINT}"]').click()
    back = reading.calculator(page, "checkpoint")
    expect(reading.box(back, "parameters")).to_have_value("8B")
    expect(reading.box(back, "write_window")).to_have_value("2 min")
    reading.button(back, "Reset").click()
    reading.await_truth(page, "() => location.hash === ''")


def test_a_link_of_an_older_version_says_what_it_was_and_is(live: Visit) -> None:
    page = live(f"{CHECKPOINT}#parameters=405B&v=0.0.1&was=checkpoint_size:5.61TB")
    notices = reading.calculator(page, "checkpoint").locator("[data-notices]")
    expect(notices).to_contain_text("Checkpoint size was 5.61TB when this link was made, with version 0.0.1")
