"""Memory: what was made last is given again only for the same, and what is kept has its bounds."""

from __future__ import annotations

import pytest

from calculators.declare.memory import Memory, alike, remember


@pytest.mark.parametrize("same", [("b", 2), ("b", 3), ("a", 2), ("a", 4), ("b", 2, 0)])
def test_what_was_made_from_anything_else_is_made_anew(same: tuple[object, ...]) -> None:
    made: list[tuple[object, ...]] = []

    def make(*asked: object) -> int:
        made.append(asked)
        return len(made)

    memory = Memory(make)
    assert memory("one", "a", 3) == 1
    assert memory("one", "a", 3) == 1
    assert memory("one", *same) == 2
    assert memory("one", *same) == 2
    assert memory("one", "a", 3) == 3  # only the last is kept
    assert made == [("one", "a", 3), ("one", *same), ("one", "a", 3)]


def test_each_name_has_a_memory_of_its_own() -> None:
    memory = Memory(lambda name, value: f"{name} of {value}")
    assert [memory(name, 1) for name in ("one", "other", "one")] == ["one of 1", "other of 1", "one of 1"]


def test_a_whole_number_and_the_same_with_a_point_are_not_alike() -> None:
    nothing = float("nan")
    assert alike(1, 1)
    assert alike(nothing, nothing)
    assert not alike(1, 1.0)
    assert not alike(1, True)
    assert not alike("a", "b")


def test_what_was_found_first_is_forgotten_first() -> None:
    known: dict[str, int] = {}
    for place, name in enumerate("abc"):
        remember(known, name, place, 3)
    assert known == {"a": 0, "b": 1, "c": 2}
    remember(known, "d", 3, 3)
    assert known == {"b": 1, "c": 2, "d": 3}
