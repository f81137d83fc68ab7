"""Formulas with numbers in them, by hand: constants as readers see them, options by name, entries of a table."""

from __future__ import annotations

import pytest

from calculators.answers import explain
from calculators.declare import Calculator, choice, step
from calculators.units import DAY, GIB
from tests.declare.test_declare import doubled, inputs_of, quadrupled, sized, toy

SHARE, MANY, HOUR = 0.25, 1_000_000, 60.0
FAST = ("tree", "ring")
SPEEDS = {"tree": 1.5, "ring": 2, "star": None}
WORDS = {"tree": "a tree"}
ALWAYS = True


@step("s", "A time")
def time(size: float) -> float:
    return size * DAY + SHARE * MANY


@step("B", "A speed")
def speed(way: str, size: float) -> float:
    return SPEEDS[way] * size if way in FAST else GIB  # type: ignore[operator]


@step("B", "Looked up twice")
def twice(size: float, way: str) -> float:
    return size + SPEEDS[way] + len(WORDS[way])  # type: ignore[operator]


@step("s", "An hour that is none")
def hour(size: float) -> float:
    return size * HOUR if ALWAYS else size


def calculator() -> Calculator:
    ways = choice("tree", "Way", {"tree": "a tree", "ring": "a ring", "star": "a star"})
    return toy(inputs_of(size=sized(), way=ways), time, speed, twice, hour, doubled, quadrupled)


def report(name: str, way: str) -> str:
    one = calculator()
    return explain.substituted(one, one.steps[name], {"size": "4 B", "way": way})


def test_the_chain_to_a_result_is_what_it_needs_itself_last() -> None:
    one = calculator()
    assert [formula.name for formula in explain.formulas_behind(one, "quadrupled")] == ["doubled", "quadrupled"]
    assert [formula.name for formula in explain.formulas_behind(one, "doubled")] == ["doubled"]


def test_constants_are_read_as_readers_do_and_a_yes_is_no_number() -> None:
    steps = calculator().steps
    assert explain.constants(steps["time"]) == {"DAY": "1 day", "MANY": "1,000,000", "SHARE": "0.25"}
    assert explain.constants(steps["speed"]) == {"GIB": "1 GiB"}
    assert explain.constants(steps["hour"]) == {"HOUR": "60"}  # another hour than that of units
    assert explain.constants(steps["doubled"]) == {}
    assert explain.lists(steps["speed"]) == {"FAST": ("tree", "ring")}
    assert explain.lists(steps["time"]) == {}


@pytest.mark.parametrize(
    ("name", "way", "text"),
    [
        ("time", "tree", "4 B * 1 day + 0.25 * 1,000,000"),
        ("hour", "tree", "4 B * 60 if ALWAYS else 4 B"),
        ("speed", "tree", "1.5 * 4 B if 'tree' in ('tree', 'ring') else 1 GiB"),
        ("speed", "ring", "2 * 4 B if 'ring' in ('tree', 'ring') else 1 GiB"),
        ("speed", "star", "SPEEDS['star'] * 4 B if 'star' in ('tree', 'ring') else 1 GiB"),
        ("twice", "tree", "4 B + 1.5 + len(WORDS['tree'])"),
    ],
)
def test_a_formula_has_the_present_values_in_it(name: str, way: str, text: str) -> None:
    """A table's entry for an option is its number, where it is one."""
    assert report(name, way) == text


def test_every_digit_of_a_number_is_reported() -> None:
    assert [explain.number(value) for value in (1234567, 0.1, 1234.5678, 1 / 3)] == [
        *("1,234,567", "0.1", "1,234.5678", "0.3333333333"),
    ]


def test_a_formula_without_values_has_its_names() -> None:
    assert explain.symbolic(calculator().steps["time"]) == "size * DAY + SHARE * MANY"
