"""Odd inputs as readers type them: each is refused in a sentence that names it, or answered without a contradiction."""

from __future__ import annotations

import math
import tomllib
from typing import Any

import pytest

from builder.paths import ROOT
from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError, Values
from tests.soak.exclusions import PAIRS

STATES = tomllib.loads((ROOT / "tests/odd_states.toml").read_text("utf-8"))
EACH = [(name, state) for name, states in STATES.items() for state in states]


def given(state: str) -> dict[str, str]:
    return dict(one.split("=", 1) for one in state.split())


def answered(calculator: Calculator, state: str) -> tuple[Any, list[str]]:
    """Every value, or the sentences of a refusal; anything else that is raised fails the test."""
    try:
        return answer.evaluated(calculator, valid_inputs(calculator, given(state))), []
    except InputError as error:
        return None, list(error.problems.values())


def impossible(calculator: Calculator, values: Values) -> list[str]:
    """Results that are no number, and verdicts that are green next to a value that excludes it."""
    numbers = {name: values[name] for name in calculator.steps if isinstance(values[name], float)}
    found = [f"{name} = {value}" for name, value in numbers.items() if not math.isfinite(value) or value < 0]
    rules = PAIRS.get(calculator.name, [])
    return found + [name for name, excluded in rules if values[name].level == "good" and excluded(values)]


def test_there_are_sixty_of_each_calculator_of_the_issue() -> None:
    assert all(len(STATES[name]) >= 60 for name in ("retrieval", "data_lifecycle", "post_training"))


@pytest.mark.parametrize(("name", "state"), EACH)
def test_an_odd_state_is_refused_by_name_or_answered_without_contradiction(name: str, state: str) -> None:
    calculator = CALCULATORS[name]
    found, problems = answered(calculator, state)
    if found is None:
        assert problems
        assert all(" " in sentence for sentence in problems)
        return
    assert not impossible(calculator, found)
    sentence = answer.sentence(calculator, found)
    assert not any(word in sentence for word in (" nan", " inf ", "None"))
    if calculator.unanswered and (refusal := calculator.unanswered(found)):
        assert "$" not in refusal  # what cannot run has no price
        assert any(found[one.name].level == "bad" for one in calculator.of_role("verdict"))


# What each of these ended in before, and what it ends in now.
FOUND = [
    ("retrieval", "index_kind=object cold_queries=100%", "search_in_time", "cold searches too slow"),
    ("retrieval", "index_kind=object cold_queries=5%", "search_in_time", "OK"),
    ("retrieval", "index_kind=object object_read_latency=40ms", "search_in_time", "cold searches slightly late"),
    ("post_training", "input_tokens=100M", "engine_fits", "longest answer does not fit"),
    ("sample_inference", "measured_serving_rate=1e12", "sample_serving_limit", "not possible"),
    ("sample_training", "measured_sample_rate=1e9", "sample_limit", "not possible"),
]


@pytest.mark.parametrize(("name", "state", "verdict", "word"), FOUND)
def test_what_is_not_possible_or_too_slow_is_not_green(name: str, state: str, verdict: str, word: str) -> None:
    assert answered(CALCULATORS[name], state)[0][verdict].word == word


REFUSED = [
    ("retrieval", "documents=1", "Chunks per search (10) must not exceed the chunks of 6 vectors"),
    ("retrieval", "growth=1000% growth_years=20", "are more than 10 trillion vectors"),
    ("post_training", "gpus=1", "1 GPU cannot hold a trainer next to a rollout engine of 4 ranks"),
]


@pytest.mark.parametrize(("name", "state", "text"), REFUSED)
def test_what_cannot_be_is_refused(name: str, state: str, text: str) -> None:
    assert any(text in sentence for sentence in answered(CALCULATORS[name], state)[1])


def test_replicas_that_cannot_carry_the_traffic_have_no_latency_in_their_sentence() -> None:
    calculator = CALCULATORS["retrieval"]
    found, _ = answered(calculator, "copies_of_index=1 request_rate=1e6")
    assert answer.sentence(calculator, found).startswith("1 replica on 6 nodes cannot carry 1M queries/s")


def test_nothing_cold_needs_no_tape_drive() -> None:
    empty = (
        "raw_data=0 ingest=0 prepared_data=0 checkpoint_size=0 weights_size=0 logs_per_day=0 archive_standing=0 "
        "archive_per_month=0 training_read=0"
    )
    found, _ = answered(CALCULATORS["data_lifecycle"], empty)
    assert found["drives_cost"] == 0
