"""A state is its link: the address says it while the reader works, and opens it again anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from calculators.catalog import CALCULATORS
from tests.browser import reading
from tests.browser.calculator.test_inputs import choose, other_record, pins

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

    from builder.serving.serve import SiteServer
    from tests.browser.conftest import Visit

CHECKPOINT = {"model": "llama-3-1-405b", "parameters": "1T", "checkpoint_interval": "30min"}


def linked(name: str) -> str:
    """The link to a calculator whose first slider is off its default."""
    slider = CALCULATORS[name].first_sliders[0]
    stop = reading.ask(name)["controls"][slider]["stop"]
    link: str = reading.ask(name, asks=["link"], stops={slider: stop - 1 if stop else 1})["link"]
    assert link
    return link


def await_fragment(page: Page, link: str) -> None:
    """Wait until the address ends in this state."""
    reading.await_truth(page, "link => location.hash === (link && '#' + link)", link)


@reading.each_calculator
def test_the_address_follows_the_state_and_brings_it_back(live: Visit, name: str) -> None:
    page = live(reading.path_of(name))
    place = reading.calculator(page, name)
    slider = CALCULATORS[name].first_sliders[0]
    if not CALCULATORS[name].presets:
        return  # it has no menu
    reading.open_groups(place)
    menu = CALCULATORS[name].presets[0]
    preset, key = menu.name, other_record(menu, menu.default)
    choose(place, preset, key)
    stop = reading.await_answer(place, reading.ask(name, {preset: key}))["controls"][slider]["stop"]
    moved_to = stop - 1 if stop > 0 else 1
    reading.slide(place, slider, moved_to)
    given = {one: default for one, default in pins(name, slider).items() if one != preset}
    changed = reading.await_answer(place, reading.ask(name, {**given, preset: key}, stops={slider: moved_to}))
    await_fragment(page, reading.ask(name, {**given, preset: key}, asks=["link"], stops={slider: moved_to})["link"])
    fragment = page.url.partition("#")[2]
    assert f"{preset}={key}" in fragment

    again = reading.calculator(live(reading.path_of(name) + "#" + fragment), name)
    reading.open_groups(again)
    reading.await_answer(again, reading.ask(name, fragment=fragment))
    found = reading.shown(again)
    assert {part: found[part] for part in ("texts", "picture", "verdicts", "controls", "presets")} == {
        part: changed[part] for part in ("texts", "picture", "verdicts", "controls", "presets")
    }
    assert found["notices"] == []


def test_a_link_opens_its_state_in_a_new_tab(context: BrowserContext, site: SiteServer) -> None:
    """And it starts the engine by itself, since the answer it asks for is not the built-in one."""
    page = context.new_page()
    link = reading.ask("checkpoint", CHECKPOINT, asks=["link"])["link"]
    page.goto(site.url + reading.path_of("checkpoint") + "#" + link)
    reading.await_answer(reading.calculator(page, "checkpoint"), reading.ask("checkpoint", CHECKPOINT))
    assert page.url.endswith("#" + link)


@reading.each_calculator
def test_a_changed_fragment_is_read_at_once(live: Visit, name: str) -> None:
    page = live(reading.path_of(name))
    place = reading.calculator(page, name)
    page.evaluate("link => { location.hash = link; }", linked(name))
    reading.await_answer(place, reading.ask(name, fragment=linked(name)))
    page.go_back()
    reading.await_answer(place, reading.ask(name))


def test_what_a_link_gets_wrong_is_reported_and_the_rest_is_used(live: Visit) -> None:
    fragment = "write_bandwidth=1TB/s&colour=red&checkpoint_interval=soon&parameters=405B&parameters=1B"
    answer = reading.ask("checkpoint", fragment=fragment)
    assert len(answer["notices"]) == 2
    place = reading.calculator(live(reading.path_of("checkpoint") + "#" + fragment), "checkpoint")
    notices = place.locator("[data-notices]")
    expect(notices.locator("li")).to_have_text(answer["notices"])
    expect(notices).to_be_visible()
    for report in [*answer["notices"], *answer["problems"].values()]:
        expect(place.locator("[data-sentence]")).to_contain_text(report)  # heard, too
    problem = place.locator('[data-input="checkpoint_interval"] [data-problem]')
    expect(problem).to_have_text(answer["problems"]["checkpoint_interval"])
    expect(problem).to_be_visible()
    expect(place.locator('[data-input="checkpoint_interval"] [data-box]')).to_have_value("soon")
    expect(place.locator('[data-input="write_bandwidth"] [data-box]')).to_have_value("1 TB/s")
    reading.type_in(place, "checkpoint_interval", "30 min").press("Tab")
    good = reading.ask("checkpoint", {**answer["given"], "checkpoint_interval": "30 min"})
    reading.await_answer(place, good)


def test_a_problem_in_a_folded_group_unfolds_it(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("checkpoint") + "#cold_checkpoints=some"), "checkpoint")
    expect(place.locator('[data-input="cold_checkpoints"] [data-problem]')).to_be_visible()


def test_a_hostile_link_is_only_text(live: Visit) -> None:
    fragment = "%3Cimg%20src%3Dx%20id%3Dhurt%3E=1&parameters=%3Cimg%20src%3Dx%20id%3Dhurt%3E"
    place = reading.calculator(live(reading.path_of("checkpoint") + "#" + fragment), "checkpoint")
    expect(place.locator("[data-notices] li")).to_contain_text(["<img src=x id=hurt>"])
    expect(place.page.locator("#hurt")).to_have_count(0)


def test_reset_clears_the_link_and_what_was_reported_of_it(live: Visit) -> None:
    page = live(reading.path_of("checkpoint") + "#parameters=405B&colour=red")
    place = reading.calculator(page, "checkpoint")
    expect(place.locator("[data-notices]")).to_be_visible()
    place.get_by_role("button", name="Reset").click()
    after = reading.await_answer(place, reading.ask("checkpoint"))
    assert after["notices"] == []
    reading.await_truth(page, "() => !location.href.includes('#')")


def test_going_to_a_place_on_the_page_keeps_the_state(live: Visit) -> None:
    page = live(reading.path_of("checkpoint"))
    place = reading.calculator(page, "checkpoint")
    reading.slide(place, "write_bandwidth", 60)
    changed = reading.ask("checkpoint", stops={"write_bandwidth": 60})
    reading.await_answer(place, changed)
    await_fragment(page, reading.ask("checkpoint", asks=["link"], stops={"write_bandwidth": 60})["link"])
    place.get_by_role("link", name="Assumptions").click()
    expect(page.locator("#assumptions")).to_be_in_viewport()
    page.wait_for_timeout(300)
    reading.await_answer(place, changed)
    place.get_by_role("button", name="Copy link").click()
    expect(place.locator("[data-toast]")).not_to_be_empty()
    reading.await_answer(place, changed)


def test_a_card_takes_its_state_along_to_the_full_page(live: Visit) -> None:
    page = live()
    card = reading.calculator(page, "checkpoint")
    reading.slide(card, "write_bandwidth", 60)
    answer = reading.ask("checkpoint", stops={"write_bandwidth": 60})
    reading.await_answer(card, answer)
    way = card.locator("a[data-full]").last
    link = reading.ask("checkpoint", asks=["link"], stops={"write_bandwidth": 60})["link"]
    reading.await_truth(
        page, "link => [...document.querySelectorAll('a[data-full]')].some(a => a.hash === '#' + link)", link
    )
    assert "#" not in page.url
    way.click()
    page.wait_for_url(lambda url: reading.path_of("checkpoint") in url)
    place = page.locator(".calculator[data-calculator=checkpoint]")
    expect(place).to_be_attached()
    reading.await_answer(place, answer)
