"""Move a slider, and everything that depends on it moves: numbers, sentence, verdict, picture, working."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from calculators.answers import sliders
from calculators.catalog import CALCULATORS
from calculators.declare import Choice, Quantity
from tests.browser import reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from playwright.sync_api import Locator

    from tests.browser.conftest import Visit

LOOK_EVERY = 8  # moves; to await every one's answer takes as many times as long and sees no more
# Pictures of one step, pass, sample or node's limit, which takes as long however many of them there are.
NOT_DRAWN = {
    ("inference", "request_rate"),
    ("retrieval", "request_rate"),
    ("retrieval", "top_k"),
    ("sample_inference", "sample_request_rate"),
    ("sample_training", "gpus"),
    ("sample_training", "samples_trained"),
    ("data_lifecycle", "shown_month"),
}
OF_ANOTHER_MONTH = ("data_lifecycle", "shown_month")  # it chooses what is shown, and the answer is of all months
_WHAT_IS_SAID_WHEN = """root => {
    window.moments = [];
    const spoken = root.querySelector("[data-sentence]");
    const note = () => window.moments.push([spoken.textContent, root.hasAttribute("data-moving")]);
    new MutationObserver(note).observe(spoken, {childList: true, characterData: true, subtree: true});
}"""
_MOVE = """(root, moves) => {
    for (const [name, to] of moves) {
        const control = root.querySelector(`[data-input="${name}"] :is([data-slider], [data-choice])`);
        control.value = to;
        for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, {bubbles: true}));
    }
}"""
# What is far below is drawn late, by an animation.
_DRAWN_LATE = "root => Promise.all(root.getAnimations({subtree: true}).map(one => one.finished))"
_WHETHER_IT_MOVES = """root => {
    window.moved = [];
    const note = () => window.moved.push(root.hasAttribute("data-moving"));
    new MutationObserver(note).observe(root, {attributes: true, attributeFilter: ["data-moving"]});
}"""


def moved(name: str, slider: str, stop: int, presets: Mapping[str, str]) -> dict[str, Any]:
    """What Python says once this slider was moved there: a model that filled it stays chosen for its other inputs."""
    filling = {preset.name: presets[preset.name] for preset in CALCULATORS[name].presets if slider in preset.fills}
    return reading.ask(name, filling, stops={slider: stop})


def another_stop(name: str, slider: str, stop: int) -> int:
    """A stop well away from the present one: two thirds of the way to the farther end, or less if that is refused."""
    declared = CALCULATORS[name].inputs[slider]
    assert isinstance(declared, Quantity)
    last = len(sliders.stops(declared)) - 1
    far = ((last if last - stop > stop else 0) - stop) * 2 // 3
    while far and "problems" in reading.ask(name, stops={slider: stop + far}):
        far //= 2
    return stop + far


@reading.each_calculator
def test_moving_a_slider_moves_numbers_words_and_picture(live: Visit, name: str) -> None:
    """Each of those that are first, from the calculator's own state."""
    place = reading.calculator(live(reading.path_of(name)), name)
    before = reading.shown(place)
    for slider in CALCULATORS[name].first_sliders:
        move_from(place, name, slider, before)
        reading.button(place, "Reset").click()
        reading.await_answer(place, reading.ask(name))


def move_from(place: Locator, name: str, slider: str, before: Mapping[str, Any]) -> None:
    """Move one slider, and look at all that must have moved with it."""
    stop = another_stop(name, slider, before["controls"][slider]["stop"])
    answer = moved(name, slider, stop, before["presets"])
    assert answer["texts"] != reading.ask(name)["texts"]

    reading.slide(place, slider, stop)
    after = reading.await_answer(place, answer)

    if (name, slider) != OF_ANOTHER_MONTH:
        results = CALCULATORS[name].headline
        assert [after["texts"].get(result) for result in results] != [before["texts"].get(result) for result in results]
        assert (after["sentence"], after["verdicts"]) != (before["sentence"], before["verdicts"])
    assert after["figure"] != before["figure"] or (name, slider) in NOT_DRAWN
    assert after["controls"][slider]["origin"] == "yours"
    assert after["controls"][slider]["box"] != before["controls"][slider]["box"]
    unmoved = before["controls"].keys() - {slider}
    assert [
        after["controls"][other]["box"] for other in unmoved if after["controls"][other]["origin"] != "computed"
    ] == [before["controls"][other]["box"] for other in unmoved if after["controls"][other]["origin"] != "computed"]


@dataclass(frozen=True)
class Move:
    """One control moved: a choice to an option, a slider to a stop; and what Python says of the page after that."""

    name: str
    to: str | int
    answer: Mapping[str, Any]


def moves(name: str) -> Iterator[Move]:
    """Every control moved, one after the other, each from the state in which the one before left the page."""
    state, given = reading.ask(name), dict[str, str]()
    for control, declared in CALCULATORS[name].inputs.items():
        pinned = {
            preset.name: state["presets"][preset.name]
            for preset in CALCULATORS[name].presets
            if control in preset.fills and preset.name not in given
        }
        to: str | int
        if isinstance(declared, Choice):
            to = next(key for key in declared.options if key != state["controls"][control]["box"])
            answer = reading.ask(name, {**given, **pinned, control: to})
        else:
            stop = state["controls"][control]["stop"]
            to = stop + 1 if stop < len(sliders.stops(declared)) - 1 else stop - 1
            answer = reading.ask(name, {**given, **pinned}, stops={control: to})
        if "problems" in answer:
            continue  # not alone: another input would have to move with it
        yield Move(control, to, answer)
        state, given = answer, answer["given"]


@reading.each_calculator
def test_every_control_of_a_page_moves_something(live: Visit, name: str) -> None:
    """All numbers as Python has them, in the end and at every few moves: what one control did stays, and is seen."""
    place = reading.calculator(live(reading.path_of(name)), name)
    planned = list(moves(name))
    for first in range(0, len(planned), LOOK_EVERY):
        some = planned[first : first + LOOK_EVERY]
        place.evaluate(_MOVE, [[move.name, move.to] for move in some])
        reading.await_answer(place, some[-1].answer)
    assert len(planned) >= len(CALCULATORS[name].inputs) * 0.8
    assert all(planned[-1].answer["controls"][move.name]["origin"] == "yours" for move in planned)


@reading.each_calculator
def test_dragging_ends_on_the_last_stop(live: Visit, name: str) -> None:
    """A drag gives an event for every stop on the way; the page must end where the hand does."""
    place = reading.calculator(live(reading.path_of(name)), name)
    slider = CALCULATORS[name].first_sliders[0]
    control = place.locator(f'[data-input="{slider}"] [data-slider]')
    before = reading.shown(place)
    box = control.bounding_box()
    assert box
    mouse = place.page.mouse
    control.scroll_into_view_if_needed()
    box = control.bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    start = before["controls"][slider]["stop"] / float(control.get_attribute("max") or 1)
    mouse.move(box["x"] + 8 + (box["width"] - 16) * start, middle)
    mouse.down()
    mouse.move(box["x"] + box["width"] * 0.2, middle, steps=40)
    mouse.move(box["x"] + box["width"] * 0.85, middle, steps=40)
    mouse.up()
    stop = int(control.input_value())
    assert stop != before["controls"][slider]["stop"]
    reading.await_answer(place, moved(name, slider, stop, before["presets"]))


@reading.each_calculator
def test_how_sure_follows_the_answer(live: Visit, name: str) -> None:
    """What moves the result, and how far the hedges reach, is worked out again after each change."""
    page = live(reading.path_of(name))
    place = reading.calculator(page, name)
    slider = CALCULATORS[name].first_sliders[-1]
    stop = another_stop(name, slider, reading.shown(place)["controls"][slider]["stop"])
    presets = reading.shown(place)["presets"]
    reading.slide(place, slider, stop)
    reading.await_answer(place, moved(name, slider, stop, presets))
    filling = {p.name: presets[p.name] for p in CALCULATORS[name].presets if slider in p.fills}
    explored = reading.ask(name, filling, asks=["explore", "link"], stops={slider: stop})
    reading.await_truth(page, "link => location.hash === (link && '#' + link)", explored["link"])
    expect(place.locator("[data-outdated]:is([data-swings], [data-band-row])")).to_have_count(0)
    rows = place.locator("[data-swings] .swing").evaluate_all(
        """rows => rows.map(row => ["label", "hedge", "result"].map(
            field => row.querySelector(`[data-field="${field}"]`).textContent))"""
    )
    assert rows == [[swing["label"], swing["hedge"], swing["result"]] for swing in explored["swings"]]
    bars = place.locator("[data-swings] .swing [data-bar]").evaluate_all(
        "bars => bars.map(bar => [bar.getAttribute('x'), bar.getAttribute('width')])"
    )
    assert bars == [[swing["x"], swing["width"]] for swing in explored["swings"]]
    assert place.locator("[data-band]").all_text_contents() == [explored["band"]]


def test_a_screen_reader_hears_the_sentence_once_the_hand_rests(live: Visit) -> None:
    page = live(reading.path_of("checkpoint"))
    place = reading.calculator(page, "checkpoint")
    spoken = place.locator("[data-sentence]")
    before = reading.shown(place)
    place.evaluate(_WHAT_IS_SAID_WHEN)
    stop = before["controls"]["write_bandwidth"]["stop"]
    reading.drag(place, "write_bandwidth", (stop + 1, stop + 2, stop + 3))
    after = reading.await_answer(place, reading.ask("checkpoint", stops={"write_bandwidth": 39}))
    expect(spoken).to_have_text(after["sentence"])
    assert page.evaluate("() => window.moments") == [[after["sentence"], False]]
    assert spoken.get_attribute("aria-live") == "polite"


def test_a_first_touch_leaves_all_drawn_and_a_second_what_is_out_of_sight(live: Visit) -> None:
    """Drawing less has the browser look at every part again, which the answer to a first touch need not wait for."""
    place = reading.calculator(live(reading.path_of("checkpoint")), "checkpoint")
    expect(place).not_to_have_attribute("data-moving", "")
    place.evaluate(_DRAWN_LATE)
    unseen = place.evaluate("""root => {
      const slider = root.querySelector("input[type=range]");
      return [1, 2, 3].map((more) => {
        slider.value = Number(slider.value) + more;
        slider.dispatchEvent(new Event("input", {bubbles: true}));
        const isLate = (part) => part.getAnimations().length > 0;
        const parts = [...root.querySelectorAll(".calculator-more > *")].filter((part) => !isLate(part));
        return parts.filter((part) => getComputedStyle(part).contentVisibility === "auto").length / parts.length;
      });
    }""")
    assert unseen == [0, 1, 1]


@reading.each_calculator
def test_at_rest_everything_is_drawn_also_what_is_out_of_sight(live: Visit, name: str) -> None:
    place = reading.calculator(live(reading.path_of(name)), name)
    place.evaluate(_WHETHER_IT_MOVES)
    reading.slide(place, CALCULATORS[name].first_sliders[0], 1)
    reading.await_truth(place.page, "() => window.moved.includes(true) && !window.moved.at(-1)")
    place.evaluate(_DRAWN_LATE)
    unseen = "parts => parts.filter(part => getComputedStyle(part).contentVisibility !== 'visible').length"
    assert place.locator(".calculator-more > *").evaluate_all(unseen) == 0
