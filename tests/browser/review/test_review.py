"""The explore panel: solve, sweep, rank, compare, present; and inputs edited in the answer's sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import reading
from tests.browser.page.test_accessibility import violations

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Visit

CHECKPOINT = reading.path_of("checkpoint")
NEEDED = "required_write_bandwidth"


def fold(place: Locator, kind: str) -> Locator:
    """One fold of the explore panel."""
    return place.locator(f'details[data-review="{kind}"]')


def opened(page: Page, kind: str) -> Locator:
    """A fold, opened from the keyboard."""
    found = fold(reading.calculator(page, "checkpoint"), kind)
    found.locator("summary").first.press("Enter")
    expect(found.locator(".review-controls")).to_be_visible()
    return found


def test_a_target_is_solved_used_undone_and_closed_by_keyboard_alone(live: Visit) -> None:
    """94.5 GB/s for 405B parameters of 14 B in 60 s: 60 GB/s would take 94.5 s."""
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    reading.type_in(place, "parameters", "405B").press("Tab")
    result = place.locator(f'.results [data-value="{NEEDED}"]')
    expect(result).to_have_text("94.5 GB/s")
    result.press("Enter")
    solve = fold(place, "solve")
    wanted = solve.get_by_role("textbox", name="Target")
    expect(wanted).to_be_focused()
    expect(wanted).to_have_value("94.5 GB/s")
    page.keyboard.insert_text("60 GB/s")
    solve.get_by_role("combobox", name="Input to change", exact=True).select_option("write_window")
    expect(solve.locator(".review-summary")).to_have_text("Required write bandwidth: target 60 GB/s, now 94.5 GB/s.")
    solve.get_by_role("button", name="Use this value: Checkpoint write time limit 94.5 s").press("Enter")
    expect(result).to_have_text("60 GB/s")
    expect(reading.box(place, "write_window")).to_have_value("94.5 s")
    expect(solve.locator(".review-summary")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(result).to_have_text("94.5 GB/s")
    wanted.press("Escape")
    expect(result).to_be_focused()
    expect(solve).not_to_have_attribute("open", re.compile(""))


def test_targets_that_cannot_be_reached_or_read_are_explained(live: Visit) -> None:
    page = live(CHECKPOINT)
    solve = opened(page, "solve")
    solve.get_by_role("combobox", name="Result", exact=True).select_option("checkpoint_size")
    wanted = solve.get_by_role("textbox", name="Target")
    wanted.fill("1 EB")
    solve.get_by_role("combobox", name="Input to change", exact=True).select_option("parameters")
    expect(solve.locator(".review-notes")).to_contain_text(
        "no value from 1M parameters to 1,000T parameters reaches it"
    )
    wanted.fill("soon")
    expect(solve.locator(".field-problem")).to_contain_text("“soon” is not a number with a unit")


def test_a_sweep_of_two_inputs_has_chart_table_and_sentence(live: Visit) -> None:
    page = live(CHECKPOINT)
    sweep = opened(page, "sweep")
    expect(sweep.locator(".review-summary")).to_contain_text("Checkpoint size: rises from")
    sweep.get_by_role("combobox", name="Result", exact=True).select_option(NEEDED)
    sweep.get_by_role("combobox", name="Input", exact=True).select_option("write_window")
    sweep.get_by_role("combobox", name="One line per value of", exact=True).select_option("parameters")
    expect(sweep.locator("svg polyline")).to_have_count(5)
    expect(sweep.locator(".review-summary")).to_contain_text("along checkpoint write time limit from")
    sweep.locator("details summary").click()
    expect(sweep.locator("tbody tr").first).to_be_visible()
    expect(sweep.locator("thead th")).to_have_count(6)


def test_a_long_menu_is_searched_by_typing_and_a_point_of_the_chart_is_moved(live: Visit) -> None:
    """The point moves the page's slider; its stops on the line are those of the slider."""
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    sweep = opened(page, "sweep")
    result = sweep.get_by_role("combobox", name="Result", exact=True)
    result.press("w")
    box = page.get_by_role("combobox", name="Find")
    expect(box).to_be_focused()
    page.keyboard.type("rite dur")
    expect(page.locator(".finder [role=option]").first).to_contain_text("Write duration")
    assert violations(page) == ""
    page.keyboard.press("Enter")
    expect(result).to_have_value("write_duration")
    expect(result).to_be_focused()
    sweep.get_by_role("button", name="Find: Result").click()
    expect(box).to_be_focused()
    page.keyboard.press("Escape")
    expect(result).to_have_value("write_duration")
    sweep.get_by_role("combobox", name="Input", exact=True).select_option("write_bandwidth")

    expect(sweep.locator(".review-summary")).to_contain_text("along storage write bandwidth")
    point = sweep.get_by_role("slider", name="Storage write bandwidth")
    expect(point).to_be_visible()
    slider = place.locator('[data-input="write_bandwidth"] [data-slider]')
    stop = int(slider.input_value())
    before = reading.ask("checkpoint", stops={"write_bandwidth": stop})["texts"]["write_duration"]
    point.press("ArrowRight")
    after = reading.ask("checkpoint", stops={"write_bandwidth": stop + 1})
    shown = place.locator('.results [data-value="write_duration"]')
    expect(shown).to_have_text(after["texts"]["write_duration"])
    expect(point).to_be_focused()
    expect(point).to_have_attribute("aria-valuetext", after["controls"]["write_bandwidth"]["text"])
    expect(sweep).not_to_have_attribute("data-outdated", re.compile(""))
    expect(point).to_be_focused()  # of the chart that was drawn again
    expect(point.locator("text")).to_have_text(after["texts"]["write_duration"])
    assert violations(page) == ""
    page.keyboard.press("Control+z")
    expect(shown).to_have_text(before)
    expect(sweep).not_to_have_attribute("data-outdated", re.compile(""))
    seen = point.locator("circle").last.bounding_box()
    assert seen
    middle = (seen["x"] + seen["width"] / 2, seen["y"] + seen["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 80, middle[1] + 40, steps=8)
    expect(sweep.locator("svg")).to_be_visible()  # the line stays while its point moves
    page.mouse.up()
    dragged = int(slider.input_value())
    assert dragged > stop
    there = reading.ask("checkpoint", stops={"write_bandwidth": dragged})
    expect(shown).to_have_text(there["texts"]["write_duration"])


def test_a_sweep_covers_the_typed_range(live: Visit) -> None:
    sweep = opened(live(CHECKPOINT), "sweep")
    begin, end = (sweep.get_by_role("textbox", name=name, exact=True) for name in ("From", "To"))
    expect(begin).to_be_disabled()
    sweep.get_by_role("combobox", name="Input", exact=True).select_option("write_window")
    expect(begin).to_have_attribute("placeholder", re.compile(" s$"))
    begin.fill("20 s")
    end.fill("40s")
    end.press("Enter")
    expect(sweep.locator(".review-summary")).to_contain_text("from 20 s to 40 s")
    end.fill("10 s")
    end.press("Enter")
    expect(sweep.locator(".field-problem")).to_contain_text("from 20 s to 10 s: the first value must be below")
    end.fill("10 GB")
    end.press("Enter")
    expect(sweep.locator(".field-problem")).to_contain_text("“10 GB”")


def test_a_cell_of_the_heat_map_is_reached_by_arrows_and_its_values_are_used(live: Visit) -> None:
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    found = opened(page, "map")
    found.get_by_role("combobox", name="Result", exact=True).select_option("write_duration")
    found.get_by_role("combobox", name="Across", exact=True).select_option("write_bandwidth")
    found.get_by_role("combobox", name="Down", exact=True).select_option("write_window")
    # Until then the map of the axes before may be there, whose cells go, and the focus in them.
    axes = "63 pairs of Storage write bandwidth and Checkpoint write time limit"
    expect(found.locator(".review-summary")).to_contain_text(axes)
    expect(found.locator("tbody tr")).to_have_count(7)
    now = found.locator(".map-cell[aria-current]")
    expect(now).to_have_text(place.locator('.results [data-value="write_duration"]').inner_text() + " ✕")
    expect(found.locator('.map-cell[data-level="good"]')).not_to_have_count(0)
    now.get_by_role("button").focus()
    page.keyboard.press("ArrowRight")
    other = page.evaluate("() => document.activeElement.textContent")
    page.keyboard.press("Enter")
    expect(place.locator('.results [data-value="write_duration"]')).to_have_text(
        other.removesuffix(" ✓").removesuffix(" ✕")
    )
    expect(now).to_have_text(other)
    expect(now.get_by_role("button")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(now).not_to_have_text(other)


def test_a_ranking_takes_a_range_for_an_input_without_one(live: Visit) -> None:
    page = live(CHECKPOINT)
    tornado = opened(page, "tornado")
    expect(tornado.locator(".review-summary")).to_contain_text(re.compile(r"estimated .* at the widest"))
    typed = tornado.get_by_label("Model parameters: range, from – to")
    typed.fill("300B–500B")
    typed.press("Enter")
    expect(tornado.locator("svg")).to_contain_text("300B parameters to 500B parameters (your range)")
    place = reading.calculator(page, "checkpoint")
    expect(reading.box(place, "parameters")).to_have_value(re.compile("300B.500B"))


def test_states_are_pinned_compared_kept_over_a_reload_and_reopened(live: Visit) -> None:
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    page.evaluate("() => sessionStorage.clear()")
    before = place.locator(f'.results [data-value="{NEEDED}"]').inner_text()
    reading.button(place, "Pin as baseline").press("Enter")
    compare = opened(page, "compare")
    expect(compare.get_by_role("button", name="Open state A")).to_be_visible()
    reading.type_in(place, "write_window", "30s").press("Tab")
    expect(compare.locator("thead").first).to_contain_text("Now")
    expect(compare.locator("tr", has_text="Checkpoint write time limit").locator(".marked")).to_have_text("30 s")
    expect(compare.locator("svg")).to_contain_text("Checkpoint write time limit")
    page.reload()
    reading.await_live(page)
    opened(page, "compare")
    compare.get_by_role("button", name="Open state A").press("Enter")
    expect(place.locator(f'.results [data-value="{NEEDED}"]')).to_have_text(before)
    compare.get_by_role("button", name="Remove state A").press("Enter")
    expect(compare.get_by_role("button", name="Open state A")).to_have_count(0)
    page.evaluate("() => sessionStorage.clear()")


PRESSED = """root => {
    navigator.clipboard.writeText = async (text) => { window.copied = text; };
    const slider = root.querySelector('[data-input="write_window"] [data-slider]');
    const move = (stop) => {
        slider.value = stop;
        slider.dispatchEvent(new Event("input", {bubbles: true}));
    };
    move(3);
    root.querySelector('[data-pin]').click();
    root.querySelector('[data-action="link"]').click();
    setTimeout(() => move(4));
}"""


def test_buttons_pressed_while_a_slider_moves_use_the_states_of_that_moment(live: Visit) -> None:
    """Both need a link while an answer is being computed and the slider keeps moving."""
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    page.evaluate("() => sessionStorage.clear()")
    compare = opened(page, "compare")
    place.evaluate(PRESSED)
    moved = {stop: reading.ask("checkpoint", stops={"write_window": stop}) for stop in (3, 4)}
    reading.await_answer(place, moved[4])
    expect(compare.get_by_role("button", name="Open state A")).to_be_visible()
    reading.await_truth(page, "() => window.copied")
    window = moved[3]["given"]["write_window"].replace(" ", "")
    assert f"#write_window={window}&" in page.evaluate("() => window.copied")
    compare.get_by_role("button", name="Open state A").press("Enter")
    reading.await_answer(place, moved[3])
    page.evaluate("() => sessionStorage.clear()")


def test_a_fold_opened_while_an_input_is_invalid_is_filled_once_it_is_valid(live: Visit) -> None:
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    reading.type_in(place, "write_window", "soon").press("Tab")
    expect(reading.box(place, "write_window")).to_have_attribute("aria-invalid", "true")
    solve = fold(place, "solve")
    solve.locator("summary").first.press("Enter")
    page.wait_for_timeout(300)  # nothing can be announced yet
    reading.type_in(place, "write_window", "60s").press("Tab")
    expect(solve.get_by_role("combobox", name="Result", exact=True)).to_be_visible()


def test_a_copied_link_carries_the_pinned_states(live: Visit) -> None:
    page = live(f"{CHECKPOINT}#write_window=30s")
    place = reading.calculator(page, "checkpoint")
    expect(reading.button(place, "Pin as baseline")).to_be_visible()
    reading.button(place, "Pin as baseline").press("Enter")
    expect(opened(page, "compare").get_by_role("button", name="Open state A")).to_be_visible()
    reading.type_in(place, "write_bandwidth", "80GB/s").press("Tab")
    reading.await_answer(place, reading.ask("checkpoint", {"write_window": "30s", "write_bandwidth": "80GB/s"}))
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    reading.button(place, "Copy link").press("Enter")
    expect(place.locator("[data-toast]")).to_have_text("Link copied")
    copied = str(page.evaluate("() => window.copied"))
    assert "pin=write_window%3D30s%26v%3D" in copied
    page.evaluate("() => sessionStorage.clear()")  # as in the tab of another reader

    page.goto("about:blank")
    page.goto(copied)
    reading.await_live(page)
    place = reading.calculator(page, "checkpoint")
    compare = fold(place, "compare")
    expect(compare.get_by_role("button", name="Open state A")).to_be_visible()
    expect(compare.locator("tr", has_text="Storage write bandwidth").locator(".marked")).to_have_text("80 GB/s")
    expect(place.locator("[data-notices]")).to_contain_text("The link also holds another state")
    compare.get_by_role("button", name="Open state A").press("Enter")
    reading.await_answer(place, reading.ask("checkpoint", {"write_window": "30s"}))
    page.evaluate("() => sessionStorage.clear()")


def test_a_state_is_pinned_while_python_starts(visit: Visit) -> None:
    page = visit(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    reading.button(place, "Pin as baseline").click()
    expect(place.locator("[data-toast]")).to_contain_text("Pinned as baseline A")


def test_pinning_is_confirmed_and_pins_are_listed_in_a_row(live: Visit) -> None:
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    opened(page, "compare")
    pins = (("Pin as baseline", "50 GB/s", "Pinned as baseline A"), ("Pin to compare", "100 GB/s", "Pinned as B"))
    for name, typed, message in pins:
        reading.type_in(place, "write_bandwidth", typed).press("Tab")
        reading.button(place, name).click()
        expect(place.locator("[data-toast]")).to_contain_text(message)
    row = fold(place, "compare").locator(".review-pins li")
    expect(row).to_have_count(2)
    assert len(set(row.evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)"))) == 1
    page.evaluate("() => sessionStorage.clear()")


@pytest.mark.context(java_script_enabled=False)
def test_without_script_controls_that_need_it_are_hidden(visit: Visit) -> None:
    page = visit(CHECKPOINT)
    expect(page.locator(".review")).to_be_hidden()
    expect(page.get_by_role("button", name="Present")).to_be_hidden()
