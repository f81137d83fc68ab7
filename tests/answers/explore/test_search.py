"""A search: what it finds, whether it is run to its end, run in slices or made part of a longer one."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers.explore.search import Pauses, search


@search
def counting(pauses: int) -> Pauses[str]:
    """A search with so many pauses."""
    for _ in range(pauses):
        yield
    return f"found after {pauses}"


@search
def both(first: int, second: int) -> Pauses[list[str]]:
    one = yield from counting(first)
    other = yield from counting(second)
    return [one, other]


@pytest.mark.parametrize("pauses", [0, 3])
def test_a_search_finds_the_same_at_once_and_in_slices(pauses: int) -> None:
    def page() -> Any:
        found.append((yield from counting(pauses).slices()))

    found: list[str] = []
    assert list(page()) == [{}] * pauses
    assert found == [counting(pauses).run()] == [f"found after {pauses}"]


def test_a_search_that_is_part_of_another_pauses_with_it() -> None:
    assert list(both(2, 3)) == [None] * 5
    assert both(2, 3).run() == ["found after 2", "found after 3"]


def test_a_search_keeps_its_name_and_description() -> None:
    assert counting.__name__ == "counting"
    assert counting.__doc__ == "A search with so many pauses."
