"""Going from page to page by clicking links: the engine lives on, and every calculator works when it comes back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser import reading
from tests.browser.conftest import Resident

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Request, Worker

    from tests.browser.conftest import Visit


def engines(page: Page) -> list[Worker]:
    """The engine's workers; Material's search has one of its own."""
    return [worker for worker in page.workers if worker.url.startswith("blob:")]


def click_through(page: Page, link: str, path: str) -> None:
    """Click a link of the page and wait until the page it leads to is there."""
    page.locator(link).first.click()
    page.wait_for_url(lambda url: url.partition("#")[0].endswith(path))
    expect(page.locator(f'link[rel=canonical][href$="{path}"]')).to_be_attached()


def test_the_engine_lives_on_from_page_to_page(context: BrowserContext, visit: Visit) -> None:
    fetched: list[str] = []

    def note(request: Request) -> None:
        if "/engine/" in request.url:
            fetched.append(request.url)

    context.on("request", note)
    page = visit()
    reading.await_live(page)
    (worker,) = engines(page)
    first = len(fetched)
    reading.await_links(page)
    page.evaluate("() => { window.sameVisit = true; }")

    click_through(page, '.ways a[href$="/checkpoint/"]', "/calculators/checkpoint/")
    place = page.locator(".calculator[data-calculator=checkpoint]")
    expect(place).to_have_attribute("data-engine", "live")
    reading.slide(place, "write_bandwidth", 60)
    reading.await_answer(place, reading.ask("checkpoint", stops={"write_bandwidth": 60}))

    click_through(page, ".md-tabs a >> text=Numbers", "/numbers/")
    expect(page.locator("ai-calculator")).to_have_count(0)
    click_through(page, ".md-header a.md-logo, .md-tabs a >> text=Home", "/some-repo/")
    card = page.locator(".card[data-calculator=checkpoint]")
    expect(card).to_have_attribute("data-engine", "live")
    reading.slide(card, "write_bandwidth", 50)
    reading.await_answer(card, reading.ask("checkpoint", stops={"write_bandwidth": 50}))

    click_through(page, '.ways a[href$="/kv-cache/"]', "/calculators/kv-cache/")
    place = page.locator(".calculator[data-calculator=kv_cache]")
    reading.slide(place, "context", 8)
    reading.await_answer(place, reading.ask("kv_cache", stops={"context": 8}))

    assert page.evaluate("() => window.sameVisit"), "a page was loaded again"
    assert engines(page) == [worker]
    assert len(fetched) == first


def test_going_back_brings_the_calculator_back_and_it_works(live: Visit) -> None:
    page = live(reading.path_of("checkpoint"))
    reading.slide(reading.calculator(page, "checkpoint"), "write_bandwidth", 60)
    changed = reading.ask("checkpoint", stops={"write_bandwidth": 60})
    reading.await_answer(reading.calculator(page, "checkpoint"), changed)
    link = reading.ask("checkpoint", asks=["link"], stops={"write_bandwidth": 60})["link"]
    reading.await_truth(page, "link => location.hash === '#' + link", link)
    click_through(page, ".md-tabs a >> text=Numbers", "/numbers/")
    page.go_back()
    place = page.locator(".calculator[data-calculator=checkpoint]")
    expect(place).to_have_attribute("data-engine", "live")
    reading.await_answer(place, changed)  # the address said so
    reading.slide(place, "write_bandwidth", 40)
    reading.await_answer(place, reading.ask("checkpoint", stops={"write_bandwidth": 40}))


def test_leaving_in_the_middle_of_a_change_harms_nothing(live: Visit) -> None:
    page = live(reading.path_of("training_memory"))
    place = reading.calculator(page, "training_memory")
    for stop in range(5):
        reading.slide(place, "tensor_parallel", stop)
    page.locator(".md-tabs a >> text=Numbers").first.click()
    page.wait_for_url("**/numbers/")
    card = reading.calculator(live(), "checkpoint")
    reading.await_answer(card, reading.ask("checkpoint"))
    reading.slide(card, "write_bandwidth", 50)
    reading.await_answer(card, reading.ask("checkpoint", stops={"write_bandwidth": 50}))
    assert page.url.endswith("/some-repo/")


def test_pages_that_were_left_are_let_go(context: BrowserContext, visit: Visit) -> None:
    """Counted in Chromium: after a walk over the same two pages there are as many elements as after the walk before."""
    page = visit("guide/node/")
    reading.await_live(page)
    session = context.new_cdp_session(page)

    def elements() -> int:
        page.wait_for_timeout(500)
        session.send("HeapProfiler.collectGarbage")
        return int(session.send("Memory.getDOMCounters")["nodes"])

    def elements_after_a_walk() -> int:
        for path in ("guide/why/", "guide/node/") * 2:
            Resident.follow(page, page.url.partition("guide/")[0] + path)
        reading.await_live(page)
        return elements()

    most = elements_after_a_walk() * 1.2
    walked = elements_after_a_walk()
    until = time.monotonic() + reading.PATIENCE_SECONDS
    while walked >= most and time.monotonic() < until:  # what still waits for a timer is let go after it
        walked = elements()
    assert walked < most
