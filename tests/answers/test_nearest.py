"""Nearest edges that are not sought again: each against a search of its own, over states that follow one another."""

from __future__ import annotations

import itertools
import random
from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any

import pytest

from calculators.answers.explore import margins
from calculators.answers.explore.nearest import seek_nearest
from calculators.answers.explore.trials import finished
from calculators.answers.resolve import settled
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError, Quantity, Values, Verdict, computed, constraint, verdict
from tests.declare.test_declare import doubled, inputs_of, sized, toy
from tests.readers import few

WITH_VERDICTS = sorted(name for name, calculator in CALCULATORS.items() if calculator.of_role("verdict"))
STATES = 4


def verdicts_of(calculator: Calculator) -> list[str]:
    return [formula.name for formula in calculator.of_role("verdict")]


Found = list[Any]


def told(search: Generator[None, None, Any], found: Found) -> Iterator[None]:
    """The search, trial by trial, and what it found once it ends."""
    found.append((yield from search))


def walk(calculator: Calculator) -> list[Values]:
    """States each of which differs from the one before in an input or two, as a reader changes them, pins and all."""
    chance = random.Random(calculator.name)  # noqa: S311  the same every time, not secret
    given: dict[str, str] = {}
    found: list[Values] = []
    while len(found) < STATES:
        moved = few(calculator, chance, 2)
        tried = {**given, **{name: calculator.inputs[name].box(value) for name, value in moved.items()}}
        try:
            found.append(calculator.evaluate(settled(calculator, tried).settled))
        except InputError:
            continue
        given = tried
    return found


@pytest.mark.parametrize("name", WITH_VERDICTS)
def test_edges_that_are_not_sought_again_are_what_a_new_search_finds(name: str) -> None:
    calculator = replace(CALCULATORS[name])
    verdicts = verdicts_of(calculator)
    for values in walk(calculator):
        found = finished(seek_nearest(calculator, values, verdicts))
        anew, _ = finished(margins.seek(calculator, values, verdicts))
        assert found == anew


@pytest.mark.parametrize("name", WITH_VERDICTS)
def test_searches_that_are_broken_off_and_go_on_beside_others_find_the_same(name: str) -> None:
    """What was tried in one state serves the next, wherever its search stopped."""
    calculator = replace(CALCULATORS[name])
    verdicts = verdicts_of(calculator)
    chance = random.Random(name)  # noqa: S311  the same every time, not secret
    under_way: list[tuple[Iterator[None], Found, Found]] = []
    for values in walk(calculator):
        anew: Found = []
        found: Found = []
        deque(told(margins.seek(calculator, values, verdicts), anew), maxlen=0)
        under_way.append((told(seek_nearest(calculator, values, verdicts), found), found, anew))
        for search, *_ in under_way:
            deque(itertools.islice(search, chance.randrange(150)), maxlen=0)
    for search, found, anew in under_way:
        deque(search, maxlen=0)
        assert found == [anew[0][0]]


def tried(calculator: Calculator, values: Values) -> int:
    """How many trials the edges of its verdicts take; a search pauses after each."""
    return sum(1 for _ in seek_nearest(calculator, values, verdicts_of(calculator)))


def test_a_verdict_is_sought_again_only_where_something_it_hangs_on_changed() -> None:
    """Whether reloading pays does not hang on how many requests come; the other three verdicts do."""
    calculator = replace(CALCULATORS["inference"])
    start = calculator.evaluate({})
    at_first = tried(calculator, start)
    assert tried(calculator, start) == 0
    more = calculator.evaluate({"request_rate": 9.0})
    others = [name for name in verdicts_of(calculator) if name != "offload_pays_off"]
    assert 0 < tried(calculator, more) == sum(1 for _ in seek_nearest(replace(calculator), more, others)) < at_first
    assert tried(calculator, calculator.evaluate({"request_rate": 9.0, "offload_bandwidth": 1e9})) > 0


@verdict("Heavy?")
def heavy(weight: float) -> Verdict:
    return Verdict(level="bad" if weight > 40 else "good", word="heavy" if weight > 40 else "light")


@constraint("weight")
def below_the_limit(weight: float, limit: float) -> str:
    return "too heavy" if weight > limit else ""


def scale(weight: object) -> Calculator:
    """A toy whose weight is stated so; what it may be at most moves no verdict but refuses weights."""
    own = {"size": sized(default=15.0), "limit": sized(default=90.0), "guard": sized(), "weight": weight}
    return toy(inputs_of(**own), doubled, heavy, below_the_limit, headline=("heavy",), answer="{heavy}")


def test_what_refuses_values_of_an_input_counts_as_a_change() -> None:
    calculator = scale(sized(default=30.0))
    for limit, is_reached in ((90.0, True), (35.0, False), (90.0, True)):
        found = finished(seek_nearest(calculator, calculator.evaluate({"limit": limit}), ["heavy"]))
        assert (found["heavy"] is not None) == is_reached


def test_that_something_is_given_counts_as_a_change_where_it_decides_what_else_is_computed() -> None:
    """The same numbers: but once the guard is given the weight is twice the size, and moves with it."""
    calculator = scale(sized(default=(computed("doubled", "twice", when=("guard",)), 30.0)))
    plain, guarded = calculator.evaluate({}), calculator.evaluate({"guard": 4.0})
    assert dict(plain) == dict(guarded)
    for values, name in ((plain, "weight"), (guarded, "size"), (plain, "weight")):
        margin = finished(seek_nearest(calculator, values, ["heavy"]))["heavy"]
        assert margin
        assert margin.name == name


@pytest.mark.parametrize("name", WITH_VERDICTS)
def test_a_hedge_of_the_readers_own_counts_as_a_change(name: str) -> None:
    calculator = replace(CALCULATORS[name])
    plain = calculator.evaluate({})
    edges = finished(seek_nearest(calculator, plain, verdicts_of(calculator)))
    edge = next(margin for margin in edges.values() if margin)
    declared = calculator.inputs[edge.name]
    assert isinstance(declared, Quantity)
    for ends in (declared.slider, (plain[edge.name], plain[edge.name])):
        hedged = Values(plain, plain.given, {edge.name: ends})
        found = finished(seek_nearest(calculator, hedged, verdicts_of(calculator)))
        assert found == finished(margins.seek(calculator, hedged, verdicts_of(calculator)))[0]
