"""A link to a state: nothing of another state until it is computed, and the state stays wherever the reader goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from calculators.catalog import CALCULATORS
from tests.browser import reading
from tooling import browsers

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page, Route

    from builder.serving.serve import SiteServer
    from tests.browser.conftest import Visit

CHECKPOINT = reading.path_of("checkpoint")
only_chromium = pytest.mark.skipif(
    browsers.chosen() != "chromium", reason="only there Playwright sees a worker's requests"
)


def seen(place: Locator) -> str:
    """All words of a calculator that are in sight."""
    text: str = place.evaluate(
        """root => {
            const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
            const found = [];
            while (walker.nextNode()) {
                const element = walker.currentNode.parentElement;
                if (element.checkVisibility({visibilityProperty: true})) found.push(walker.currentNode.data);
            }
            return found.join(" ");
        }"""
    )
    return text


@only_chromium
@reading.each_calculator
def test_until_a_link_is_computed_nothing_of_another_state_is_in_sight(
    context: BrowserContext, page: Page, site: SiteServer, name: str
) -> None:
    held: list[Route] = []
    context.route("**/*.wasm*", lambda route: held.append(route))  # noqa: PLW0108  Playwright wants a function
    slider = CALCULATORS[name].first_sliders[0]
    text = reading.ask(name, stops={slider: 3})["given"][slider]
    page.goto(f"{site.url}{reading.path_of(name)}#{slider}={text.replace(' ', '')}")
    place = reading.calculator(page, name)
    expect(place).to_have_attribute("data-engine", "downloading")
    expect(reading.box(place, slider)).to_have_value(text.replace(" ", ""))
    expect(place.locator("[data-pending-text]")).to_contain_text("Computing the answer")
    expect(place.locator("[data-pending-text]")).to_contain_text(" MB")
    default = reading.ask(name)
    words = seen(place)
    for message in (default["sentence"], *(verdict["reason"] for verdict in default["verdicts"].values())):
        assert message not in words
    results = place.locator("[data-value], [data-also], [data-python], [data-verdict], [data-band], .picture")
    visible = "all => all.filter(one => one.checkVisibility({visibilityProperty: true})).length"
    assert results.evaluate_all(visible) == 0
    if name != "checkpoint":  # that its link is computed then, test_permalinks.py sees of each
        return
    context.route("**/*.wasm*", lambda route: route.continue_())
    for route in held:
        route.continue_()
    reading.await_answer(place, reading.ask(name, {slider: text}))
    expect(place.locator("[data-pending-text]")).to_be_hidden()
    assert results.evaluate_all(visible) > 0


@only_chromium
def test_a_link_is_out_of_sight_from_the_first_picture_on(
    context: BrowserContext, page: Page, site: SiteServer
) -> None:
    """Before our own script runs, too."""
    held: list[Route] = []
    context.route("**/start-*.js", lambda route: held.append(route))  # noqa: PLW0108  Playwright wants a function
    page.goto(f"{site.url}{CHECKPOINT}#parameters=8B", wait_until="commit")
    place = reading.calculator(page, "checkpoint")
    expect(place.locator("[data-pending-text]")).to_be_visible()
    expect(place.locator(".answer")).to_be_hidden()
    expect(place.locator(".verdict").first).to_be_hidden()
    reading.await_here(page, lambda: held)
    for route in held:
        route.continue_()
    reading.await_answer(place, reading.ask("checkpoint", {"parameters": "8B"}))


@only_chromium
@pytest.mark.expects_problems("")
def test_a_link_where_nothing_runs_says_so_and_shows_no_other_answer(
    context: BrowserContext, page: Page, site: SiteServer
) -> None:
    context.route("**/engine/**", lambda route: route.abort())
    page.goto(f"{site.url}{CHECKPOINT}#parameters=8B")
    place = reading.calculator(page, "checkpoint")
    expect(place).to_have_attribute("data-engine", "failed")
    expect(place.locator("[data-pending-text]")).to_contain_text("cannot be computed here")
    expect(place.locator(".answer")).to_be_hidden()
    assert "last results stay" not in seen(place)


def test_a_link_with_a_mistake_shows_no_other_answer_and_its_inputs(
    context: BrowserContext, page: Page, site: SiteServer
) -> None:
    page.goto(f"{site.url}{CHECKPOINT}#parameters=8B&checkpoint_interval=soon")
    place = reading.calculator(page, "checkpoint")
    expect(place.locator('[data-input="checkpoint_interval"] [data-problem]')).to_be_visible()
    expect(place.locator("[data-pending-text]")).to_contain_text("cannot be computed")
    expect(place.locator(".answer")).to_be_hidden()
    expect(reading.box(place, "parameters")).to_have_value("8B")
    reading.type_in(place, "checkpoint_interval", "30 min").press("Tab")
    reading.await_answer(place, reading.ask("checkpoint", {"parameters": "8B", "checkpoint_interval": "30 min"}))
    expect(place.locator(".answer")).to_be_visible()


def test_a_system_that_a_link_comes_from_is_searched_for_under_the_readers_hands(live: Visit) -> None:
    """An estimate first, then slices, so that no watchdog barks; what is typed meanwhile is computed with it."""
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    place.evaluate(
        """root => {
            window.waited = [];
            window.estimated = [];
            window.gaps = 0;
            const text = (name) => root.querySelector(name)?.textContent ?? "";
            const note = () => {
                window.waited.push(text("[data-searching] [data-progress]"), text("[data-pending-text]"));
                const isEstimate = root.hasAttribute("data-provisional") && !root.hasAttribute("data-pending");
                if (isEstimate) window.estimated.push(text(".answer"));
                if (isEstimate) window.gaps += root.querySelector(".answer-likely").offsetWidth;
            };
            new MutationObserver(note).observe(root, {childList: true, characterData: true, subtree: true});
        }"""
    )
    link = "model=llama-2-70b&tokens=2T&deadline=30days&from=machine"
    page.evaluate("link => { location.hash = link; }", link)
    reading.await_truth(page, "() => window.waited.some(text => /Searching: [1-9][0-9,]* .*tried/.test(text))")
    assert page.evaluate("() => window.estimated.some(text => text.includes('checkpoint'))")
    expect(place.locator("[data-verdict]").first).to_be_hidden()  # nothing is judged by an estimate
    assert page.evaluate("() => window.gaps") == 0  # nor is room left in its sentence for a range of another state
    box = reading.box(place, "write_window")
    reading.unfold(box)
    box.fill("2 min")
    given = reading.ask("checkpoint", fragment=link)["given"]
    reading.await_answer(place, reading.ask("checkpoint", {**given, "write_window": "2 min"}), but=("notices",))
    assert not page.evaluate("() => window.waited.some(text => text.includes('cannot'))")
    expect(place.locator("[data-searching]")).to_be_hidden()
    expect(place).to_have_attribute("data-engine", "live")


@pytest.mark.parametrize("link", ["Results", "Uncertainty", "Assumptions"])
def test_ways_on_the_page_leave_the_address_and_the_state(live: Visit, link: str) -> None:
    page = live(CHECKPOINT + "#parameters=8B")
    place = reading.calculator(page, "checkpoint")
    reading.await_answer(place, reading.ask("checkpoint", {"parameters": "8B"}))
    way = place.locator(".page-parts").get_by_role("link", name=link, exact=True)
    target = (way.get_attribute("href") or "").rpartition("#")[2]
    way.click()
    expect(page.locator(f"#{target}")).to_be_in_viewport()
    assert page.evaluate("() => document.activeElement.id") == target
    assert page.url.endswith("#parameters=8B")


def test_a_step_of_the_working_unfolds_when_a_link_leads_there(live: Visit) -> None:
    page = live(CHECKPOINT + "#parameters=8B")
    place = reading.calculator(page, "checkpoint")
    place.evaluate("root => { for (const one of root.querySelectorAll('details')) one.open = false; }")
    place.locator("table.results a").last.evaluate("link => link.click()")
    expect(place.locator("details.step[open]")).to_have_count(1)
    assert page.url.endswith("#parameters=8B")


def test_the_state_survives_the_skip_link_a_reload_and_the_way_back(visit: Visit) -> None:
    page = visit(CHECKPOINT + "#parameters=8B")
    answer = reading.ask("checkpoint", {"parameters": "8B"})
    reading.await_answer(reading.calculator(page, "checkpoint"), answer)
    page.evaluate("() => document.querySelector('.md-skip').focus()")
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    assert page.url.endswith("#parameters=8B")
    page.reload()
    reading.await_answer(reading.calculator(page, "checkpoint"), answer)
    page.get_by_role("link", name="Numbers", exact=True).first.click()
    page.wait_for_url("**/numbers/")
    page.go_back()
    reading.await_answer(reading.calculator(page, "checkpoint"), answer)
    page.go_forward()
    page.wait_for_url("**/numbers/")


def test_a_state_after_a_question_mark_is_read_and_moves_into_the_fragment(visit: Visit) -> None:
    page = visit(CHECKPOINT + "?parameters=8B&colour=red&h=save#write_bandwidth=1TB/s")
    place = reading.calculator(page, "checkpoint")
    found = reading.await_answer(place, reading.ask("checkpoint", {"parameters": "8B", "write_bandwidth": "1TB/s"}))
    assert len(found["notices"]) == 1
    assert "colour" in found["notices"][0]
    assert page.url.endswith("?h=save#write_bandwidth=1TB/s&parameters=8B&colour=red")


def test_a_link_of_another_version_says_what_has_changed(live: Visit) -> None:
    page = live(CHECKPOINT + "#parameters=8B&v=0.0.1&was=checkpoint_size:1TB")
    place = reading.calculator(page, "checkpoint")
    message = reading.ask("checkpoint", fragment=page.url.partition("#")[2])["notices"]
    expect(place.locator("[data-notices] li")).to_have_text(message)
    expect(place.locator("[data-sentence]")).to_contain_text(message[0])
    assert page.url.endswith("was=checkpoint_size:1TB")  # a reload says it again


def test_what_was_set_right_before_leaving_is_there_on_the_way_back(live: Visit) -> None:
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    reading.slide(place, "write_bandwidth", 60)
    answer = reading.ask("checkpoint", stops={"write_bandwidth": 60})
    reading.await_answer(place, answer)
    reading.box(place, "write_window").fill("2 min")
    page.evaluate("() => document.querySelector('.near a').click()")  # at once: the address was not written yet
    page.wait_for_url(lambda url: CHECKPOINT not in url)
    page.go_back()
    given = {**answer["given"], "write_window": "2 min"}
    reading.await_answer(reading.calculator(page, "checkpoint"), reading.ask("checkpoint", given))


def test_a_card_left_right_after_a_change_takes_it_along(live: Visit) -> None:
    page = live()
    card = reading.calculator(page, "checkpoint")
    reading.slide(card, "write_bandwidth", 60)
    answer = reading.ask("checkpoint", stops={"write_bandwidth": 60})
    reading.await_answer(card, answer)
    page.evaluate("() => document.querySelector('[data-calculator=checkpoint] .card-foot a[data-full]').click()")
    page.wait_for_url(lambda url: CHECKPOINT in url)
    reading.await_answer(page.locator(".calculator[data-calculator=checkpoint]"), answer)
