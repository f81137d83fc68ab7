"""axe-core finds nothing on any kind of page: light and dark, wide and narrow, before and after the engine is live."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import expect

from tests.browser import reading

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import BrowserContext, Page

    from builder.serving.serve import SiteServer
    from tests.browser.conftest import Visit

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
# Together they have every kind of part that any page has (a test below): their colors are looked at too.
COLORED = [
    "",
    "calculators/",
    *(reading.path_of(name) for name in ("checkpoint", "collectives", "fabric", "inference", "power")),
    "machine/",
    "numbers/",
    "numbers/cost/",
    "records/",
    "own-facts/",
    "offers/",
    "print/",
    "guide/",
    *(f"guide/{name}/" for name in ("failure", "inference", "schedulers", "acceptance")),
]
KINDS = [
    *COLORED,
    *(path for name in reading.NAMES if (path := reading.path_of(name)) not in COLORED),
    "calculators/checkpoint/published/",
    "numbers/storage/",
    "about/",
]
LOOKS = [("light", 1440), ("light", 390), ("dark", 390)]
STRUCTURE = [("light", 390)]  # the narrow look has all that the wide one has, and fingers
_BENCH_STANDS = """() => {
    const folds = [...document.querySelectorAll("details[data-review]:not([data-review=compare])")];
    return folds.every((fold) => fold.querySelector(".review-summary")?.textContent);
}"""
_BOTH_TABS = "() => { for (const part of document.querySelectorAll('[data-part]')) part.removeAttribute('hidden'); }"
_RUN = """async (rules) => {
    const {violations} = await axe.run({resultTypes: ["violations"], ...rules});
    return violations.map(({id, help, nodes}) => `${id}: ${help}\\n` + nodes.slice(0, 4).map(
        ({html, failureSummary}) => `  ${html.slice(0, 160)}\\n  ${failureSummary}`).join("\\n"));
}"""


@cache
def axe() -> str:
    """The library's source."""
    return AXE.read_text(encoding="utf-8")


# What a finger can hit is a rule that axe leaves out unless asked.
ALL: Mapping[str, object] = {"rules": {"target-size": {"enabled": True}}}
# By name: chosen by their category there would be one that asks for the strictest level, which axe leaves out as well.
_COLORS = ("color-contrast", "link-in-text-block")
OF_COLORS: Mapping[str, object] = {"runOnly": {"type": "rule", "values": _COLORS}}
BUT_COLORS: Mapping[str, object] = {
    "rules": {"target-size": {"enabled": True}, **{rule: {"enabled": False} for rule in _COLORS}}
}


# Drawn lines, gaps and marks without text, and elements that look as their container does.
NO_COLOR_OF_ITS_OWN = {"tspan", "use", "marker", ".f-arrowhead"}
# Formulas are tens of thousands of elements, steps and rows hundreds, made alike on every page: one page with all of
# them will do, in one look.
_LIGHTER = """() => {
    const alike = "math, :is(.cases, .results, .inputs-table) tbody tr:nth-child(n+6), details.step:nth-of-type(n+20), "
        + ".numbers-group li:nth-child(n+6), .book-chapter:nth-of-type(n+2)";
    for (const part of document.querySelectorAll(alike)) part.remove();
}"""


def violations(page: Page, rules: Mapping[str, object] = ALL) -> str:
    """What axe finds, for people to read."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(axe())
    return "\n".join(page.evaluate(_RUN, rules))


def dressed(page: Page, scheme: str, width: int, *, panel: bool = False, lighter: bool = False) -> Page:
    """The page in a color scheme and a width, everything unfolded; with `panel` also the explore panel."""
    if lighter:
        page.evaluate(_LIGHTER)  # before all of it is folded out, and after
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate(_BOTH_TABS)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]  # one of two words
    # The theme looks at the system's wish once, when the first page opens; after that its own switch counts.
    page.evaluate("place => document.getElementById(`__palette_${place}`).click()", int(scheme == "dark"))
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate" if scheme == "dark" else "default")
    folds = "article details" if panel else "article details:not([data-review])"
    page.evaluate("folds => { for (const folded of document.querySelectorAll(folds)) folded.open = true; }", folds)
    expect(page.locator("details > noscript")).to_have_count(0)
    if lighter:
        page.evaluate(_LIGHTER)
    if panel:
        reading.await_truth(page, _BENCH_STANDS)
    return page


def found_in_all_looks(page: Page, *, whole: bool = True, colored: bool = True) -> dict[tuple[str, int], str]:
    """Violations that axe finds in each look (dark: colors only); `whole`: with explore panel and all cases."""
    found = dict.fromkeys(LOOKS, "")
    for scheme, width in LOOKS if colored else STRUCTURE:
        lighter = not whole or (scheme, width) != LOOKS[0]
        rules = OF_COLORS if scheme == "dark" else ALL if colored else BUT_COLORS
        found[scheme, width] = violations(dressed(page, scheme, width, panel=whole, lighter=lighter), rules)
    return found


@pytest.mark.parametrize("path", KINDS)
def test_axe_finds_nothing(live: Visit, path: str) -> None:
    calculators = set(map(reading.path_of, reading.NAMES)) - {reading.path_of("checkpoint")}
    # Elsewhere are explore panel, guide chapters and rows of facts that are made as on these pages.
    one_of_many = path in {*calculators, "machine/", "numbers/", "print/"}
    found = found_in_all_looks(live(path), whole=not one_of_many, colored=path in COLORED)
    assert found == dict.fromkeys(LOOKS, "")


class Parts(HTMLParser):
    """The classes and elements of a page's article, formulas left out."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._formulas = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._formulas += tag == "math"
        if not self._formulas:
            self.found |= {tag, *(f".{name}" for name in (dict(attrs).get("class") or "").split())}

    def handle_endtag(self, tag: str) -> None:
        self._formulas -= tag == "math"


def test_every_kind_of_part_is_on_a_page_whose_colors_are_looked_at(
    site: SiteServer, site_pages: tuple[str, ...]
) -> None:
    looked_at, missing = set[str](), {}
    for path in sorted(site_pages, key=lambda path: path not in COLORED):
        parts = Parts()
        whole = site.files[f"{path}index.html"].body.decode()
        parts.feed(whole[whole.index("<article") : whole.index("</article>")])
        if path in COLORED:
            looked_at |= parts.found
        elif new := parts.found - looked_at - NO_COLOR_OF_ITS_OWN:
            missing[path] = new
    assert looked_at
    assert missing == {}


def test_axe_finds_nothing_before_the_engine_is_live(context: BrowserContext, visit: Visit) -> None:
    context.add_init_script("Object.defineProperty(navigator, 'connection', {value: {saveData: true}});")
    page = visit(reading.path_of("training_memory"))
    assert found_in_all_looks(page, whole=False) == dict.fromkeys(LOOKS, "")
    expect(page.locator("ai-calculator")).to_have_attribute("data-engine", "idle")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_while_something_is_wrong(live: Visit, scheme: str) -> None:
    """Wrong inputs, greyed results, notices of a bad link, a verdict that is bad, advice, warnings."""
    link = "#model=llama-3-1-405b&tensor_parallel=4&colour=red"
    page = live(reading.path_of("training_memory") + link)
    rules = ALL if scheme == "light" else OF_COLORS
    place = reading.calculator(page, "training_memory")
    expect(place.locator("[data-recommendations] button").first).to_be_enabled()
    expect(place.locator("[data-notices]")).to_be_visible()
    assert violations(dressed(page, scheme, 1440, lighter=True), rules) == ""
    reading.type_in(place, "micro_batch", "none").press("Tab")
    expect(place.locator("[data-problem]:visible")).to_have_count(1)
    assert violations(page, rules) == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_page_for_addresses_that_lead_nowhere(visit: Visit, scheme: str) -> None:
    assert violations(dressed(visit("no/such/page"), scheme, 1440)) == ""


test_axe_finds_nothing_on_the_page_for_addresses_that_lead_nowhere = pytest.mark.expects_problems(r"404.*no/such/page")(
    test_axe_finds_nothing_on_the_page_for_addresses_that_lead_nowhere
)


_SCHEMES = """self.schemes = [];
const look = () => {
    if (document.querySelector(".md-header")) self.schemes.push(document.body.dataset.mdColorScheme);
    requestAnimationFrame(look);
};
requestAnimationFrame(look);"""


@pytest.mark.parametrize(("system", "scheme"), [("dark", "slate"), ("light", "default")])
def test_the_first_picture_of_a_first_visit_is_as_light_or_dark_as_the_system(
    context: BrowserContext, page: Page, visit: Visit, system: Literal["dark", "light"], scheme: str
) -> None:
    page.emulate_media(color_scheme=system)
    context.add_init_script(_SCHEMES)
    visit("machine/")
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", scheme)
    assert {*page.evaluate("() => self.schemes")} == {scheme}
