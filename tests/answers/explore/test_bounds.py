"""At most and at least: the values of an input that keep a limit, found over its whole range."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

from calculators import library
from calculators.answers.explore.bounds import bounded
from calculators.answers.input_state import parse_inputs, parse_value
from calculators.answers.review import solution, solve
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError, Quantity, choice, step
from tests.declare.test_declare import inputs_of, sized, toy


@step("B", "A hill")
def hill(size: float) -> float:
    """Rises to 100 at 10, falls again."""
    return 100 - (size - 10) ** 2


@step("B", "By mode")
def by_mode(mode: str, size: float) -> float:
    return {"a": 1.0, "b": 2.0, "c": 3.0}[mode] * size


@step("B", "Even sizes")
def even_sizes(size: float) -> float:
    """Nothing for odd counts."""
    if size % 2:
        raise ValueError
    return size


TOY = toy(
    inputs_of(
        size=sized(hard=(1, 1000), slider=(2, 50)),
        mode=choice("a", "Mode", {"a": "one", "b": "two", "c": "three"}),
    ),
    hill,
    by_mode,
    answer="{hill}",
)
EVEN = toy(inputs_of(size=sized(whole=True)), even_sizes)


def found(calculator: Calculator, query: str, name: str, **given: str) -> solution.Found:
    resolved = parse_inputs(calculator, given)
    values = calculator.evaluate(resolved.explicit)
    result, wanted = solve.target(calculator, query)
    (one,) = solve.solutions(calculator, resolved, values, result, wanted, [name]).run()
    return one


def test_at_least_on_a_hill_is_the_stretch_around_its_top() -> None:
    (stretch,) = bounded(TOY, TOY.evaluate({"size": 4.0}), "size", "hill", "least", 75.0).run().stretches
    assert stretch.low
    assert stretch.high
    assert [stretch.low.value, stretch.high.value] == pytest.approx([5.0, 15.0])


def test_at_most_on_a_hill_is_below_and_above_it() -> None:
    low, high = bounded(TOY, TOY.evaluate({"size": 4.0}), "size", "hill", "most", 75.0).run().stretches
    assert (low.low, high.high) == (None, None)
    assert low.high
    assert high.low
    assert [low.high.value, high.low.value] == pytest.approx([5.0, 15.0])


def test_an_edge_keeps_the_limit_that_the_next_value_breaks() -> None:
    edge = bounded(TOY, TOY.evaluate({"mode": "b"}), "size", "by_mode", "most", 33.0).run().stretches[0].high
    assert edge
    assert edge.value * 2 <= 33.0 < math.nextafter(edge.value * (1 + 1e-11), math.inf) * 2


def test_counts_that_cannot_be_calculated_are_skipped() -> None:
    assert found(EVEN, "even_sizes<=7", "size").sentence == "Size: 6 B and below (6 B); now 4 B."
    assert found(EVEN, "even_sizes>=7", "size").sentence == "Size: from 8 B on (8 B); now 4 B."


def test_what_is_reported_where_every_value_or_none_keeps_the_limit() -> None:
    assert "every value from 1 B to 1 kB gives at most 100 B" in found(TOY, "hill<=100 B", "size").sentence
    assert "no value from 1 B to 1 kB gives at least 101 B" in found(TOY, "hill>=101 B", "size").sentence
    assert not found(TOY, "hill<=100 B", "size").reached


def test_options_that_keep_the_limit_are_named_with_what_they_give() -> None:
    one = found(TOY, "by_mode>=8", "mode")
    assert one.sentence == "Mode: “two” gives 8 B, “three” gives 12 B."
    assert [offer.changes for offer in one.offers] == [{"mode": "b"}, {"mode": "c"}]
    assert not found(TOY, "by_mode>=1", "mode").reached


@pytest.mark.parametrize("sign", ["<=", "≤", "=<", "<"])
def test_signs_of_at_most(sign: str) -> None:
    assert solve.target(TOY, f"hill {sign} 75 B") == ("hill", solution.Limit("most", 75.0))


def test_a_verdict_has_levels_and_no_limit() -> None:
    calculator = CALCULATORS["checkpoint"]
    verdict = next(iter(calculator.of_role("verdict"))).name
    with pytest.raises(InputError, match="has levels; write"):
        solve.target(calculator, f"{verdict}<=good")


@pytest.mark.parametrize(("name", "bound"), list(itertools.product(["checkpoint", "power", "cost"], ["<=", ">="])))
def test_what_is_offered_keeps_the_limit_when_it_is_typed(name: str, bound: str) -> None:
    calculator = CALCULATORS[name]
    resolved = parse_inputs(calculator, {})
    values = calculator.evaluate(resolved.explicit)
    result = next(one for one in calculator.headline if isinstance(values[one], float | int) and values[one])
    for factor in (0.6, 1.7):
        wanted = solution.Limit("most" if bound == "<=" else "least", float(values[result]) * factor)
        for one in solve.solutions(calculator, resolved, values, result, wanted).run():
            for offer in one.offers[:3]:
                again = parse_inputs(calculator, {**resolved.given, **offer.changes})
                assert wanted.allows(calculator.evaluate(again.explicit)[result]), (one.sentence, offer)


def test_the_library_takes_a_limit() -> None:
    power: Any = library.Question(CALCULATORS["power"])
    text = power(gpus="1024").solve("facility_power", "<=1MW", "gpus").text
    declared = CALCULATORS["power"].inputs["gpus"]
    assert isinstance(declared, Quantity)
    most = parse_value(declared, text.split("GPUs in the job: ")[1].split(" GPU")[0])
    assert power(gpus=most).facility_power <= 1e6 < power(gpus=most + 8).facility_power
