"""What a page shows of a calculator is what Python says of it."""

from __future__ import annotations

import pytest

from builder.pages.view import View
from calculators.catalog import CALCULATORS


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
