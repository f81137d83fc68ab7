"""Stores have a limit, and 1 is not identical to 1.0."""

from __future__ import annotations

from calculators.declare.memo import identical, store


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
