"""Calculators inside chapters: they show the state the chapter speaks of, live as well, and leave its address alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from calculators.catalog import CALCULATORS
from tests.browser import reading

if TYPE_CHECKING:
    from builder.serve import SiteServer
    from tests.browser.conftest import Visit


@pytest.fixture
def chapters(site: SiteServer, site_pages: tuple[str, ...]) -> list[str]:
    """The pages with a calculator in a state of their own."""
    return [path for path in site_pages if b" data-given=" in site.files[path + "index.html"].body]


def test_a_card_keeps_the_state_its_chapter_gives_it(live: Visit, chapters: list[str]) -> None:
    assert chapters
    for path in chapters:
        page = live(path)
        for place in page.locator("ai-calculator").all():
            name = place.get_attribute("data-calculator") or ""
            given = json.loads(place.get_attribute("data-given") or "{}")
            link = reading.ask(name, given, what="explore")["link"]
            # The way to the full page carries the state as soon as the engine has seen it.
            reading.await_truth(
                page, "link => [...document.querySelectorAll('a[data-full]')].some(a => a.hash === (link && '#' + link))", link
            )
            reading.await_answer(place, reading.ask(name, given))
        assert "#" not in page.url


def test_moving_a_slider_of_a_card_starts_from_the_chapters_state(live: Visit, chapters: list[str]) -> None:
    page = live(chapters[0])
    place = page.locator("ai-calculator[data-given]").first
    name = place.get_attribute("data-calculator") or ""
    given = json.loads(place.get_attribute("data-given") or "{}")
    before = reading.shown(place)
    slider = next(one for one in CALCULATORS[name].first_sliders if one not in given)
    filling = {p.name: before["presets"][p.name] for p in CALCULATORS[name].presets if slider in p.fills}
    stop = before["controls"][slider]["stop"] - 1
    reading.slide(place, slider, stop)
    reading.await_answer(place, reading.ask(name, {**filling, **given}, stops={slider: stop}))
    assert "#" not in page.url
