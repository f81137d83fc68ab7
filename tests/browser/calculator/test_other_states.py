"""A state that is not computed yet, cannot be, or is wrong: no number of another state is in sight, whatever prints it.

Which texts depend on the state is not listed here: it is what differs between two states of the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from calculators.catalog import CALCULATORS
from tests.browser import reading
from tooling import browsers

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

    from builder.serving.serve import SiteServer
    from tests.browser.conftest import Visit

_OPEN = "root => { for (const one of root.querySelectorAll('details:not([data-review])')) one.open = true; }"
# Every text with a digit, by its element's place in the calculator: the text, and whether it is in sight.
_TEXTS = """root => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), found = {};
  while (walker.nextNode()) {
    const {data, parentElement} = walker.currentNode;
    if (!/[0-9]/.test(data) || parentElement.closest("script, style, noscript, template")) continue;
    let path = "";
    for (let one = parentElement; one !== root; one = one.parentElement)
      path = `${one.localName}${[...one.parentElement.children].indexOf(one)} ${path}`;
    found[path] = [(found[path]?.[0] ?? "") + data.trim(), parentElement.checkVisibility({visibilityProperty: true})];
  }
  return found;
}"""
Texts = dict[str, tuple[str, bool]]
only_chromium = pytest.mark.skipif(
    browsers.chosen() != "chromium", reason="only there Playwright sees a worker's requests"
)


def place_of(page: Page, name: str) -> Locator:
    return page.locator(f'ai-calculator[data-calculator="{name}"]').first


def path_of(name: str) -> str:
    return reading.path_of(name)


def other_state(name: str) -> str:
    """The link of a state in which the first sliders are elsewhere."""
    given = reading.ask(name, stops=dict.fromkeys(CALCULATORS[name].first_sliders[:4], 7))["given"]
    return "&".join(f"{key}={text.replace(' ', '').replace('%', '%25')}" for key, text in given.items())


def texts_of(place: Locator) -> Texts:
    place.evaluate(_OPEN)
    place.page.wait_for_timeout(300)  # what is unfolded comes to the page, and is filled
    found: dict[str, Any] = place.evaluate(_TEXTS)
    return {path: (text, in_sight) for path, (text, in_sight) in found.items()}


def await_all(place: Locator) -> None:
    """Wait for the answer and everything that follows it."""
    reading.await_truth(
        place.page,
        """name => {
          const root = document.querySelector(`ai-calculator[data-calculator="${name}"]`);
          return root.dataset.of === root.dataset.state && !root.hasAttribute("data-exploring")
            && !root.querySelector("[data-outdated]");
        }""",
        place.get_attribute("data-calculator"),
    )


def strange(shown: Texts, default: Texts, other: Texts) -> list[str]:
    """The texts in sight that are the default's and differ in the other state."""
    moved = {path for path, (text, _) in default.items() if path in other and other[path][0] != text}
    assert len(moved) > 10, "the other state hardly differs"
    return [text for path, (text, in_sight) in shown.items() if in_sight and path in moved and text == default[path][0]]


@only_chromium
@pytest.mark.expects_problems("")
@reading.each_calculator
def test_no_number_of_another_state_is_in_sight(live: Visit, browser: Browser, site: SiteServer, name: str) -> None:
    page = live(path_of(name))
    place = place_of(page, name)
    place.locator("[data-box]").first.focus()
    place.evaluate(_OPEN)
    await_all(place)
    default = texts_of(place)
    link = other_state(name)
    page.evaluate("link => { location.hash = link; }", link)
    page.wait_for_timeout(300)
    await_all(place)
    other = texts_of(place)
    key, _, _ = link.partition("=")
    page.evaluate("link => { location.hash = link; }", f"{key}=nonsense")
    expect(place.locator("[data-pending-text]")).to_contain_text("cannot be computed")
    refused = texts_of(place)
    assert strange(refused, default, other) == []
    assert strange(refused, other, default) == []

    held: list[Route] = []
    for how in ("pending", "failed"):
        context = browser.new_context(service_workers="block")
        if how == "pending":
            context.route("**/*.wasm*", lambda route: held.append(route))  # noqa: PLW0108  Playwright wants a function
        else:
            context.route("**/engine/**", lambda route: route.abort())
        tab = context.new_page()
        tab.goto(f"{site.url}{path_of(name)}#{link}")
        there = place_of(tab, name)
        expect(there).to_have_attribute("data-engine", "failed" if how == "failed" else "downloading")
        assert strange(texts_of(there), default, other) == [], how
        context.close()
