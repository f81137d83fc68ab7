"""From a phone to a wall: nothing sticks out, the answer comes first, and on paper is what defends it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import material
import pytest
from playwright.sync_api import expect

from builder import release
from calculators.catalog import CALCULATORS
from tests import daily
from tests.browser import reading

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from builder.serving.serve import SiteServer
    from tests.browser.conftest import Visit

_STICKING_OUT = """() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width && document.body.scrollWidth <= width) return [];
    const clipped = (element) => element && element !== document.body &&
        (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(element).overflowX) ||
            clipped(element.parentElement));
    return [...document.querySelectorAll("body *")]
        .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > width + 1)
        .filter((element) => !clipped(element.parentElement))
        .map((element) => element.outerHTML.slice(0, 120)).slice(-3)
        .concat([`${document.documentElement.scrollWidth} of ${width}`]);
}"""
PHONE = {"width": 390, "height": 844}
WIDTHS = [320, 768, 1440]


def wider_than_the_window(page: Page) -> list[str]:
    """What makes the page scroll sideways."""
    found: list[str] = page.evaluate(_STICKING_OUT)
    return found


@pytest.mark.daily(1)
@pytest.mark.expects_problems(r"404.*no/such/page")
@pytest.mark.context(java_script_enabled=False)
def test_no_page_scrolls_sideways(visit: Visit, site_pages: tuple[str, ...]) -> None:
    bad, widths = {}, WIDTHS
    for path in (*daily.share(site_pages, 4), "no/such/page"):
        page = visit(path)
        page.evaluate(
            "() => { for (const folded of document.querySelectorAll('article details')) folded.open = true; }"
        )
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            if found := wider_than_the_window(page):
                bad[path, width] = found
        widths = widths[::-1]  # the next page comes as wide as this one was last
    assert bad == {}


@pytest.mark.parametrize("name", ["checkpoint", "power"])
def test_what_each_uncertain_input_does_is_not_cut_off(visit: Visit, name: str) -> None:
    page = visit(reading.path_of(name))
    for width in (PHONE["width"], 1000, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        beyond = page.locator(".swing-result").evaluate_all(
            "all => all.filter(one => one.getBoundingClientRect().right"
            " > one.closest('.swings').getBoundingClientRect().right + 1).map(one => one.textContent)"
        )
        assert page.locator(".swing-result").count() > 0
        assert beyond == [], width


@reading.each_calculator
def test_a_live_page_with_long_numbers_and_a_problem_fits_a_phone(live: Visit, name: str) -> None:
    page = live(reading.path_of(name))
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # a dict of two numbers
    place = reading.calculator(page, name)
    reading.open_all(place)
    place.locator("[data-slider]").first.fill("7")
    expect(place.locator('[data-input][data-origin="yours"]')).not_to_have_count(0)
    place.locator("[data-box]").last.fill("x" * 60)
    expect(place.locator("[data-problem]:visible")).to_have_count(1)
    for width in (PHONE["width"], 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert wider_than_the_window(page) == []


@pytest.mark.context(java_script_enabled=False)
@pytest.mark.parametrize("name", reading.NAMES)
def test_the_first_screen_is_the_calculators_and_on_a_phone_the_answer_comes_before_the_inputs(
    visit: Visit, name: str
) -> None:
    page = visit(reading.path_of(name))
    page.set_viewport_size({"width": 1440, "height": 900})
    assert reading.sheets(page) == 1
    place = reading.calculator(page, name)
    answer = place.locator(".answer").bounding_box()
    assert answer
    assert answer["y"] < 170
    expect(page.locator(".near a").first).to_be_in_viewport()
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # a dict of two numbers
    answer = place.locator(".answer").bounding_box()
    field = place.locator(".field:visible").first.bounding_box()
    assert answer
    assert field
    assert answer["y"] + answer["height"] <= PHONE["height"]
    assert answer["y"] + answer["height"] <= field["y"]


def test_on_a_phone_the_answer_stays_in_sight_while_a_slider_moves(live: Visit) -> None:
    page = live(reading.path_of("checkpoint"))
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # a dict of two numbers
    place = reading.calculator(page, "checkpoint")
    slider = place.locator('[data-input="write_bandwidth"] [data-slider]')
    reading.open_groups(place)
    slider.scroll_into_view_if_needed()
    shown = place.locator('.dock [data-value="checkpoint_size"]')
    expect(shown).to_be_in_viewport()
    before = shown.text_content()
    reading.slide(place, "parameters", 10)
    expect(shown).not_to_have_text(before or "")


@pytest.mark.parametrize("width", [1440, 2560])
def test_on_a_wide_screen_inputs_and_answer_are_side_by_side(live: Visit, width: int) -> None:
    page = live(reading.path_of("training_memory"))
    page.set_viewport_size({"width": width, "height": width * 9 // 16})
    place = reading.calculator(page, "training_memory")
    page.evaluate("() => scrollTo(0, 0)")
    inputs, answer = place.locator(".calculator-inputs"), place.locator(".calculator-answer")
    left, right = place.locator(".menus").bounding_box(), answer.bounding_box()
    assert left
    assert right
    assert left["x"] + left["width"] <= right["x"]
    assert abs(left["y"] - right["y"]) < 5
    reading.open_groups(place)
    inputs.locator(".field:visible").last.scroll_into_view_if_needed()
    expect(place.locator(".answer")).to_be_in_viewport()


def test_who_went_through_the_answer_by_keys_sees_it_again_at_the_inputs(live: Visit) -> None:
    page = live(reading.path_of("training_memory"))
    page.set_viewport_size({"width": 1440, "height": 500})
    place = reading.calculator(page, "training_memory")
    place.locator(".page-parts a").last.focus()
    expect(place.locator(".answer")).not_to_be_in_viewport(ratio=0.9)
    place.locator("[data-input]:visible [data-box]").first.focus()
    expect(place.locator(".answer")).to_be_in_viewport(ratio=0.9)


@reading.each_calculator
def test_a_calculator_prints_on_one_sheet_that_says_where_it_comes_from_and_the_working_if_asked(
    live: Visit, name: str
) -> None:
    page = live(reading.path_of(name))
    place = reading.calculator(page, name)
    slider = CALCULATORS[name].first_sliders[0]
    reading.slide(place, slider, 10)
    link = reading.ask(name, {}, asks=["link"], stops={slider: 10})["link"].rpartition("&")[2]
    reading.await_truth(page, "link => location.hash.includes(link)", link)
    for paper in ("A4", "Letter"):
        assert reading.sheets(page, paper) == 1, paper
    page.emulate_media(media="print")
    assert page.locator("h1").evaluate("title => title.getBoundingClientRect().top + scrollY") >= 0  # or it is cut off
    for selector in (".engine-line", ".actions", ".field-slider", ".dock", ".near", ".page-parts", ".step-body"):
        expect(place.locator(f"{selector}:visible")).to_have_count(0)
    for selector in (".md-header", ".md-tabs", ".md-footer", ".md-sidebar"):
        expect(page.locator(f"{selector}:visible")).to_have_count(0)
    for selector in (".answer", ".picture-bar", "table.results td", ".menus select"):
        expect(place.locator(selector).first).to_be_visible()
    expect(place.locator("[data-input]:visible")).to_have_count(0)
    label = CALCULATORS[name].inputs[slider].label
    expect(place.locator("[data-differences] li:visible").filter(has_text=label)).to_have_count(1)
    expect(place.locator(".print-footer")).to_contain_text(page.url)
    expect(place.locator(".print-footer")).to_contain_text(release.version())

    page.emulate_media(media="screen")
    place.locator("[data-print-working]").check()
    page.emulate_media(media="print")
    hidden = place.locator(".step-body, .results td, .sources li").evaluate_all(
        "all => all.filter(e => !e.checkVisibility() || e.getBoundingClientRect().height === 0)"
        ".map(e => e.outerHTML.slice(0, 80))"
    )
    assert hidden == []


def test_a_chapter_on_paper_fills_most_of_its_width(live: Visit) -> None:
    page = live("guide/checkpointing/")
    page.set_viewport_size({"width": 690, "height": 1000})  # A4 less its margins
    page.emulate_media(media="print")
    widest = page.locator(".md-content p").evaluate_all("all => Math.max(...all.map((p) => p.offsetWidth))")
    assert widest > 0.8 * 690


def test_what_would_help_keeps_its_words_on_paper(live: Visit) -> None:
    page = live(reading.path_of("training_memory") + "#tensor_parallel=1&pipeline_parallel=1")
    place = reading.calculator(page, "training_memory")
    expect(place.locator(".recommendation")).not_to_have_count(0)
    page.emulate_media(media="print")
    for row in place.locator(".recommendation").all():
        expect(row.locator('[data-field="label"]')).to_be_visible()
        expect(row.locator('[data-field="label"]')).not_to_be_empty()


def test_help_is_there_for_whom_works_on_an_input_and_moves_nothing(live: Visit) -> None:
    page = live(reading.path_of("checkpoint"))
    place = reading.calculator(page, "checkpoint")
    tops = """() => [...document.querySelectorAll(".field")]
        .filter((field) => field.checkVisibility())  // what is folded may be laid out or not
        .map((field) => field.getBoundingClientRect().top)"""
    before = page.evaluate(tops)
    expect(place.locator(".field-help:visible")).to_have_count(0)
    place.locator('[data-input="checkpoint_interval"] [data-box]').focus()
    expect(place.locator(".field-help:visible")).to_have_count(1)
    field = place.locator(".field:has(.field-help:visible)")
    above = field.evaluate(
        "e => e.getBoundingClientRect().top - e.querySelector('.field-help').getBoundingClientRect().bottom"
    )
    assert above > -2, "the help lies over the input or the next one"
    assert page.evaluate(tops) == before


def test_what_does_not_fit_is_red_in_the_sentence_too_and_leads(live: Visit) -> None:
    page = live(reading.path_of("training_memory"))
    place = reading.calculator(page, "training_memory")
    color = "e => getComputedStyle(e).color"
    word = place.locator('.answer [data-value="fits"]')
    usual = word.evaluate(color)
    assert usual == place.locator('.answer [data-value="training_memory"]').evaluate(color)
    place.locator('[data-input="tensor_parallel"] [data-slider]').fill("0")
    place.locator('[data-input="pipeline_parallel"] [data-slider]').fill("0")
    expect(word).to_have_text("does not fit")
    assert word.evaluate(color) == place.locator(".findings [data-word]").evaluate(color) != usual


def test_nothing_reached_by_keys_hides_behind_the_dock(live: Visit) -> None:
    page = live(reading.path_of("checkpoint"))
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # a dict of two numbers
    place = reading.calculator(page, "checkpoint")
    reading.open_groups(place)
    page.evaluate("() => scrollTo(0, 0)")
    place.locator('.calculator-answer [data-action="link"]').focus()
    hidden = []
    for _ in range(40):
        page.keyboard.press("Tab")
        hidden += page.evaluate(
            """async () => {
                for (const _ of [1, 2]) await new Promise(requestAnimationFrame);  // it is drawn
                const at = document.activeElement.getBoundingClientRect();
                const dock = document.querySelector(".dock").getBoundingClientRect();
                const isUnder = at.bottom > dock.top + 1 && at.top < dock.bottom;
                return isUnder ? [document.activeElement.outerHTML.slice(0, 80)] : [];
            }"""
        )
    assert hidden == []
    expect(place.locator(".dock")).to_contain_text(reading.ask("checkpoint")["verdicts"]["write_in_time"]["word"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_paper_ink_is_dark_whatever_the_screen_is(live: Visit, scheme: str) -> None:
    page = live(reading.path_of("checkpoint"))
    page.emulate_media(media="print", color_scheme=scheme)  # type: ignore[arg-type]  # one of two words
    ink = page.locator(".answer").evaluate("answer => getComputedStyle(answer).color.match(/[\\d.]+/g).map(Number)")
    assert sum(ink[:3]) < 200


_CLASSES = """() => [...new Set([...document.querySelectorAll('*')]
    .flatMap((one) => [one.localName, ...[...one.classList].map((name) => "." + name)]))]"""


def test_the_style_sheet_has_the_themes_rules_for_whatever_its_script_adds(visit: Visit, site_dir: Path) -> None:
    folder = Path(material.__file__).parent / "templates/assets/stylesheets"
    theirs = {name for path in folder.glob("*.min.css") for name in _named(path.read_text("utf-8"))}
    ours = _named("".join(path.read_text("utf-8") for path in site_dir.glob("assets/site-*.css")))
    page = visit(reading.path_of("checkpoint"))
    reading.open_all(reading.calculator(page, "checkpoint"))
    found = {*page.evaluate(_CLASSES)}
    page = visit("guide/storage/")
    page.mouse.wheel(0, 4000)
    page.locator(".md-search__input").click()
    page.keyboard.type("checkpoint size")
    expect(page.locator(".md-search-result__item").first).to_be_visible()
    found |= {*page.evaluate(_CLASSES)}
    assert {".md-search-result__item", "mark"} <= found
    assert (found & theirs) - ours == set()


def _named(sheet: str) -> set[str]:
    """The classes that a style sheet has rules for, and the element of what was found by a search."""
    selectors = " ".join(re.findall(r"([^{}]+)\{", sheet))
    return set(re.findall(r"\.-?[a-zA-Z_][\w-]*|\bmark\b", selectors))


def test_the_mark_in_a_bar_that_goes_on_is_drawn_over_all_else_of_it(site: SiteServer) -> None:
    page = site.files["calculators/storage-demand/index.html"].body.decode()
    bars = re.findall(r'<svg class="picture-bar".*?</svg>', page, re.DOTALL)
    assert len(bars) >= 6
    for bar in bars:
        assert bar.rindex("<rect") == bar.index('<rect class="picture-break"')
