"""What a reader finds on a page: every number, word and bar of a calculator, and what Python says belongs there."""

from __future__ import annotations

import json
import re
import time
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from calculators.bridge import respond
from calculators.catalog import CALCULATORS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from playwright.sync_api import Locator, Page

NAMES = tuple(CALCULATORS)
PATIENCE_SECONDS = 60.0
START_SECONDS = 90.0  # the engine's, on a machine that is busy with other things

# Every text is what the reader sees: of the page's own elements, whatever the script believes to have written.
_READ = """root => {
  const all = (selector) => [...root.querySelectorAll(selector)];
  const by = (attribute, read) => {
    const found = {};
    for (const element of all(`[${attribute}]`)) (found[element.getAttribute(attribute)] ??= []).push(read(element));
    return found;
  };
  const text = (element) => (element?.textContent ?? "").replace(/\\s+/g, " ").trim();
  const attributes = (element, names) =>
    Object.fromEntries(
      names.filter((name) => element.hasAttribute(name)).map((name) => [name, element.getAttribute(name)]),
    );
  const part = (element, selector) => element.querySelector(selector);
  const said = () => {
    const sentence = part(root, ".answer")?.cloneNode(true);
    for (const follows of sentence?.querySelectorAll(".answer-likely, .against") ?? []) follows.remove();
    return text(part(root, ".answer [data-cell=unanswered]")) || text(sentence);
  };
  return {
    texts: by("data-value", (element) => element.textContent),
    also: by("data-also", (element) => element.textContent),
    python: by("data-python", (element) => element.textContent),
    verdicts: by("data-verdict", (element) => ({
      level: element.dataset.level,
      word: text(part(element, "[data-word]")),
      reason: text(part(element, "[data-reason]")),
    })),
    legend: by("data-legend", (element) => element.textContent),
    picture_note: part(root, "[data-picture-note]")?.textContent ?? null,
    levels: by("data-level-of", (element) => element.dataset.level),
    picture: by("data-place", (element) =>
      attributes(element, element.dataset.place === "limit" ? ["x1", "x2"] : ["x", "width"])),
    controls: Object.fromEntries(all("[data-input]").map((field) => {
      const slider = part(field, "[data-slider]");
      const problem = part(field, "[data-problem]");
      const box = part(field, "[data-box], [data-choice]");
      return [field.dataset.input, {
        box: box.value, origin: field.dataset.origin,
        word: text(part(field, "[data-origin-word]")), note: text(part(field, "[data-note]")),
        problem: problem.hidden ? "" : text(problem), invalid: box.getAttribute("aria-invalid") ?? "",
        ...(slider && { stop: slider.valueAsNumber, text: slider.getAttribute("aria-valuetext") }),
      }];
    })),
    presets: Object.fromEntries(all("[data-preset]").map((menu) => [menu.dataset.preset, menu.value])),
    sentence: said(),
    warnings: part(root, "[data-warnings]") && all("[data-warnings]:not([hidden]) li").map(text),
    notices: part(root, "[data-notices]") && all("[data-notices]:not([hidden]) li").map(text),
    figure: text(part(root, ".picture")) + all("[data-place]").map((e) => e.outerHTML).join(""),
    stale: root.hasAttribute("data-stale"),
    engine: root.dataset.engine,
  };
}"""

_SAYS = """root => {
  const answer = root.hasAttribute("data-stale") ? null : root.querySelector(".answer");
  const why = answer?.querySelector("[data-cell=unanswered]")?.textContent; // the sentence after it is hidden then
  const sentence = answer?.cloneNode(true);
  for (const follows of sentence?.querySelectorAll(".answer-likely, .against") ?? []) follows.remove();
  return (why || (sentence?.textContent ?? "")).replace(/\\s+/g, " ").trim();
}"""


def each_calculator(test: Callable[..., None]) -> Callable[..., None]:
    """Give a test the name of every calculator, one a day: their pages are of one program and one template."""
    tested: Callable[..., None] = pytest.mark.daily(len(NAMES))(pytest.mark.parametrize("name", NAMES)(test))
    return tested


def path_of(name: str) -> str:
    """The path of a calculator's own page below the site's address."""
    return f"calculators/{name.replace('_', '-')}/"


def calculator(page: Page, name: str) -> Locator:
    """The calculator of this name on a page."""
    return page.locator(f'ai-calculator[data-calculator="{name}"]')


def await_live(page: Page) -> None:
    """Wait until every calculator of the page says that it computes live."""
    expect(page.locator("ai-calculator").first).to_have_attribute("data-engine", "live", timeout=START_SECONDS * 1000)
    expect(page.locator('ai-calculator:not([data-engine="live"])')).to_have_count(0)


def await_links(page: Page) -> None:
    """Wait until the page follows links without being reloaded, which the theme does some time after the engine."""
    await_truth(page, "() => typeof window.isFirstPage === 'boolean'")


def ask(
    name: str, given: Mapping[str, str] | None = None, *, asks: Sequence[str] = ("answer",), **more: Any
) -> dict[str, Any]:
    """What Python says here, outside the browser, to what a page asks."""
    question = {
        "asks": list(asks),
        "calculator": name,
        **({"given": dict(given or {})} if "fragment" not in more else {}),
        **more,
    }
    answer: dict[str, Any] = json.loads(responded(json.dumps(question)))
    return answer


@cache
def responded(question: str) -> str:
    """What Python answers here; many tests ask the same, above all for a calculator as it is at first."""
    return respond(question)


def shown(place: Locator) -> dict[str, Any]:
    """Everything that is in a calculator on the page."""
    found: dict[str, Any] = look(place, _READ)
    return found


def look(there: Page | Locator, function: str, given: Any = None) -> Any:
    """What a function that changes nothing returns, in a page or with an element of it."""
    return getattr(there, "look", there.evaluate)(function, given)  # core/tab.py has one of its own


def wanted(answer: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """What should be in the places that a calculator on the page has, according to an answer of Python's."""

    def repeated(kind: str, not_applicable: str | None = None) -> dict[str, list[Any]]:
        places: Mapping[str, list[Any]] = found[kind]
        return {name: [answer[kind].get(name, not_applicable)] * len(there) for name, there in places.items()}

    fine = {"problem": "", "invalid": ""}
    levels = {name: verdict["level"] for name, verdict in answer["verdicts"].items()} | answer.get("levels", {})
    return {
        "texts": repeated("texts"),
        "also": repeated("also", ""),
        "python": repeated("python"),
        "verdicts": repeated("verdicts"),
        "picture": repeated("picture"),
        "legend": repeated("legend"),
        "picture_note": None if found["picture_note"] is None else answer["picture_note"],
        "levels": {name: [levels[name]] * len(there) for name, there in found["levels"].items()},
        "controls": {
            name: {key: part for key, part in {**answer["controls"][name], **fine}.items() if key in there}
            for name, there in found["controls"].items()
        },
        "presets": {name: answer["presets"][name] for name in found["presets"]},
        "sentence": answer["sentence"],
        "warnings": None if found["warnings"] is None else answer["warnings"],
        "stale": False,
    }


def await_answer(place: Locator, answer: Mapping[str, Any], *, but: tuple[str, ...] = ()) -> dict[str, Any]:
    """Wait until a calculator on the page shows all of an answer, boxes and sliders too; fail with what differs."""
    until = time.monotonic() + PATIENCE_SECONDS
    while "sentence" not in but and time.monotonic() < until and look(place, _SAYS) != answer["sentence"]:
        place.page.wait_for_timeout(20)  # reading all of it again and again would keep the page from getting there
    while True:
        found = shown(place)
        should = {kind: what for kind, what in wanted(answer, found).items() if kind not in but}
        does = {kind: found[kind] for kind in should}
        if does == should:
            return found
        assert time.monotonic() < until, f"the page never showed Python's answer: {different(does, should)}"
        place.page.wait_for_timeout(20)


def different(does: Mapping[str, Any], should: Mapping[str, Any]) -> dict[str, Any]:
    """What is on the page and what should be, where they are not the same."""
    apart = {kind: (there, should[kind]) for kind, there in does.items() if there != should[kind]}
    return {
        kind: {name: (one, wish.get(name)) for name, one in there.items() if one != wish.get(name)}
        if isinstance(there, dict)
        else (there, wish)
        for kind, (there, wish) in apart.items()
    }


_FONTS_CAME = """() => {
    const states = new Set([...document.fonts].map((font) => font.status));
    return !states.has("loading") && (states.has("loaded") || states.has("error"));
}"""


def sheets(page: Page, paper: str = "A4") -> int:
    """Sheets of a page as it is printed now, with its own fonts unless they cannot be had: others are wider."""
    await_truth(page, _FONTS_CAME)
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper)))


def await_truth(page: Page, expression: str, given: Any = None, patience: float = PATIENCE_SECONDS) -> None:
    """Wait until a function in the page says true. Playwright's own `wait_for_function` breaks the content policy."""
    until = time.monotonic() + patience
    while not look(page, expression, given):
        assert time.monotonic() < until, f"never true: {expression} ({given})"
        page.wait_for_timeout(20)


def await_here(page: Page, is_so: Callable[[], object]) -> None:
    """Wait until something is so on this side, such as a request that was noted, while the page goes on."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < until, "it never came"
        page.wait_for_timeout(20)


def listen(place: Locator) -> None:
    """Note from now on all that a screen reader announces, since the next sentence may soon take its place."""
    place.evaluate(
        """root => {
            window.heard = [];
            const spoken = root.querySelector("[data-sentence]");
            const note = () => window.heard.push(spoken.textContent);
            new MutationObserver(note).observe(spoken, {childList: true, characterData: true, subtree: true});
        }"""
    )


def await_heard(place: Locator, text: str) -> None:
    """Wait until a sentence with this text was announced since `listen`."""
    await_truth(place.page, "text => window.heard.some(said => said.includes(text))", text)


def type_in(place: Locator, name: str, text: str) -> Locator:
    """Type into an input's box, letter by letter, and leave it there."""
    box = place.locator(f'[data-input="{name}"] [data-box]')
    unfold(box)
    box.fill("")
    box.press_sequentially(text)
    return box


def open_groups(place: Locator) -> None:
    """Open every folded group of inputs, so that what is in it can be reached."""
    place.evaluate("root => { for (const group of root.querySelectorAll('details.group')) group.open = true; }")


def open_all(place: Locator) -> None:
    """Open all folds of a calculator except the explore panel, which would ask the engine; wait for their content."""
    place.evaluate(
        """async root => {
            for (const fold of root.querySelectorAll("details:not([data-review])")) fold.open = true;
            while (root.querySelector("details > noscript")) await new Promise((done) => setTimeout(done, 10));
        }"""
    )


def unfold(control: Locator) -> None:
    """Open the groups that a control is in, and no others: what is folded away costs nothing to draw."""
    control.evaluate(
        """control => {
            for (let group = control.closest("details"); group; group = group.parentElement.closest("details"))
                group.open = true;
        }"""
    )


def slide(place: Locator, name: str, stop: int) -> None:
    """Move an input's slider to one of its stops."""
    slider = place.locator(f'[data-input="{name}"] [data-slider]')
    unfold(slider)
    slider.fill(str(stop))


def drag(place: Locator, name: str, stops: Sequence[int]) -> None:
    """Drag an input's slider over these stops and let it go at the last, in less time than a hand takes."""
    slider = place.locator(f'[data-input="{name}"] [data-slider]')
    unfold(slider)
    slider.evaluate(
        """(slider, stops) => {
            for (const stop of stops) {
                slider.value = stop;
                slider.dispatchEvent(new Event("input", {bubbles: true}));
            }
            slider.dispatchEvent(new Event("change", {bubbles: true}));
        }""",
        list(stops),
    )


def choose(place: Locator, name: str, option: str) -> None:
    """Choose one of an input's options."""
    menu = place.locator(f'[data-input="{name}"] [data-choice]')
    unfold(menu)
    menu.select_option(option)


def box(place: Locator, name: str) -> Locator:
    """An input's text box."""
    return place.locator(f'[data-input="{name}"] [data-box]')


def await_differences(place: Locator) -> None:
    """Wait until what differs in a link is under its answer: what is below moves down for it, under a mouse too."""
    expect(place.locator("[data-differences]")).to_be_visible()


def button(place: Locator, name: str) -> Locator:
    """A button by what is on it."""
    return place.get_by_role("button", name=name, exact=True)
