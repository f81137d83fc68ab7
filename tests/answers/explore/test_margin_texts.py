"""Margins in words: thresholds on the way, the worst level beyond, and values that hold where they are rounded."""

from __future__ import annotations

import math

import pytest

from calculators.answers.explore import margins
from calculators.answers.input_state import parse_value
from calculators.answers.review import margins as report
from calculators.catalog import CALCULATORS
from calculators.declare import Quantity, Verdict, verdict
from tests.answers.explore.test_margins import TOY, WITH_VERDICTS, values_of
from tests.declare.test_declare import inputs_of, sized, toy


def test_a_bad_verdict_is_reported_from_where_it_turns() -> None:
    values = TOY.evaluate({"size": 4.0})
    (margin,) = margins.margins(TOY, values, ["large"]).run()["large"]
    assert report.phrase(TOY, values, margin) == "so from 5 B on"
    assert report.closest_sentence(TOY, values, margin) == "Size: so from 5 B on; now 4 B; 25% more changes it."


@verdict("Ways")
def ways(size: float) -> Verdict:
    level, word = ("tight", "ring") if size < 5 else ("tight", "tree") if size < 7 else ("good", "tree")
    return Verdict(level=level, word=word, reason="{size}")  # type: ignore[arg-type]


def test_the_word_of_now_is_not_said_of_values_at_which_there_is_another() -> None:
    """At 4 B it is a ring, and on the way to the next level a tree: what holds up to there is the level."""
    calculator = toy(inputs_of(size=sized()), ways)
    for size, phrase in ((4.0, "tight up to 6.99 B, then tree (good)"), (6.0, "tree up to 6.99 B, then tree (good)")):
        values = calculator.evaluate({"size": size})
        (margin,) = margins.margins(calculator, values, ["ways"]).run()["ways"]
        assert report.phrase(calculator, values, margin) == phrase


@verdict("Islands")
def islands(size: float) -> Verdict:
    level, word = next(
        (level, word)
        for end, level, word in (
            (3, "tight", "scarce"),
            (10, "bad", "none"),
            (20, "tight", "few"),
            (30, "good", "enough"),
            (40, "tight", "few"),
            (math.inf, "good", "enough"),
        )
        if size < end
    )
    return Verdict(level=level, word=word, reason="{size}")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("size", "phrase"),
    [
        (45.0, "enough down to 40 B, few down to 30 B, then enough; none at 9.99 B and below"),
        (35.0, "few down to 30 B, then enough; none at 9.99 B and below; few up to 39.9 B, then enough"),
        (5.0, "scarce at 2.99 B and below; few from 10 B on"),
    ],
)
def test_the_worst_level_beyond_the_closest_ones_is_said_too(size: float, phrase: str) -> None:
    calculator = toy(
        inputs_of(size=sized(hard=(1, 1000), slider=(2, 50))), islands, headline=("islands",), answer="{islands}"
    )
    values = calculator.evaluate({"size": size})
    (margin,) = margins.margins(calculator, values, ["islands"]).run()["islands"]
    assert report.phrase(calculator, values, margin) == phrase


def test_what_nothing_can_change_says_so() -> None:
    assert (
        report.closest_sentence(TOY, TOY.evaluate({}), None)
        == "No single input changes this verdict within its slider range."
    )


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", WITH_VERDICTS)
def test_words_hold_where_they_round(name: str) -> None:
    """A value read from "until" or "down to" has the verdict that the words promise."""
    calculator = CALCULATORS[name]
    values = values_of(calculator)
    margins_of = margins.margins(calculator, values, [formula.name for formula in calculator.of_role("verdict")]).run()
    for formula in calculator.of_role("verdict"):
        for margin in margins_of[formula.name]:
            declared = calculator.inputs[margin.name]
            assert isinstance(declared, Quantity)
            phrase = report.phrase(calculator, values, margin)
            for words in ("up to ", "down to "):
                part = next((p for p in phrase.split("; ") if words in p), "")
                if not part or values[formula.name].level == "bad":
                    continue
                shown = part.split(words, 1)[1].split(", ")[0]
                value = parse_value(declared, shown)
                after = calculator.after(values, {margin.name: value})
                assert after[formula.name].level == values[formula.name].level, (margin.name, part)


def test_what_lies_between_two_words_and_is_refused_has_neither() -> None:
    """Eight ranks fit, four hardly, two do not; three, five, six and seven divide no heads."""
    calculator = CALCULATORS["training_memory"]
    values = values_of(calculator)
    found = margins.margins(calculator, values, ["fits"]).run()["fits"]
    margin = next(one for one in found if one.name == "tensor_parallel")
    text = report.phrase(calculator, values, margin)
    assert text.startswith("OK down to 8 ranks, tight down to 4 ranks, does not fit from 2 ranks down")
    for ranks, level in ((8, "good"), (4, "tight"), (2, "bad")):
        assert calculator.after(values, {"tensor_parallel": ranks})["fits"].level == level


def test_the_threshold_at_an_inputs_own_value_has_no_proportion() -> None:
    values = values_of(CALCULATORS["fabric"])
    found = margins.margins(CALCULATORS["fabric"], values, ["fits_tiers"]).run()["fits_tiers"]
    margin = next(one for one in found if one.distance < 1.001)
    assert report.closest_sentence(CALCULATORS["fabric"], values, margin).endswith("any increase changes it.")
