"""Exploring: sweeps, swings, bands, solving and advice say what evaluating the calculator by hand says."""

from __future__ import annotations

import math

import pytest

from calculators.answers import answer, explore
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Quantity, Verdict
from calculators.page import exploration

CHECKPOINT = CALCULATORS["checkpoint"]
VALUES = answer.evaluated(
    CHECKPOINT, parse_inputs(CHECKPOINT, {"parameters": "100B", "checkpoint_bytes_per_parameter": "14"})
)
NAMES = sorted(CALCULATORS)


def test_a_sweep_moves_one_input_and_leaves_the_rest() -> None:
    assert explore.sweep(CHECKPOINT, VALUES, "parameters", "checkpoint_size", [1e9, 2e9]) == [14e9, 28e9]


def test_a_hedge_moves_in_proportion_with_the_value_and_stays_in_the_hard_range() -> None:
    declared = Quantity(unit="B", label="Size", default=10, hard=(1, 100), slider=(1, 50), spread=(8, 15))
    assert explore.published_range(declared, 10) == (8, 15)
    assert explore.published_range(declared, 20) == (16, 30)
    assert explore.published_range(declared, 80) == (64, 100)
    assert (
        explore.published_range(Quantity(unit="B", label="Size", default=10, hard=(1, 100), slider=(1, 50)), 10) is None
    )


def test_a_swing_is_the_result_at_both_ends_of_the_hedge() -> None:
    swings = {swing.name: swing for swing in explore.swings(CHECKPOINT, VALUES, "checkpoint_size").run()}
    swing = swings["checkpoint_bytes_per_parameter"]
    declared = CHECKPOINT.inputs["checkpoint_bytes_per_parameter"]
    assert isinstance(declared, Quantity)
    assert declared.spread
    assert (swing.low, swing.high) == pytest.approx(declared.spread)
    assert swing.at_low == pytest.approx(100e9 * declared.spread[0])
    assert swing.size == pytest.approx(100e9 * (declared.spread[1] - declared.spread[0]))


def test_inputs_that_do_not_move_the_result_are_left_out() -> None:
    assert {swing.name for swing in explore.swings(CHECKPOINT, VALUES, "checkpoint_size").run()} == {
        "checkpoint_bytes_per_parameter"
    }
    assert explore.band(CHECKPOINT, VALUES, "checkpoint_size_per_gpu") is not None


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", NAMES)
def test_the_strongest_swing_comes_first_and_the_band_holds_the_answer(name: str) -> None:
    calculator = CALCULATORS[name]
    values = calculator.evaluate(parse_inputs(calculator, {}).values)
    for formula in calculator.steps.values():
        if formula.role != "step":
            continue
        sizes = [swing.size for swing in explore.swings(calculator, values, formula.name).run()]
        assert sizes == sorted(sizes, reverse=True)
        ends = explore.band(calculator, values, formula.name)
        if ends:
            assert all(math.isfinite(end) for end in ends)


@pytest.mark.parametrize("name", NAMES)
def test_the_band_of_each_headline_holds_what_is_shown(name: str) -> None:
    calculator = CALCULATORS[name]
    values = calculator.evaluate(parse_inputs(calculator, {}).values)
    for headline in calculator.headline:
        ends = explore.band(calculator, values, headline) if calculator.steps[headline].role == "step" else None
        if ends:
            assert ends[0] <= values[headline] * (1 + 1e-9)
            assert values[headline] <= ends[1] * (1 + 1e-9)


def test_advice_is_tried_and_makes_every_verdict_good_or_tight() -> None:
    advised = 0
    for calculator in CALCULATORS.values():
        for preset in calculator.presets:
            for record in preset.records:
                resolved = parse_inputs(calculator, {preset.name: record.key})
                values = answer.evaluated(calculator, resolved)
                if all(value.level != "bad" for value in values.values() if isinstance(value, Verdict)):
                    continue
                changes = explore.recommendations(calculator, values).run()
                assert len(changes) <= 3
                for change in changes:
                    advised += 1
                    again = calculator.evaluate({**resolved.explicit, **change.changes})
                    verdicts = [value for value in again.values() if isinstance(value, Verdict)]
                    assert verdicts
                    assert all(value.level != "bad" for value in verdicts), (record.key, change.label)
    assert advised


@pytest.mark.parametrize(
    "given", [{"gpus": "83", "model": "qwen3-coder-480b-a35b"}, {"model": "qwen3-coder-480b-a35b"}]
)
def test_advice_is_not_refused_once_it_is_applied(given: dict[str, str]) -> None:
    """32 stages of eight ranks take 256 GPUs at least: where there are 83, advice names the GPUs as well."""
    memory = CALCULATORS["training_memory"]
    resolved = parse_inputs(memory, given)
    changes = explore.recommendations(memory, answer.evaluated(memory, resolved)).run()
    assert changes
    assert all(("gpus" in change.changes) == ("gpus" in given) for change in changes)
    for change in changes:
        applied = {name: memory.inputs[name].box(value) for name, value in change.changes.items()}
        answer.evaluated(memory, parse_inputs(memory, {**given, **applied}))


def test_advice_tells_what_becomes_of_the_verdict_that_was_worst() -> None:
    goodput = CALCULATORS["goodput"]
    values = goodput.evaluate(parse_inputs(goodput, {"checkpoint_interval": "6 h"}).values)
    levels = {name: value.level for name, value in values.items() if isinstance(value, Verdict)}
    worst = next(formula for formula in goodput.of_role("verdict") if levels[formula.name] == "bad")
    for change, report in zip(
        explore.recommendations(goodput, values).run(), exploration.exploration(goodput, values)["advice"], strict=True
    ):
        assert report["outcome"].startswith(change.values[worst.name].word)
    collectives = CALCULATORS["collectives"]  # its first verdict is good, the last one tight
    found = exploration.exploration(collectives, collectives.evaluate(parse_inputs(collectives, {}).values))["advice"]
    assert all("exposed" in one["outcome"] or "hidden" in one["outcome"] for one in found)


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", NAMES)
def test_a_likely_range_whose_ends_read_alike_is_reported_as_one_value(name: str) -> None:
    calculator = CALCULATORS[name]
    likely = exploration.exploration(calculator, answer.evaluated(calculator, parse_inputs(calculator, {})))["likely"]
    low, between, high = likely.partition(" to ")
    assert not between or low != high


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", NAMES)
def test_what_moves_the_answer_is_described_in_text_with_bars_inside_the_picture(name: str) -> None:
    calculator = CALCULATORS[name]
    found = exploration.exploration(calculator, calculator.evaluate(parse_inputs(calculator, {}).values))
    for row in found["swings"]:
        assert row["label"] == calculator.inputs[row["name"]].label
        for part in ("x", "width", "now"):
            assert -0.01 <= float(row[part].removesuffix("%")) <= 100.01
