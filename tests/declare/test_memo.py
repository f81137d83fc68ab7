"""Memos: the last value is reused for the same arguments only, and stores have their limits."""

from __future__ import annotations

import pytest

from calculators.declare.memo import Memo, identical, store


@pytest.mark.parametrize("same", [("b", 2), ("b", 3), ("a", 2), ("a", 4), ("b", 2, 0)])
def test_what_was_made_from_anything_else_is_made_again(same: tuple[object, ...]) -> None:
    made: list[tuple[object, ...]] = []

    def make(*arguments: object) -> int:
        made.append(arguments)
        return len(made)

    memo = Memo(make)
    assert memo("one", "a", 3) == 1
    assert memo("one", "a", 3) == 1
    assert memo("one", *same) == 2
    assert memo("one", *same) == 2
    assert memo("one", "a", 3) == 3  # only the last is kept
    assert made == [("one", "a", 3), ("one", *same), ("one", "a", 3)]


def test_each_name_has_a_memo_of_its_own() -> None:
    memo = Memo(lambda name, value: f"{name} of {value}")
    assert [memo(name, 1) for name in ("one", "other", "one")] == ["one of 1", "other of 1", "one of 1"]


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
        store(known, name, place, 3)
    assert known == {"a": 0, "b": 1, "c": 2}
    store(known, "d", 3, 3)
    assert known == {"b": 1, "c": 2, "d": 3}
