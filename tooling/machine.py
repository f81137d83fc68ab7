"""The machine's page, timed: from a move of a slider to its numbers, to the layout, to everything that follows."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from tooling.figure import ANSWER_AFTER_FIRST_MOVE, Figure
from tooling.pages import ANSWERS_AFTER_MOVES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from builder.serving.serve import SiteServer

PAGE = "machine/"
MOVES = 25
PRICED, LAID_OUT = "price_per_gpu_hour", "gpus"  # a slider that no search depends on, and one that asks for it
# When the layout was known and its numbers were complete, and when the changes came.
FOLLOWED_AFTER_MOVES = """async ([input, moves]) => {
  const slider = document.querySelector(`[data-input="${input}"] [data-slider]`);
  const answer = document.querySelector(".answer");
  const searching = document.querySelector("p[data-searching]");
  const changes = document.querySelector("section[data-follows]:has([data-recommendations])");
  let last;
  const watch = new MutationObserver((seen) => {
    if (!seen.some(({ target }) => (target.parentElement ?? target).closest?.("[data-value]"))) return;
    last = performance.now();
  });
  watch.observe(answer, { subtree: true, childList: true, characterData: true });
  const until = (is) => new Promise((resolve) => {
    const end = performance.now() + 30000;
    const look = () => (is() || performance.now() > end ? resolve(performance.now()) : setTimeout(look, 2));
    look();
  });
  const times = [];
  for (let move = 0; move < moves; move++) {
    const before = slider.value;
    slider.value = Number(slider.min) + (0.2 + 0.6 * ((move * 0.618) % 1)) * (slider.max - slider.min);
    if (slider.value === before) continue; // nothing would change, and be waited for
    const start = performance.now();
    last = undefined;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await until(() => last !== undefined);
    const found = await until(() => searching.hidden);
    const numbers = last;
    const all = await until(() => !changes.hasAttribute("data-outdated"));
    times.push([Math.max(found, numbers) - start, all - start]);
  }
  return times;
}"""


def machine_times(browser: Browser, site: SiteServer) -> Iterator[Figure]:
    """Yield the 95th percentiles from an input event to the numbers, the layout, and the ten changes."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.goto(site.url + PAGE)
    page.evaluate(ANSWER_AFTER_FIRST_MOVE)

    def p95(script: str, input_name: str) -> list[float]:
        times: list[tuple[float, ...]] = page.evaluate(script, [input_name, MOVES])
        return [statistics.quantiles(each, n=20)[-1] for each in zip(*times, strict=True)]

    _, numbers, painted = p95(ANSWERS_AFTER_MOVES, PRICED)
    yield Figure("One machine: input to the last new number, no search, p95", numbers, "ms", 16)
    yield Figure("... to its painting", painted, "ms")
    yield Figure("... to its ten changes", p95(FOLLOWED_AFTER_MOVES, PRICED)[-1], "ms", 2000)
    numbers, _, _ = p95(ANSWERS_AFTER_MOVES, LAID_OUT)
    yield Figure("... to the first numbers where the layout is searched for, p95", numbers, "ms", 50)
    layout, changes = p95(FOLLOWED_AFTER_MOVES, LAID_OUT)
    yield Figure("... to those in the layout that is found", layout, "ms")
    yield Figure("... to its ten changes, the search included", changes, "ms", 2000)
    context.close()
