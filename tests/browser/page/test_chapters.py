"""Calculators inside chapters: they show the state the chapter speaks of, live as well, and leave its address alone."""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import pytest

from calculators.catalog import CALCULATORS
from tests.browser import reading
from tests.subjects.training.training_memory.answer_texts import answer_texts

if TYPE_CHECKING:
    from builder.serving.serve import SiteServer
    from tests.browser.conftest import Visit


@pytest.fixture
def chapters(site: SiteServer, site_pages: tuple[str, ...]) -> list[str]:
    """The pages with a calculator in a state of their own."""
    return [path for path in site_pages if b" data-given=" in site.files[path + "index.html"].body]


def test_a_chapter_prints_on_eight_sheets(visit: Visit) -> None:
    page = visit("guide/checkpointing/")
    assert reading.sheets(page) <= 8


def test_a_card_keeps_the_state_its_chapter_gives_it(live: Visit, chapters: list[str]) -> None:
    assert chapters
    for path in chapters:
        page = live(path)
        for place in page.locator("ai-calculator").all():
            name = place.get_attribute("data-calculator") or ""
            given = json.loads(place.get_attribute("data-given") or "{}")
            link = reading.ask(name, given, asks=["link"])["link"].partition("&v=")[0]
            for way in place.locator("a[data-full]").all():
                assert (way.get_attribute("href") or "").partition("#")[2] == link
            reading.await_answer(place, reading.ask(name, given))
        assert "#" not in page.url


def test_no_chapter_opens_a_model_beyond_what_it_is_made_for(site: SiteServer, site_pages: tuple[str, ...]) -> None:
    opened = 0
    for path in (path for path in site_pages if path.startswith("guide/")):
        page = html.unescape(site.files[path + "index.html"].body.decode())
        for name, link in re.findall(
            r'href="[^"#]*calculators/(kv-cache|inference|training-[a-z]+)/#([^"]+=[^"]*)"', page
        ):
            calculator = CALCULATORS[name.replace("-", "_")]
            given = {key: text for key, text in parse_qsl(link) if key in calculator.canonical_names}
            assert not {"context_beyond_positions", "beyond_positions"} & {*answer_texts(calculator, given)}, (
                path,
                link,
            )
            opened += 1
    assert opened


def test_moving_a_slider_of_a_card_starts_from_the_chapters_state(live: Visit, chapters: list[str]) -> None:
    for path in chapters:
        page = live(path)
        place = page.locator("ai-calculator[data-given]").first
        name = place.get_attribute("data-calculator") or ""
        given = json.loads(place.get_attribute("data-given") or "{}")
        before = reading.shown(place)
        slider = CALCULATORS[name].first_sliders[-1]
        stop = before["controls"][slider]["stop"]
        stop = stop - 1 if stop else 1
        chosen = reading.ask(name, given)["presets"]
        filling = {p.name: chosen[p.name] for p in CALCULATORS[name].presets if slider in p.fills}
        moved = {key: text for key, text in {**filling, **given}.items() if key != slider}
        reading.slide(place, slider, stop)
        reading.await_answer(place, reading.ask(name, moved, stops={slider: stop}))
        assert "#" not in page.url
