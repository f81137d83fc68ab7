"""How sure: assumed ranges against triangles worked out by hand and against cases drawn one by one."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from calculators.answers import explore
from calculators.answers.explore import sampling
from calculators.answers.input_state import valid_inputs
from calculators.answers.review import uncertainty
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, Quantity, Verdict, step, verdict
from tests.declare.test_declare import inputs_of, sized, toy

_DRAWN = 500  # cases at first
_MANY, _SOME = 90, 4  # inputs, and of calculators with more of them every so many headline results


def values_of(calculator: Calculator, **given: Any) -> Any:
    return calculator.evaluate(valid_inputs(calculator, given).explicit)


@step("B", "Area")
def area(size: float, width: float) -> float:
    return size * width


@verdict("Small?")
def small(area: float) -> Verdict:
    return Verdict(level="good", word="small") if area < 10 else Verdict(level="bad", word="large")


TOY = toy(
    inputs_of(size=sized(spread=(2.0, 8.0)), width=sized(default=2.0, hard=(1, 100)), other=sized(spread=(1.0, 9.0))),
    area,
    small,
    answer="{area}",
)


def test_a_triangle_has_the_areas_that_geometry_gives() -> None:
    """From 2 to 8 with its peak at 4: the left side holds a third; a tenth lies below 2 + sqrt(0.1 * 6 * 2)."""
    assert sampling.triangular(1 / 3, 2, 4, 8) == pytest.approx(4)
    assert sampling.triangular(0.1, 2, 4, 8) == pytest.approx(2 + math.sqrt(1.2))
    assert sampling.triangular(0.9, 2, 4, 8) == pytest.approx(8 - math.sqrt(0.1 * 6 * 4))


def test_percentiles_lie_between_the_values_next_to_them() -> None:
    assert sampling.percentile([1, 2, 3, 4, 5], 0.5) == 3
    assert sampling.percentile([1, 2, 3, 4, 5], 0.1) == pytest.approx(1.4)
    assert sampling.percentile([7], 0.9) == 7


def test_of_one_input_the_range_is_the_triangle_times_the_slope() -> None:
    found = sampling.assumed_range(TOY, TOY.evaluate({}), "area").run()
    assert found
    assert found.low == pytest.approx(2 * (2 + math.sqrt(1.2)), rel=0.01)
    assert found.middle == pytest.approx(2 * (8 - math.sqrt(0.5 * 6 * 4)), rel=0.01)
    assert found.high == pytest.approx(2 * (8 - math.sqrt(0.1 * 6 * 4)), rel=0.01)


@step("B", "Left over")
def left_over(size: float) -> float:
    return size % 3


def test_the_widest_is_of_the_ends_together_and_of_cases_between_them() -> None:
    """2 by 1 to 8 by 9. Of threes 2 leaves 2, 8.01 leaves 2.01, and what lies between leaves anything from 0 to 3."""
    both = toy(inputs_of(size=sized(spread=(2.0, 8.0)), width=sized(spread=(1.0, 9.0))), area, answer="{area}")
    steps = toy(inputs_of(size=sized(spread=(2.0, 8.01))), left_over, answer="{left_over}")
    for calculator, result, ends in ((both, "area", (2, 72)), (steps, "left_over", (2, 2.01))):
        assert explore.band(calculator, calculator.evaluate({}), result) == pytest.approx(ends)
    values = steps.evaluate({})
    moving = explore.swings(steps, values, "left_over").run()
    found = sampling.assumed_range(steps, values, "left_over", moving).run()
    assert sampling.widest(steps, values, "left_over", moving, found) == pytest.approx((0, 3), abs=0.03)
    assert sampling.widest(steps, values, "left_over", moving, None) == pytest.approx((2, 2.01))


def test_verdicts_are_counted_over_the_cases() -> None:
    """The area is under 10 where the size is under 5: all of the triangle but 9/24 of it."""
    found = sampling.assumed_range(TOY, TOY.evaluate({}), "area").run()
    assert found
    assert found.levels["small"]["bad"] == pytest.approx(9 / 24, abs=0.01)
    assert sum(found.levels["small"].values()) == pytest.approx(1)


def test_inputs_without_a_hedge_are_named_where_they_move_the_result() -> None:
    assert sampling.without_range(TOY, TOY.evaluate({}), "area").run() == ["width"]
    text = "\n".join(uncertainty.lines(TOY, settled_values("3-5"), "area"))
    assert "Fixed at their present values" not in text  # the only one without a range has one now
    assert "3 B to 5 B (your range)" in text


def settled_values(width: str) -> Any:
    return TOY.evaluate(valid_inputs(TOY, {"width": width}).explicit)


def test_nothing_hedged_gives_no_range_and_says_so() -> None:
    plain = toy(inputs_of(size=sized(), width=sized()), area, answer="{area}")
    assert sampling.assumed_range(plain, plain.evaluate({}), "area").run() is None
    assert uncertainty.lines(plain, plain.evaluate({}), "area")[-1] == "No input that moves Area has a range."


def tenths_lie_beyond(results: list[float], found: sampling.Range) -> bool:
    """Whether 5 to 15 % of results lie below the range, and as many above; one at its end counts either way."""
    count = len(results)
    below = sum(result < found.low * (1 - 1e-9) for result in results)
    up_to_low = sum(result <= found.low * (1 + 1e-9) for result in results)
    above = sum(result > found.high * (1 + 1e-9) for result in results)
    from_high = sum(result >= found.high * (1 - 1e-9) for result in results)
    return max(below, above) <= 0.15 * count and min(up_to_low, from_high) >= 0.05 * count


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", sorted(CALCULATORS))
def test_ten_percent_of_cases_drawn_one_by_one_lies_below_and_above(name: str) -> None:
    """Drawn in the simplest way there is, by another generator and by Python's own triangle."""
    calculator = CALCULATORS[name]
    values = values_of(calculator)
    checked = 0
    some = calculator.headline[:: _SOME if len(calculator.inputs) > _MANY else 1]
    for headline in some:
        moving = [] if isinstance(values[headline], Verdict) else explore.swings(calculator, values, headline).run()
        found = sampling.assumed_range(calculator, values, headline, moving).run() if moving else None
        if found is None or found.low == found.high:
            continue
        chance = random.Random(name)  # noqa: S311  the same every time, not secret
        results: list[float] = []
        while not results or (
            len(results) < 4 * _DRAWN and not tenths_lie_beyond(results, found)
        ):  # a doubt is drawn on
            for _ in range(_DRAWN):
                case = {}
                for swing in moving:
                    declared = calculator.inputs[swing.name]
                    assert isinstance(declared, Quantity)
                    if declared.scale == "log" and swing.low > 0:
                        ends = (math.log(swing.low), math.log(swing.high), math.log(values[swing.name]))
                        drawn = math.exp(chance.triangular(*ends))
                    else:
                        drawn = chance.triangular(swing.low, swing.high, values[swing.name])
                    case[swing.name] = float(round(drawn)) if declared.whole else drawn
                results.append(calculator.after(values, case, headline)[headline])
        assert tenths_lie_beyond(results, found), headline
        assert found.least <= found.low <= found.middle <= found.high <= found.most
        widest = sampling.widest(calculator, values, headline, moving, found)
        assert widest
        beyond = [one for one in results if not widest[0] * (1 - 1e-9) <= one <= widest[1] * (1 + 1e-9)]
        assert len(beyond) / len(results) <= 0.01
        checked += 1
    hedged = [one for one in calculator.inputs.values() if isinstance(one, Quantity) and one.spread]
    assert checked or not hedged


@pytest.mark.parametrize("name", sorted(CALCULATORS))
def test_the_same_state_gives_the_same_range(name: str) -> None:
    calculator = CALCULATORS[name]
    first = next(one for one in calculator.headline if calculator.steps[one].role == "step")
    again = [sampling.assumed_range(calculator, values_of(calculator), first).run() for _ in range(2)]
    assert again[0] == again[1]
