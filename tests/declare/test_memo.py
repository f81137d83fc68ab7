"""Stores have a limit, and 1 is not identical to 1.0."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from calculators.declare.memo import identical, store

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_a_whole_number_and_the_same_with_a_point_are_not_identical() -> None:
    nothing = float("nan")
    assert identical(1, 1)
    assert identical(nothing, nothing)
    assert not identical(1, 1.0)
    assert not identical(1, True)
    assert not identical("a", "b")


def test_the_oldest_is_dropped_first() -> None:
    known: dict[str, int] = {}
    for place, name in enumerate("abc"):
        assert store(known, name, place, 3) == place
    assert known == {"a": 0, "b": 1, "c": 2}
    store(known, "d", 3, 3)
    assert known == {"b": 1, "c": 2, "d": 3}


@pytest.fixture
def hurried() -> Iterator[None]:
    """Threads that take turns as often as can be."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("hurried")
def test_threads_that_store_at_once_do_not_drop_the_same_one_twice() -> None:
    known: dict[int, int] = {}

    def storing(lane: int) -> bool:
        return all(store(known, lane + 8 * turn, turn, 2) == turn for turn in range(5000))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(storing, range(8)))
    assert len(known) <= 8
