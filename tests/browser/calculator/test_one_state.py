"""A page tells one state: whatever it shows as an answer belongs to the present inputs, or it is not there."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from calculators.answers import sliders
from calculators.catalog import CALCULATORS
from calculators.declare import Quantity
from calculators.machine.description import machine
from tests.browser import reading

if TYPE_CHECKING:
    from tests.browser.conftest import Visit

# Everything that an answer, or what is found after it, writes into the page; inputs in the sentence are its controls.
_ANSWERS = (
    "[data-value]:not(.given-value), [data-also], [data-python], [data-cell]:not(.given-value), [data-word], "
    "[data-reason], [data-legend], [data-band], [data-likely], [data-threshold-text], [data-chart] svg text, "
    "[data-chart-shows], [data-tradeoff-shows], .recommendation [data-field], .swing [data-field], [data-warnings] li, "
    ".review-summary, .review-body :is(td, th)"
)
# Those in sight that bear no mark of the present state.
_STRANGE = f"""root => {{
  const isOfState = root.dataset.of === root.dataset.state || root.hasAttribute("data-provisional");
  return [...root.querySelectorAll("{_ANSWERS}")]
    .filter((one) => one.textContent.trim() && one.textContent !== "Searching…")
    .filter((one) => one.checkVisibility({{visibilityProperty: true}}))
    .filter((one) => !isOfState || one.closest("[data-outdated]"))
    .map((one) => `${{one.outerHTML.slice(0, 120)}} ${{root.dataset.of}} of ${{root.dataset.state}}`);
}}"""
_LEFT = f"""root => [...root.querySelectorAll("{_ANSWERS}")]
  .filter((one) => one.textContent.trim()).map((one) => one.outerHTML.slice(0, 160))"""
_WALK, _SEARCHED = 6, 3  # steps, and those that search for a layout each
_LAG_MS = 200  # sooner than that, an answer may still be that of the inputs before
_REFUSED = {
    "checkpoint": ("write_bandwidth=soon", "parameters=-1", "gpus=0.5"),
    "collectives": ("gpus=50,000", "tensor_parallel=none"),
    "inference": ("accelerator=nobody", "request_rate=0"),
    "machine": ("gpus=0", "pipeline_parallel=7&tensor_parallel=7", "tokens=later"),
}


def states(name: str) -> list[tuple[str, dict[str, str]]]:
    """A walk over links: some inputs at stops of their sliders, with states that cannot be computed in between."""
    drawn = random.Random(name)  # noqa: S311  a walk, and the same each time
    calculator = machine() if name == "machine" else CALCULATORS[name]
    names = calculator.first_sliders if name == "machine" else tuple(calculator.inputs)
    inputs = [one for one in (calculator.inputs[each] for each in names) if isinstance(one, Quantity)]
    found: list[tuple[str, dict[str, str]]] = []
    for place in range(_SEARCHED if name == "machine" else _WALK):
        given = {
            one.name: one.box(drawn.choice(sliders.stops(one))) for one in drawn.sample(inputs, min(3, len(inputs)))
        }
        found.append(("&".join(f"{key}={quote(text, safe='')}" for key, text in given.items()), given))
        if place % 2:
            link = drawn.choice(_REFUSED[name])
            found.append((link, dict(part.split("=", 1) for part in link.split("&"))))
    return found


@pytest.mark.parametrize("name", ["checkpoint", "collectives", "inference", "machine"])
def test_nothing_of_another_state_is_in_sight_on_a_walk_over_states(live: Visit, name: str) -> None:
    page = live("machine/" if name == "machine" else reading.path_of(name))
    place = reading.calculator(page, name)
    reading.await_live(page)
    look = f"""async ([name, hash]) => {{
      const root = document.querySelector(`ai-calculator[data-calculator=${{name}}]`), strange = {_STRANGE};
      location.hash = hash;
      await new Promise((done) => addEventListener("hashchange", () => setTimeout(done), {{once: true}}));
      const found = new Set();
      await new Promise((done) => setTimeout(done, {_LAG_MS}));
      for (let frame = 0; frame < 30; frame += 1) {{
        for (const one of strange(root)) found.add(one);
        await new Promise((done) => requestAnimationFrame(done));
      }}
      return [...found];
    }}"""
    for link, given in states(name):
        assert page.evaluate(look, [name, link]) == [], link
        answer: dict[str, Any] = reading.ask(name, given)
        if "problems" in answer:
            expect(place.locator("[data-pending-text]")).to_contain_text("cannot be computed")
            assert place.evaluate(_LEFT) == [], link
            expect(place.locator("[data-recommendations] button")).to_have_count(0)
            continue
        if name == "machine":
            expect(place.locator("[data-searching]")).to_be_hidden()
        explored = reading.ask(name, given, asks=["explore"], slice_ms=600_000)
        answer["levels"] = explored.get("levels", {})
        more = ("sentence",) if name == "machine" else ()  # the bottleneck follows it there
        reading.await_answer(place, answer, but=("controls", "presets", "levels", *more))
        for row, one in enumerate(explored["advice"]):
            expect(place.locator(".recommendation button").nth(row)).to_have_text(one["label"])
        for verdict, text in explored.get("edges", {}).items():
            expect(place.locator(f'[data-threshold="{verdict}"] [data-threshold-text]')).to_have_text(text)
        reading.await_truth(page, f"() => !({_STRANGE})(document.querySelector('ai-calculator')).length")


@pytest.mark.parametrize(
    ("name", "link", "start"),
    [
        ("inference", "ffn_hidden=28673", "Layout refused. If it ran: "),
        ("training_memory", "gpus=500", "Training 70.6B parameters on 480 GPUs"),
        ("inference", "batch=1737", "The batch is set to 1,737 sequences"),
    ],
)
def test_a_page_says_above_its_results_that_their_state_has_no_answer(
    live: Visit, name: str, link: str, start: str
) -> None:
    """As of a layout that frameworks refuse: the sentence begins with it, and results are for orientation only."""
    page = live(f"{reading.path_of(name)}#{link}")
    place = reading.calculator(page, name)
    reading.await_live(page)
    head = place.locator("table.results th[scope=col]").first
    expect(head).to_have_text("Result, for orientation only")
    assert place.locator("p.answer").inner_text().startswith(start)
    page.evaluate("location.hash = ''")
    expect(head).to_have_text("Result")
    assert "refused" not in place.locator("p.answer").inner_text().lower()
