"""States of a calculator as a reader goes through them: changed, undone, what differs and what is idle announced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from calculators.catalog import CALCULATORS
from tests.browser import reading
from tests.browser.calculator.test_inputs import pins

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Visit

CHECKPOINT = reading.path_of("checkpoint")
LONGER_THAN_A_PAUSE_MS = 1000  # in typing


def changes(place: Locator) -> list[tuple[dict[str, Any], Any]]:
    """Every kind of change a reader makes, with what Python says after it; each on top of the one before."""
    page = place.page
    done = []

    def after(answer: dict[str, Any]) -> None:
        reading.await_answer(place, answer)
        done.append((answer, page.url))

    reading.open_groups(place)
    place.locator('[data-preset="model"]').select_option("llama-3-8b")
    after(reading.ask("training_memory", {"model": "llama-3-8b"}))
    place.locator('[data-input="recompute"] select').select_option("full")
    given = {"model": "llama-3-8b", "recompute": "full"}
    after(reading.ask("training_memory", given))
    reading.slide(place, "micro_batch", 4)
    after(reading.ask("training_memory", given, stops={"micro_batch": 4}))
    reading.type_in(place, "sequence_length", "4096").press("Tab")
    after(reading.ask("training_memory", {**given, "sequence_length": "4096"}, stops={"micro_batch": 4}))
    reading.button(place, "Reset").click()
    after(reading.ask("training_memory"))
    return done


def test_every_change_can_be_undone_and_done_again(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("training_memory")), "training_memory")
    undo, redo = reading.button(place, "Undo"), reading.button(place, "Redo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    done = changes(place)
    for answer, _ in reversed(done[:-1]):
        undo.click()
        reading.await_answer(place, answer)
    undo.click()
    reading.await_answer(place, reading.ask("training_memory"))
    expect(undo).to_have_attribute("aria-disabled", "true")
    expect(undo).to_be_focused()
    for answer, _ in done:
        redo.click()
        reading.await_answer(place, answer)
    expect(redo).to_have_attribute("aria-disabled", "true")


def test_a_drag_is_one_step_back_and_the_address_follows(live: Visit) -> None:
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    before = reading.shown(place)
    reading.drag(place, "write_bandwidth", (30, 31, 32, 33))
    reading.await_answer(place, reading.ask("checkpoint", stops={"write_bandwidth": 33}))
    reading.await_truth(page, "() => location.hash.includes('write_bandwidth')")
    page.keyboard.press("Control+z")
    after = reading.await_answer(place, reading.ask("checkpoint"))
    assert after["controls"] == before["controls"]
    reading.await_truth(page, "() => !location.hash.includes('write_bandwidth')")
    page.keyboard.press("Control+Shift+z")
    reading.await_answer(place, reading.ask("checkpoint", stops={"write_bandwidth": 33}))
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+y")
    reading.await_answer(place, reading.ask("checkpoint", stops={"write_bandwidth": 33}))


def test_in_a_box_the_keys_undo_what_was_typed_in_it(live: Visit) -> None:
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    reading.slide(place, "write_bandwidth", 33)
    moved = {"write_bandwidth": reading.ask("checkpoint", stops={"write_bandwidth": 33})["given"]["write_bandwidth"]}
    reading.await_answer(place, reading.ask("checkpoint", moved))
    field = reading.box(place, "write_window")
    original = field.input_value()
    field.press("End")
    field.press("Backspace")
    field.press_sequentially("min")
    page.keyboard.press("Control+z")
    expect(field).not_to_have_value(original.removesuffix("s") + "min")
    assert reading.shown(place)["controls"]["write_bandwidth"]["origin"] == "yours"


def test_advice_that_is_taken_keeps_the_keyboard_and_can_be_undone(live: Visit) -> None:
    given = {"model": "llama-3-1-405b", "tensor_parallel": "4"}
    page = live(reading.path_of("training_memory") + "#" + "&".join(f"{key}={text}" for key, text in given.items()))
    place = reading.calculator(page, "training_memory")
    bad = reading.ask("training_memory", given)
    reading.await_answer(place, bad)
    recommendations = reading.ask("training_memory", given, asks=["explore"])["advice"]
    first = place.locator("[data-recommendations] button").first
    expect(first).to_have_text(recommendations[0]["label"])
    first.focus()
    page.keyboard.press("Enter")
    reading.await_answer(place, reading.ask("training_memory", {**given, **recommendations[0]["changes"]}))
    # At rest, once all that there is to say of the new state is shown, where the button was.
    explored = reading.ask("training_memory", {**given, **recommendations[0]["changes"]}, asks=["explore"])
    expect(place.locator('[data-swings] [data-field="result"]')).to_have_text(
        [swing["result"] for swing in explored["swings"]]
    )
    expect(place).not_to_have_attribute("data-moving", "")
    assert place.evaluate("root => root.contains(document.activeElement) && document.activeElement !== root")
    page.keyboard.press("Control+z")
    reading.await_answer(place, bad)


def test_one_place_speaks_and_only_when_the_hand_rests(live: Visit) -> None:
    talking = "[aria-live]:not([aria-live=off]), [role=status], [role=alert], output:not([aria-live=off])"
    # A run is pasted into the first, a model's file into the second.
    for name in ("collectives", "training_memory"):
        expect(reading.calculator(live(reading.path_of(name)), name).locator(talking)).to_have_count(1)
    page = live(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    expect(place.locator(talking)).to_have_count(1)
    reading.listen(place)
    reading.slide(place, "write_bandwidth", 33)
    expect(place.locator("[data-sentence]")).to_have_text(
        reading.ask("checkpoint", stops={"write_bandwidth": 33})["sentence"]
    )
    reading.type_in(place, "write_window", "soon").press("Tab")
    expect(place.locator("[data-sentence]")).to_have_text(
        reading.ask("checkpoint", {"write_window": "soon"})["problems"]["write_window"]
    )
    reading.button(place, "Undo").click()
    reading.await_heard(place, "Undone")


def test_nothing_is_called_wrong_while_it_is_typed(page: Page, visit: Visit) -> None:
    """The page's clock is stopped and moved by hand: a pause must not depend on how fast this machine types."""
    page.clock.install(time=0)
    visit(CHECKPOINT)
    place = reading.calculator(page, "checkpoint")
    reading.await_live(page)
    page.clock.pause_at(page.evaluate("() => Date.now()") + 60_000)
    page.evaluate(
        """() => {
            window.flickers = [];
            const place = document.querySelector("ai-calculator.calculator");
            new MutationObserver(() => {
                const wrong = place.querySelector("[data-problem]:not([hidden]), [aria-invalid=true]");
                if (wrong || place.hasAttribute("data-stale")) window.flickers.push(wrong?.textContent ?? "stale");
            }).observe(place, {subtree: true, attributes: true, childList: true, characterData: true});
        }"""
    )
    field = reading.box(place, "write_bandwidth")
    field.fill("")
    for letter in "8 GB/s":
        field.press_sequentially(letter)
        page.clock.run_for(60)
    reading.await_answer(place, reading.ask("checkpoint", {"write_bandwidth": "8 GB/s"}), but=("controls",))
    assert page.evaluate("() => window.flickers") == []
    field.press_sequentially("x")
    problem = place.locator('[data-input="write_bandwidth"] [data-problem]')
    page.clock.run_for(LONGER_THAN_A_PAUSE_MS)
    expect(problem).to_be_visible()  # after a pause, with the cursor still there
    expect(field).to_be_focused()
    field.fill("8 GB/s")
    expect(problem).to_be_hidden()
    field.fill("8 GB/")
    field.press("Tab")
    expect(problem).to_be_visible()  # at once: no time passes


def test_what_differs_from_the_defaults_is_in_one_place_with_ways_there(live: Visit) -> None:
    page = live(CHECKPOINT + "#parameters=8B&cold_checkpoints=7&hot_checkpoints=9")
    place = reading.calculator(page, "checkpoint")
    report = reading.ask(
        "checkpoint", {"parameters": "8B", "cold_checkpoints": "7", "hot_checkpoints": "9"}, asks=["link"]
    )
    expect(place.locator(".answer + [data-differences]")).to_be_in_viewport(ratio=1)
    rows = place.locator("[data-differences] button")
    expect(rows).to_have_text([row["text"] for row in report["differences"]])
    for group, message in report["groups"].items():
        expect(place.locator(f'[data-group-changed="{group}"]')).to_have_text(message)
    assert "2 changed" in report["groups"].values()
    rows.filter(has_text=CALCULATORS["checkpoint"].inputs["cold_checkpoints"].label).click()
    expect(reading.box(place, "cold_checkpoints")).to_be_focused()
    expect(reading.box(place, "cold_checkpoints")).to_be_visible()
    reading.button(place, "Reset").click()
    expect(place.locator("[data-differences]")).to_be_hidden()


def test_an_input_without_effect_says_so_where_it_is(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("training_time")), "training_time")
    effect = place.locator('[data-input="sequence_length"] [data-effect]')
    idle = reading.ask("training_time", asks=["explore"])["idle"]
    assert "sequence_length" in idle
    expect(effect).to_have_text(idle["sequence_length"])
    reading.open_groups(place)
    place.locator('[data-input="attention_flops"] select').select_option("full")
    expect(effect).to_have_text("")
    expect(place.locator("[data-idle]")).to_have_count(
        len(reading.ask("training_time", {"attention_flops": "full"}, asks=["explore"])["idle"])
    )


def test_a_computed_value_may_be_pinned_and_let_go(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("training_memory")), "training_memory")
    computed = {name: one for name, one in reading.shown(place)["controls"].items() if one["origin"] == "computed"}
    name, before = next(iter(computed.items()))
    assert before["word"]
    reading.slide(place, name, before["stop"] - 1)
    pinned = reading.await_answer(
        place, reading.ask("training_memory", pins("training_memory", name), stops={name: before["stop"] - 1})
    )
    assert (pinned["controls"][name]["origin"], pinned["controls"][name]["word"]) == ("yours", "yours")
    assert pinned["controls"][name]["box"] != before["box"]
    reading.box(place, name).fill("")
    reading.box(place, name).press("Tab")
    after = reading.await_answer(place, reading.ask("training_memory"))
    assert after["controls"][name] == before


def test_what_a_chosen_record_does_not_hold_is_reported_at_the_input(live: Visit) -> None:
    for name, calculator in CALCULATORS.items():
        for preset in calculator.presets:
            for record in preset.records:
                answer = reading.ask(name, {preset.name: record.key})
                noted = [one for one, control in answer.get("controls", {}).items() if control["note"]]
                if not noted:
                    continue
                place = reading.calculator(live(reading.path_of(name)), name)
                reading.open_groups(place)
                place.locator(f'[data-preset="{preset.name}"]').select_option(record.key)
                reading.await_answer(place, answer)
                note = place.locator(f'[data-input="{noted[0]}"] [data-note]')
                expect(note).to_be_visible()
                expect(note).to_contain_text(record.name)
                return
    pytest.fail("no record of any menu lacks anything")


def test_exploring_never_keeps_an_answer_waiting(live: Visit) -> None:
    """A move while an exploration is under way is answered before it goes on; in the end all is as Python says."""
    place = reading.calculator(live(reading.path_of("training_memory")), "training_memory")
    for stop in range(3, 9):
        reading.slide(place, "sequence_length", stop)
        place.page.wait_for_timeout(15)
    answer = reading.ask("training_memory", pins("training_memory", "sequence_length"), stops={"sequence_length": 8})
    reading.await_answer(place, answer)
    explored = reading.ask(
        "training_memory",
        pins("training_memory", "sequence_length"),
        asks=["explore"],
        stops={"sequence_length": 8},
    )
    expect(place.locator('[data-swings] [data-field="result"]')).to_have_text(
        [swing["result"] for swing in explored["swings"]]
    )
    expect(place.locator('[data-threshold="fits"]')).to_contain_text(explored["edges"]["fits"])
    expect(place.locator('[data-threshold="fits"]')).to_be_visible()
    expect(place.locator(".swings [data-likely]")).to_have_text(explored["likely"])
    expect(place.locator("[data-chart-shows]")).to_have_text(explored["chart_shows"])
    expect(place.locator("[data-chart] svg desc")).to_have_text(explored["chart_shows"])
