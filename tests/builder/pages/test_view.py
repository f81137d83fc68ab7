"""What a page shows of a calculator is what Python says of it."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from builder.cache import Cache
from builder.pages.render import Renderer
from builder.pages.view import _PATTERNS, View
from builder.theme.search import PLACEHOLDER
from calculators.catalog import CALCULATORS
from calculators.machine.description import machine


@pytest.mark.parametrize("name", CALCULATORS)
def test_the_sentence_on_the_page_is_the_one_that_is_spoken(name: str) -> None:
    view = View(CALCULATORS[name])
    texts, cells = view.answer["texts"], view.answer["cells"]
    message = {
        "text": lambda words: words,
        "choice": lambda choice: cells[f"answer.{choice}"],
        "band": lambda result: cells[f"band.{result}"],
        "aged": lambda result: cells[f"aged.{result}"],
    }
    parts = [message.get(kind, texts.__getitem__)(part) for kind, part in view.answer_parts()]
    assert "".join(parts) == view.answer["sentence"]


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", CALCULATORS)
def test_published_figures_are_read_through_by_source_and_none_is_lost(name: str) -> None:
    view = View(CALCULATORS[name])
    first, missed = view.first_cases(), view.first_misses()
    assert len(first) + len(missed) + view.more_published() == len(view.cases) + len(view.misses)
    sources = {row.url for row in view.cases}
    assert len({row.url for row in first}) == min(len(sources), len(first))


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", CALCULATORS)
def test_of_every_reason_for_a_miss_the_worst_is_on_the_page(name: str) -> None:
    view = View(CALCULATORS[name])
    shown = view.first_misses()
    assert len(shown) <= max(12, len({row.why for row in view.misses}))
    for row in view.misses:
        assert any(one.why == row.why and one.off >= row.off for one in shown)


@pytest.mark.daily(3)
def test_every_figure_that_a_calculator_is_compared_with_has_a_row_of_the_page_of_all(tmp_path: Path) -> None:
    renderer = Renderer(tmp_path, Cache())
    for view in renderer.views.values():
        rows = [*view.cases, *view.misses, *view.other_cases]
        page = renderer.html[PLACEHOLDER.findall(renderer._record(view))[0]]
        assert page.count('<th scope="row">') == len(rows)
        assert all(row.name in html.unescape(page) for row in rows)


def test_a_result_has_one_range_in_the_sentence(tmp_path: Path) -> None:
    """What inputs allow follows it in brackets, unless the sentence goes on with a range of its own."""
    renderer = Renderer(tmp_path, Cache())
    sentence = renderer.parts.get_template("calculator/result.html.j2").module.sentence_parts  # type: ignore[attr-defined]
    shown = {name for name, view in renderer.views.items() if "answer-likely" in sentence(view, with_working=True)}
    assert "checkpoint" in shown
    assert shown.isdisjoint({"training_memory", "storage_demand", "data_lifecycle", "inference"})


def test_no_two_parts_of_a_bar_look_the_same() -> None:
    css = (Path(__file__).parents[3] / "templates/browser/styles/tokens.css").read_text("utf-8")
    schemes = [dict(re.findall(r"--tone-(\w+): ([^;]+);", block)) for block in css.split("{")]
    assert len([tones for tones in schemes if tones]) > 1
    for calculator in (*CALCULATORS.values(), machine()):
        for picture in (calculator.picture, calculator.second_picture):
            for row in picture.rows if picture else ():
                names = [segment.tone for segment in row.segments]
                for tones in filter(None, schemes):
                    looks = {(tones.get(name, name), _PATTERNS.get(name)) for name in names}
                    assert len(looks) == len(names), (calculator.name, names)
