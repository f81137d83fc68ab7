"""Without a mouse: every control is reached in the order in which it is, is seen to be reached, and works."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from calculators.catalog import CALCULATORS
from tests.browser import reading

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Visit

_REACHABLE = """root => {
    const wanted = "a[href], button, input, select, textarea, summary, [tabindex]";
    const reachable = [...root.querySelectorAll(wanted)].filter(
        (element) => element.checkVisibility({visibilityProperty: true}) && !element.disabled && element.tabIndex >= 0);
    reachable.forEach((element, place) => { element.dataset.place_in_order = place; });
    return reachable.length;
}"""
_LISTEN = """() => {
    window.reached = [];
    window.notice ??= document.addEventListener("focusin", ({target}) => {
        const style = getComputedStyle(target);
        window.reached.push({
            place: target.dataset.place_in_order === undefined ? null : Number(target.dataset.place_in_order),
            what: target.outerHTML.slice(0, 160),
            visible: target.matches(":focus-visible"),
            ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
            name: target.getAttribute("aria-label") ?? target.labels?.[0]?.textContent ?? target.textContent.trim(),
        });
    }) ?? "once";
    const heading = document.querySelector("article h1");
    heading.tabIndex = -1;
    heading.focus();
}"""


def tabbed_through(page: Page, count: int) -> list[dict[str, Any]]:
    """What Tab reaches inside the calculators, one after the other, from the first to the last."""
    page.evaluate(_LISTEN)
    for _ in range(count + 12):  # a few links of the page's own may come first
        page.keyboard.down("Tab")  # kept down, it goes on and on
    page.keyboard.up("Tab")
    reached: list[dict[str, Any]] = page.evaluate("() => window.reached")
    return [one for one in reached if one["place"] is not None]


@reading.each_calculator
def test_tab_reaches_every_control_in_order_and_shows_where_it_is(live: Visit, name: str) -> None:
    page = live(reading.path_of(name))
    place = reading.calculator(page, name)
    if menus := CALCULATORS[name].presets:  # they fill most inputs, so they come before everything else
        place.evaluate(_REACHABLE)
        expect(place.locator('[data-place_in_order="0"]')).to_have_attribute("data-preset", menus[0].name)
    reading.open_groups(place)
    count = place.evaluate(_REACHABLE)
    reached = tabbed_through(page, count)
    assert [one["place"] for one in reached] == list(range(count))
    for one in reached:
        assert one["visible"], one
        assert one["ring"], one
        assert one["name"], one
    controls = place.locator("[data-box], [data-slider], [data-choice], [data-preset]").count()
    assert controls > len(CALCULATORS[name].inputs)
    assert (
        place.locator("[data-place_in_order]:is([data-box], [data-slider], [data-choice], [data-preset])").count()
        == controls
    )


def test_tab_reaches_every_question_and_the_cards_of_the_home_page(live: Visit) -> None:
    page = live()
    counts = page.locator("article").evaluate(_REACHABLE)
    reached = tabbed_through(page, counts)
    assert [one["place"] for one in reached] == list(range(counts))
    assert all(one["ring"] and one["name"] for one in reached)


def test_inputs_follow_each_other_down_the_page(live: Visit) -> None:
    page = live(reading.path_of("checkpoint"))
    place = reading.calculator(page, "checkpoint")
    reading.open_groups(place)
    tops = place.locator(".calculator-inputs .field-box, .calculator-inputs select").evaluate_all(
        "boxes => boxes.map(box => box.getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)


@reading.each_calculator
def test_arrow_keys_move_a_slider_and_the_numbers(live: Visit, name: str) -> None:
    place = reading.calculator(live(reading.path_of(name)), name)
    slider = CALCULATORS[name].first_sliders[0]
    before = reading.shown(place)
    filling = {p.name: before["presets"][p.name] for p in CALCULATORS[name].presets if slider in p.fills}
    reading.open_groups(place)
    box = place.locator(f'[data-input="{slider}"] [data-box]')
    box.focus()
    page = place.page
    page.keyboard.press("Tab")  # the slider comes right after its box
    page.keyboard.press("ArrowRight")
    stepped = box.input_value()
    assert stepped != before["controls"][slider]["box"]
    after = reading.await_answer(place, reading.ask(name, {**filling, slider: stepped}))
    assert after["texts"] != before["texts"]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    reading.await_answer(place, reading.ask(name, {**filling, slider: box.input_value()}))
    page.keyboard.press("End")
    control = place.locator(f'[data-input="{slider}"] [data-slider]')
    answer = reading.ask(name, filling, stops={slider: int(control.get_attribute("max") or 0)})
    if "problems" in answer:  # the end may be more than the rest allows
        problem = place.locator(f'[data-input="{slider}"] [data-problem]')
        expect(problem).to_have_text(answer["problems"][slider])
        box = place.locator(f'[data-input="{slider}"] [data-box]')
        expect(control).to_have_attribute("aria-valuetext", box.input_value())
    else:
        reading.await_answer(place, answer)
        expect(control).to_have_attribute("aria-valuetext", answer["controls"][slider]["text"])


@pytest.mark.parametrize(
    ("slider", "typed", "keys", "stepped"),
    [
        ("write_bandwidth", "40 GB/s", ["ArrowUp"], "41 GB/s"),
        ("write_bandwidth", "40 GB/s", ["Shift+ArrowUp"], "50 GB/s"),
        ("write_bandwidth", "100 GB/s", ["ArrowDown"], "99 GB/s"),
        ("write_bandwidth", "99 GB/s", ["ArrowUp", "ArrowUp"], "110 GB/s"),
        ("parameters", "405.9B", ["ArrowUp"], "410B"),
        ("parameters", "405.9B", ["ArrowDown"], "400B"),
        ("checkpoint_interval", "1 h", ["ArrowUp"], "1.1 h"),
        ("gpus", "16,384", ["ArrowUp"], "17,000"),
        ("gpus", "8", ["ArrowUp"], "9"),
    ],
)
def test_arrow_keys_step_two_significant_digits_in_a_box(
    live: Visit, slider: str, typed: str, keys: list[str], stepped: str
) -> None:
    place = reading.calculator(live(reading.path_of("checkpoint")), "checkpoint")
    reading.open_groups(place)
    box = reading.box(place, slider)
    box.fill(typed)
    for key in keys:
        box.press(key)
    expect(box).to_have_value(stepped)
    filling = {"model": "llama-3-1-405b"} if slider == "parameters" else {}
    reading.await_answer(place, reading.ask("checkpoint", {**filling, slider: stepped}))


def test_groups_menus_and_buttons_work_from_the_keyboard(live: Visit) -> None:
    page = live(reading.path_of("checkpoint"))
    place = reading.calculator(page, "checkpoint")
    folded = place.locator("details.group:not([open]) > summary").first
    group = place.locator("details.group", has=page.get_by_text(folded.inner_text(), exact=True))
    folded.focus()
    page.keyboard.press("Enter")
    expect(group).to_have_attribute("open", "")
    place.locator('[data-input="checkpoint_mode"] select').focus()
    page.keyboard.press("ArrowDown")
    reading.await_answer(place, reading.ask("checkpoint", {"checkpoint_mode": "asynchronous"}))
    place.get_by_role("button", name="Reset").focus()
    page.keyboard.press("Enter")
    reading.await_answer(place, reading.ask("checkpoint"))


def test_the_first_tab_of_a_page_offers_the_way_past_its_navigation(visit: Visit) -> None:
    page = visit("numbers/")
    page.keyboard.press("Tab")
    assert "skip" in page.evaluate("() => document.activeElement.textContent.toLowerCase()")


@pytest.mark.parametrize(
    "path", ["", "machine/", "machine/serving/", reading.path_of("inference"), "offers/", "own-facts/", "numbers/"]
)
def test_the_first_input_comes_after_twelve_stops_at_most(visit: Visit, path: str) -> None:
    page = visit(path)
    expect(page.locator("html.js")).to_have_count(1)
    is_input = "() => document.activeElement.matches('.md-content :is(input, select, textarea)')"
    stops = 0
    while stops <= 12 and not page.evaluate(is_input):
        page.keyboard.press("Tab")
        stops += 1
    assert page.evaluate(is_input), page.evaluate("() => document.activeElement.outerHTML.slice(0, 160)")


def test_the_skip_link_of_a_calculator_leads_to_its_inputs(visit: Visit) -> None:
    page = visit(reading.path_of("checkpoint"))
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to inputs")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("ai-calculator select").first).to_be_focused()


def test_on_a_phone_no_stop_is_out_of_sight_and_the_menu_opens_from_the_keyboard(live: Visit) -> None:
    page = live(reading.path_of("checkpoint"))
    page.set_viewport_size({"width": 390, "height": 844})
    menu = page.get_by_role("button", name="Menu", exact=True)
    expect(menu).to_have_attribute("aria-expanded", "false")
    place = page.locator("ai-calculator select").first
    for _ in range(20):
        page.keyboard.press("Tab")
        seen = page.evaluate(
            "() => { const {left, right, height} = document.activeElement.getBoundingClientRect();"
            " return document.activeElement.id === '__palette_0' || (left < innerWidth && right > 0 && height > 0); }"
        )
        assert seen, page.evaluate("() => document.activeElement.outerHTML.slice(0, 160)")
        if place.evaluate("element => element === document.activeElement"):
            break
    expect(place).to_be_focused()
    menu.focus()
    page.keyboard.press("Enter")
    expect(menu).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_role("link", name="Numbers", exact=True).last).to_be_visible()
    page.keyboard.press(" ")
    expect(menu).to_have_attribute("aria-expanded", "false")
