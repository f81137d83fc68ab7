"""The explore panel: solve, sweep, rank, compare, present; and inputs edited in the answer's sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import reading
from tests.browser.test_accessibility import violations

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


@pytest.mark.parametrize("path", ["machine/", "machine/serving/", "machine/rag/", "machine/post-training/"])
def test_each_number_of_a_planners_sentence_is_a_control_and_results_lead_to_explore(live: Visit, path: str) -> None:
    page = live(path)
    place = page.locator("ai-calculator").first
    idle = "all => all.filter((one) => one.getAttribute('role') !== 'button').map((one) => one.outerHTML)"
    assert place.locator(".answer [data-value]").evaluate_all(idle) == []
    power = place.locator('.answer [data-value="facility_power"]')
    power.press("Enter")
    wanted = fold(place, "solve").get_by_role("textbox", name="Target")
    expect(wanted).to_be_focused()
    expect(wanted).to_have_value(power.inner_text())


def test_an_input_is_typed_and_stepped_in_the_sentence(live: Visit) -> None:
    page = live(reading.path_of("goodput"))
    place = reading.calculator(page, "goodput")
    control = place.locator(".answer .given-value").first
    name = str(control.get_attribute("data-value"))
    stop = reading.shown(place)["controls"][name]["stop"]
    control.press("ArrowRight")
    after = reading.ask("goodput", stops={name: stop + 1})
    expect(control).to_have_text(after["texts"][name])
    text = after["texts"][name]
    control.press("Enter")
    typed = place.locator(".answer .in-sentence")
    typed.fill("nonsense")
    expect(typed).to_have_attribute("aria-invalid", "true")
    typed.press("Escape")
    expect(control).to_be_focused()
    expect(control).to_have_text(text)
    box = control.bounding_box()
    assert box
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 41, box["y"] + 5, steps=6)
    page.mouse.up()
    expect(control).to_have_text(reading.ask("goodput", stops={name: stop + 7})["texts"][name])
    page.keyboard.press("Control+z")
    expect(control).to_have_text(text)
    place.locator(".answer a.to-working").first.press("Enter")
    place.get_by_role("link", name="How it is computed").press("Enter")
    expect(place.locator("details.step:focus-within, details.step:focus")).to_have_count(1)


def test_a_focus_that_moved_on_is_not_taken_by_a_panel_that_opens_late(visit: Visit) -> None:
    page = visit(CHECKPOINT)
    reading.await_live(page)
    place = reading.calculator(page, "checkpoint")
    page.evaluate(
        """() => {
          document.querySelector('.answer a.to-working[href$="#how-stall_share"]').click();
          document.getElementById('parameters').focus();
        }"""
    )
    expect(fold(place, "solve").get_by_label("Target", exact=True)).not_to_have_value("")
    expect(place.locator("#parameters")).to_be_focused()


def test_a_click_on_a_number_brings_the_panel_to_it_and_close_takes_it_back(visit: Visit) -> None:
    """What gives another value, along which input it moves and what moves it: all asked of the number clicked."""
    page = visit(CHECKPOINT)  # the first page of a visit, on which the theme does not know where it is
    reading.await_live(page)
    place = reading.calculator(page, "checkpoint")
    number = place.locator('.answer a.to-working[href$="#how-stall_share"]')
    number.click()
    panel = place.locator(".calculator-answer .review")
    expect(panel.get_by_label("Target", exact=True)).to_be_focused()
    expect(panel.get_by_label("Target", exact=True)).to_be_in_viewport()
    expect(fold(place, "solve").get_by_role("combobox", name="Result", exact=True)).to_have_value("stall_share")
    for kind in ("sweep", "tornado"):
        fold(place, kind).locator("summary").first.press("Enter")
        expect(fold(place, kind).get_by_role("combobox", name="Result", exact=True)).to_have_value("stall_share")
    panel.get_by_role("button", name="Close").press("Enter")
    expect(panel).to_have_count(0)
    expect(place.locator(".calculator-more .review")).to_be_visible()
    expect(number).to_be_focused()
    number.press("Enter")
    expect(panel).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(number).to_be_focused()


def test_every_number_of_the_answer_says_how_it_differs_from_the_baseline(live: Visit) -> None:
    """A checkpoint of 5.68 TB takes 142 s at 40 GB/s and 56.8 s at 100 GB/s."""
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    page.evaluate("() => sessionStorage.clear()")
    page.reload()
    reading.await_live(page)
    reading.button(place, "Pin as baseline").press("Enter")
    line = place.locator(".baseline-line")
    expect(line).to_contain_text("This is the baseline.")
    reading.type_in(place, "write_bandwidth", "100 GB/s").press("Tab")
    expect(line).to_contain_text("Storage write bandwidth 100 GB/s instead of 40 GB/s")
    expect(place.locator('.answer [data-against="write_bandwidth"]')).to_have_text("+60 GB/s, +150%")
    expect(place.locator('.answer [data-against="checkpoint_stall"]')).to_have_text("−85.2 s, −60%")
    expect(place.locator('.results [data-against="write_duration"]')).to_have_text("−85.2 s, −60%")
    expect(place.locator('.answer [data-against="checkpoint_size"]')).to_have_text("")
    verdict = place.locator('.findings [data-against="write_in_time"]')
    expect(verdict).to_have_text("was too slow")
    assert violations(page) == ""
    line.get_by_role("button", name="Clear baseline").press("Enter")
    expect(line).to_be_hidden()
    expect(verdict).to_have_text("")
    page.evaluate("() => sessionStorage.clear()")


def test_presentation_shows_one_result_large_with_question_sentence_and_the_sliders_that_move_it(live: Visit) -> None:
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    reading.button(place, "Present").press("Enter")
    dialog = place.get_by_role("dialog", name="Presentation")
    value = dialog.locator(".present-value")
    expect(value).to_have_text(place.locator('.results [data-value="checkpoint_size"]').inner_text())
    assert value.evaluate("element => parseFloat(getComputedStyle(element).fontSize)") >= 144
    question = "How big is a checkpoint, and how fast must storage write it?"
    expect(dialog.locator(".present-asked")).to_have_text(question)
    expect(dialog.locator(".present-sentence")).to_contain_text("A checkpoint of 406B parameters is 5.68 TB")
    slider = dialog.get_by_role("slider", name="Model parameters")
    expect(slider).to_be_focused()
    expect(dialog.get_by_role("slider")).to_have_count(2)
    before = value.inner_text()
    page.keyboard.press("ArrowRight")
    expect(value).not_to_have_text(before)
    page.keyboard.press("Control+z")
    expect(value).to_have_text(before)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(reading.button(place, "Present")).to_be_focused()


def test_a_state_is_pinned_while_python_starts(visit: Visit) -> None:
    page = visit(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    reading.button(place, "Pin as baseline").click()
    expect(place.locator("[data-toast]")).to_contain_text("Pinned as baseline A")


def test_presentation_of_a_system_has_the_legend_of_its_picture(live: Visit) -> None:
    page = live("machine/")
    page.locator("ai-calculator").get_by_role("button", name="Present").click()
    legend = page.locator("dialog .present-picture .legend")
    expect(legend.locator("li").first).to_contain_text("Model FLOPs at peak")
    expect(legend).not_to_contain_text("0%")
    assert legend.locator("li").count() == legend.locator("svg.swatch").count() > 5


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
