"""What a page shows of a calculator is what Python says of it."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import pytest

from builder.memory import Memory
from builder.pages.shortcuts import _HELD
from builder.pages.stage import Stage
from builder.pages.view import View
from calculators.catalog import CALCULATORS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", CALCULATORS)
def test_the_sentence_on_the_page_is_the_one_that_is_spoken(name: str) -> None:
    view = View(CALCULATORS[name])
    texts, cells = view.answer["texts"], view.answer["cells"]
    said = {
        "text": lambda words: words,
        "choice": lambda choice: cells[f"answer.{choice}"],
        "band": lambda result: cells[f"band.{result}"],
    }
    parts = [said.get(kind, texts.__getitem__)(part) for kind, part in view.answer_parts()]
    assert "".join(parts) == view.answer["sentence"]


@pytest.mark.parametrize("name", CALCULATORS)
def test_published_figures_are_read_through_by_source_and_none_is_lost(name: str) -> None:
    view = View(CALCULATORS[name])
    first, more = view.first_cases(), view.more_cases()
    assert sorted(map(repr, [*first, *more])) == sorted(map(repr, view.cases))
    sources = {row.url for row in view.cases}
    assert len({row.url for row in first}) == min(len(sources), len(first))


def test_every_figure_that_a_calculator_is_held_against_has_a_row_of_the_page_of_all(tmp_path: Path) -> None:
    stage = Stage(tmp_path, Memory())
    for view in stage.views.values():
        rows = [*view.cases, *view.misses, *view.other_cases]
        page = stage.held[_HELD.findall(stage._record(view))[0]]
        assert page.count('<th scope="row">') == len(rows)
        assert all(row.name in html.unescape(page) for row in rows)
