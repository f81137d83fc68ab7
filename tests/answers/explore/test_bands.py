"""Ranges in sentences: what published runs allow, widened by the ranges that the reader typed."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import data
from calculators.answers.answer import evaluated, sentence
from calculators.answers.explore.bands import bands
from calculators.answers.input_state import parse_inputs
from calculators.answers.review import uncertainty
from calculators.declare import constraint, step
from calculators.machine.state import machine_state
from tests.answers.kit import KIT
from tests.declare.test_declare import inputs_of, sized, toy


def band(calculator: Any, name: str, **given: str) -> str:
    return bands(calculator, evaluated(calculator, parse_inputs(calculator, given))).get(name, "")


def test_a_typed_range_widens_the_band_of_published_runs_at_both_ends() -> None:
    """Of 10 to 20 the middle is 15; twice the size less 2 at 10 is 18, and 2 more at 20 is 42."""
    assert band(KIT, "doubled", size="15") == "28 to 32 B"
    assert band(KIT, "doubled", size="10-20") == "18 to 42 B"


def test_json_has_the_ends_that_the_sentence_says() -> None:
    resolved = parse_inputs(KIT, {"size": "10-20"})
    found = data.described(KIT, resolved, evaluated(KIT, resolved))["results"]["doubled"]["band"]
    assert found == {"low": 18.0, "high": 42.0, "text": "18 to 42 B"}


def test_a_range_that_moves_nothing_leaves_the_band() -> None:
    assert band(KIT, "doubled", size="15", weight="2-8") == "28 to 32 B"


@step("B", "What is left")
def left(size: float, taken: float) -> float:
    return 80 - size - taken


@step("B", "No lower end")
def unknown(size: float) -> float | None:
    return None if size < 90 else size


@constraint("taken")
def not_too_much(taken: float) -> str:
    return "too much" if taken > 18 else ""


FALLING = toy(
    inputs_of(size=sized(label="Size"), taken=sized(label="Taken")),
    *(left, unknown, not_too_much),
    bands={"left": ("unknown", "unknown")},
)


def test_where_published_runs_say_nothing_typed_ranges_make_the_band() -> None:
    """80 less sizes of 10 to 20 and less 4 that are taken, or 5 to 15 of them: all at their worst, or best."""
    assert band(FALLING, "left", size="15") == ""
    assert band(FALLING, "left", size="10-20") == "56 to 66 B"
    assert band(FALLING, "left", size="10-20", taken="5-15") == "45 to 65 B"


def test_an_end_that_a_constraint_refuses_does_not_count() -> None:
    """Of 10 to 20 the middle is 15, which is taken: 80 - 4 - 15 = 61, and 66 where 10 are."""
    assert band(FALLING, "left", taken="10-20") == "61 to 66 B"


@pytest.mark.parametrize(("typed", "least", "most"), [("30-45%", 0.45, 0.30), ("40%", None, None)])
def test_a_range_of_mfu_reaches_the_sentence_of_a_system(typed: str, least: float | None, most: float | None) -> None:
    """Steps take longer in proportion as MFU falls, and everything else of the run with them."""
    found = machine_state({"mfu": typed})
    days, middle = found.values["training_duration"] / 86_400, found.values["mfu"]
    shown = sentence(found.calculator, found.values)
    if least is None or most is None:
        assert f"takes {days:.3g} days on" in shown
    else:
        assert f"takes {days:.3g} days ({days * middle / least:.3g} to {days * middle / most:.3g} days) on" in shown


def test_a_range_of_another_input_widens_that_of_published_runs() -> None:
    """At each end of failure rates the run ends as early or as late as published runs allow there."""
    found = machine_state({"failure_rate": "0.3-1"})
    assert found.resolved.explicit.ranges["failure_rate"] == pytest.approx((0.3 / 86_400, 1 / 86_400))
    low, high = (
        found.calculator.after(found.values, {"failure_rate": end})[f"training_duration_at_{which}"] / 86_400
        for end, which in zip(found.resolved.explicit.ranges["failure_rate"], ("least", "most"), strict=True)
    )
    assert f"({low:.3g} to {high:.3g} days)" in sentence(found.calculator, found.values)


def test_the_range_of_inputs_says_which_range_the_answer_has() -> None:
    """The range of the answer, how far published runs were off, is another than that of inputs."""
    values = evaluated(KIT, parse_inputs(KIT, {"size": "15"}))
    text = uncertainty.range_sentence(KIT, values, "doubled", [], None)
    assert text.endswith(
        ". In the answer it is 28 to 32 B: how far published runs were from predictions, which the ranges of inputs "
        "leave out."
    )
    plain = next(name for name, one in KIT.steps.items() if name not in KIT.bands and isinstance(values[name], float))
    assert "In the answer" not in uncertainty.range_sentence(KIT, values, plain, [], None)
