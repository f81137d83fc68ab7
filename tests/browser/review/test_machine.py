"""The System planner: numbers at once, search and exploration after; recommendations; links in and out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser import reading
from tests.browser.page.test_finder import find

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Visit

MACHINE, SERVING = "machine/", "machine/serving/"
NAMES = {
    MACHINE: "machine",
    SERVING: "machine_serving",
    "machine/rag/": "machine_rag",
    "machine/post-training/": "machine_rl",
}
LEAST_ADVICE = {SERVING: 8}  # four ranks instead of eight, the ninth, need more GPUs by load
VARIED = {"machine": ("failure_rate", "2"), "machine_rl": ("output_tokens", "4,000")}
_ASKED_WHILE_MOVING = """root => {
    window.asked = [];
    window.post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...more) {
        if (message.text?.includes('"explore"')) window.asked.push(root.hasAttribute("data-moving"));
        return window.post.call(this, message, ...more);
    };
}"""
_SEARCHED = """root => {
    window.searched = 0;
    new MutationObserver(() => { if (root.hasAttribute("data-provisional")) window.searched += 1; })
        .observe(root, {attributes: true, attributeFilter: ["data-provisional"]});
}"""
_CELLS = """root => Object.fromEntries([...root.querySelectorAll("[data-cell]")].map(
    (place) => [place.dataset.cell, place.textContent]))"""


def report(name: str, given: Mapping[str, str], **more: Any) -> dict[str, Any]:
    """All that Python here says of a machine, what follows the answer too."""
    after = reading.ask(name, given, asks=["explore"], slice_ms=600_000, **more)
    assert "cursor" not in after
    return after


def test_all_other_inputs_are_filtered_by_words_and_by_change(live: Visit) -> None:
    page = live(MACHINE)
    place = reading.calculator(page, "machine")
    typed = place.locator("[data-filter-inputs]")
    typed.fill("restart time")
    box = reading.box(place, "restart_time")
    expect(box).to_be_visible()
    expect(place.locator("#otherwise ~ details.group:visible")).to_have_count(1)
    typed.fill("no such input")
    expect(place.locator("[data-filtered]")).to_have_text("0 inputs")
    find(page, "restart time")
    page.keyboard.press("Enter")
    expect(box).to_be_focused()
    expect(typed).to_have_value("")


def await_report(place: Locator, name: str, given: Mapping[str, str]) -> dict[str, Any]:
    """Wait until the page shows all of it, and nothing of a state before."""
    expected = report(name, given)
    reading.await_truth(
        place.page,
        "([name, sentence]) => document.querySelector(`ai-calculator[data-calculator=${name}]`)"
        ".querySelector('.answer').textContent.replace(/\\s+/g, ' ').includes(sentence)",
        [name, expected["sentence"].rpartition(" The hall")[0]],
    )
    expect(place.locator("[data-searching]:visible")).to_have_count(0)
    expect(place.locator(".changes button[data-apply]")).to_have_count(len(expected["advice"]))
    expect(place.locator("[data-follows][data-outdated]:visible")).to_have_count(0)
    cells = place.evaluate(_CELLS)
    assert {key: cells[key] for key in expected["cells"] if key in cells} == {
        key: text for key, text in expected["cells"].items() if key in cells
    }
    shown = reading.shown(place)
    assert {key: set(texts) for key, texts in shown["texts"].items()} == {
        key: {expected["texts"][key]} for key in shown["texts"]
    }
    rows = place.locator(".changes button[data-apply]").all()
    assert [row.text_content() for row in rows] == [  # what is drawn late has no inner text yet
        change["label"] for change in expected["advice"]
    ]
    for key, levels in shown["levels"].items():
        assert set(levels) == {expected["levels"][key]}
    return expected


@pytest.mark.context(java_script_enabled=False)
@pytest.mark.parametrize("path", NAMES)
def test_without_script_the_default_system_is_complete(visit: Visit, path: str) -> None:
    place = reading.calculator(visit(path), NAMES[path])
    expected = report(NAMES[path], {})
    cells = place.evaluate(_CELLS)
    assert {key: text for key, text in expected["cells"].items() if key in cells} == {
        key: text for key, text in cells.items() if key in expected["cells"]
    }
    assert place.locator(".changes .recommendation").count() == len(expected["advice"]) >= LEAST_ADVICE.get(path, 9)
    levels = [name for name in expected["levels"] if name.startswith("pillar.")]
    assert place.locator(".bottlenecks tbody tr").count() == len(levels)
    assert expected["cells"]["limit"] in place.locator(".answer").inner_text()


def test_the_exploration_waits_until_the_slider_is_at_rest(live: Visit) -> None:
    """A moving slider does not wait for the recommendations of a state it has left.

    Of the system that a page opens with the layout is known: a price searches for none.
    """
    place = reading.calculator(live(MACHINE), "machine")
    await_report(place, "machine", {})
    stop = reading.shown(place)["controls"]["price_per_gpu_hour"]["stop"]
    place.evaluate(_ASKED_WHILE_MOVING)
    place.evaluate(_SEARCHED)
    reading.drag(place, "price_per_gpu_hour", (stop + 1, stop + 2, stop + 3))
    price = reading.shown(place)["controls"]["price_per_gpu_hour"]["stop"]
    assert price == stop + 3
    box = reading.ask("machine", stops={"price_per_gpu_hour": price})["controls"]["price_per_gpu_hour"]["box"]
    await_report(place, "machine", {"price_per_gpu_hour": box})
    asked = place.page.evaluate("() => (Worker.prototype.postMessage = window.post, window.asked)")
    assert asked
    assert not any(asked)
    assert place.page.evaluate("window.searched") == 0


@pytest.mark.parametrize("path", NAMES)
def test_it_shows_what_python_says_here(live: Visit, path: str) -> None:
    page = live(path)
    place, name = reading.calculator(page, NAMES[path]), NAMES[path]
    await_report(place, name, {})
    slider, typed = VARIED.get(name, ("request_rate", "2"))
    reading.type_in(place, slider, typed).press("Tab")
    await_report(place, name, {slider: typed})


def test_a_recommendation_is_applied_with_a_click_and_undone(live: Visit) -> None:
    page = live(MACHINE)
    place = reading.calculator(page, "machine")
    expected = await_report(place, "machine", {})
    row = next(number for number, one in enumerate(expected["advice"]) if "write_bandwidth" in one["changes"])
    place.locator(".changes button[data-apply]").nth(row).click()
    await_report(place, "machine", expected["advice"][row]["changes"])
    place.get_by_role("button", name="Undo").click()
    await_report(place, "machine", {})


def test_a_deadline_finds_the_gpus(live: Visit) -> None:
    page = live(MACHINE)
    place = reading.calculator(page, "machine")
    await_report(place, "machine", {})
    reading.type_in(place, "deadline", "60 d").press("Tab")
    await_report(place, "machine", {"deadline": "60 d"})
    expect(place.locator('[data-input="gpus"] [data-origin-word]')).to_have_text("fewest that meet the deadline")
    reading.type_in(place, "deadline", "soon").press("Tab")
    expect(place.locator('[data-input="deadline"] [data-problem]')).to_contain_text("soon")
    expect(place.locator('[data-input="deadline"] [data-box]')).to_have_value("soon")


def test_a_system_is_compared_with_its_baseline(live: Visit) -> None:
    """Two vendors offer a storage system, one of 100 and one of 400 GB/s."""
    page = live(f"{MACHINE}#write_bandwidth=100GB/s")
    place = reading.calculator(page, "machine")
    await_report(place, "machine", {"write_bandwidth": "100 GB/s"})
    reading.await_differences(place)
    place.get_by_role("button", name="Pin as baseline").click()
    compared = place.locator("[data-comparison]").locator("[data-with-baseline]")
    line = place.locator(".baseline-line")
    expect(compared).to_be_visible()
    reading.type_in(place, "write_bandwidth", "400 GB/s").press("Tab")
    given = {"write_bandwidth": "400 GB/s"}
    expected = report("machine", given, states=["write_bandwidth=100GB/s"])
    expect(compared.locator('[data-cell="comparison.text"]')).to_have_text(expected["cells"]["comparison.text"])
    expect(line.locator('[data-cell="against.text"]')).to_have_text(
        "Differs from the baseline in: Storage write bandwidth 400 GB/s instead of 100 GB/s."
    )
    days = place.locator('.answer [data-against="training_duration"]')
    expect(days).to_have_text(expected["against"]["training_duration"])
    assert "write_bandwidth=100GB/s" in (line.get_by_role("link", name="Open baseline").get_attribute("href") or "")
    page.emulate_media(media="print")
    for part in ("table.compared", '[data-cell="comparison.text"]'):
        expect(compared.locator(part)).to_be_visible()
    page.emulate_media(media="screen")
    place.locator(".answer strong [data-value=training_duration]").press("Enter")  # which unfolds a part of the page
    expect(place.locator(".calculator-answer .review").get_by_label("Target", exact=True)).to_be_focused()
    expect(days).to_have_text(expected["against"]["training_duration"])
    page.keyboard.press("Escape")
    line.get_by_role("button", name="Clear baseline").click()
    expect(compared).to_be_hidden()
    expect(days).to_have_text("")


def test_the_answer_is_in_view_when_an_input_far_below_changes(live: Visit) -> None:
    place = reading.calculator(live(MACHINE), "machine")
    dock = place.locator(".dock")
    expect(dock).to_be_hidden()
    place.locator("details.group summary", has_text="Failure and restart").click()
    expect(dock.locator('[data-value="training_duration"]')).to_be_in_viewport()
    place.locator(".answer").scroll_into_view_if_needed()
    expect(dock).to_be_hidden()


def test_presentation_shows_answer_bottleneck_and_slider_on_one_screen(live: Visit) -> None:
    place = reading.calculator(live(MACHINE), "machine")
    place.get_by_role("button", name="Present").click()
    dialog = place.get_by_role("dialog", name="Presentation")
    expect(dialog.get_by_role("slider").first).to_be_focused()
    for part in (".present-sentence", ".present-value", ".present-limit", ".present-picture"):
        expect(dialog.locator(part)).to_be_in_viewport(ratio=1)
    for slider in dialog.get_by_role("slider").all():
        expect(slider).to_be_in_viewport(ratio=1)
    assert dialog.evaluate("dialog => dialog.scrollHeight <= dialog.clientHeight")
    worst = dialog.locator(".present-findings [data-level]").first
    expect(worst).to_have_text("Checkpoint write too slow")


def opened(page: Page, link: Locator, name: str) -> Locator:
    """Follow a link to a calculator or machine."""
    link.click()
    place = reading.calculator(page, name)
    expect(place).to_have_attribute("data-engine", "live")
    expect(place.locator("[data-notices] li").first).to_contain_text("Imported from")
    return place


def test_every_calculator_opens_in_its_state_and_leads_back(live: Visit) -> None:
    page = live(f"{MACHINE}#write_bandwidth=200GB/s&gpus=8,192")
    place = reading.calculator(page, "machine")
    figures = await_report(place, "machine", {"write_bandwidth": "200 GB/s", "gpus": "8,192"})["texts"]
    reading.await_truth(page, "() => document.querySelector('.machine-page .near a').hash.includes('write_bandwidth')")
    goodput = opened(page, page.locator('.near a[href*="/goodput/"]'), "goodput")
    for result in ("goodput", "mtbf", "best_interval"):
        expect(goodput.locator(f'table.results [data-value="{result}"]').first).to_have_text(figures[result])
    reading.type_in(goodput, "detection_time", "10 min").press("Tab")
    reading.await_truth(page, "() => document.querySelector('.near a.to-machine').hash.includes('detection_time')")
    back = opened(page, page.locator(".near a.to-machine"), "machine")
    expect(back.locator('[data-input="detection_time"] [data-box]')).to_have_value("10 min")
    expect(back.locator('[data-input="gpus"] [data-box]')).to_have_value("8,192")


@pytest.mark.expects_problems(r"woff2", r"ERR_FAILED")
@pytest.mark.parametrize("path", NAMES)
def test_the_design_prints_on_two_sheets_before_its_fonts_have_arrived(visit: Visit, page: Page, path: str) -> None:
    """Other fonts are wider: printed early, on a busy machine, a few lines came on a third sheet."""
    page.route("**/*.woff2", lambda route: route.abort())
    visit(path)
    reading.await_truth(page, "() => [...document.fonts].some((font) => font.status === 'error')")
    assert page.evaluate("[...document.fonts].every((font) => font.status !== 'loaded')")
    for paper in ("A4", "Letter"):
        assert reading.sheets(page, paper) <= 2, paper


@pytest.mark.parametrize("path", NAMES)
def test_the_design_prints_on_two_sheets(live: Visit, path: str) -> None:
    page = live(path)
    place = reading.calculator(page, NAMES[path])
    await_report(place, NAMES[path], {})
    for paper in ("A4", "Letter"):
        assert reading.sheets(page, paper) <= 2, paper
    page.emulate_media(media="print")
    for selector in (".answer", "table.bottlenecks", "table.bill", "table.changes", ".inputs-table", ".print-footer"):
        expect(place.locator(selector).first).to_be_visible()
    for selector in (".actions", ".field-slider", ".near", "details.group", "[data-comparison]"):
        expect(page.locator(f"{selector}:visible")).to_have_count(0)


def test_a_target_is_solved_and_compared_by_keyboard_and_recorded(live: Visit) -> None:
    """Fewer GPUs run longer: the offered value leads there, Undo leads back."""
    page = live(MACHINE)
    place = reading.calculator(page, "machine")
    place.locator(".answer strong [data-value=training_duration]").press("Enter")
    solve = place.locator("details[data-review=solve]")
    wanted = solve.get_by_role("textbox", name="Target")
    wanted.fill("100 days")
    solve.get_by_role("combobox", name="Input to change", exact=True).select_option("failure_rate")
    use = solve.get_by_role("button", name=re.compile("^Use this value: Failures per day"))
    use.first.press("Enter")
    expect(place.locator(".answer [data-value=training_duration]")).to_have_text("100 days")
    place.get_by_role("button", name="Undo").press("Enter")
    expect(place.locator(".answer [data-value=training_duration]")).not_to_have_text("100 days")
    place.get_by_role("link", name="Create record", exact=True).press("Enter")
    sheet = page.locator("[data-record-view]")
    expect(sheet).to_contain_text("How long will this job take on this system", timeout=reading.START_SECONDS * 1000)
    # The answer does not wait for the searches behind it.
    expect(sheet).to_contain_text("Computing range and sensitivity,")
    expect(page.locator("[data-record-status]")).to_contain_text("Computing range and sensitivity,")
    expect(sheet.get_by_role("heading", name="Bottleneck", exact=True)).to_be_visible(timeout=120_000)
    expect(sheet.get_by_role("heading", name="Recommendations", exact=True)).to_be_visible()
    assert reading.sheets(page) <= 2
    expect(page.get_by_role("link", name="Back to the calculator")).to_have_attribute("href", re.compile("/machine/"))
