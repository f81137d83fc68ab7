"""Counts and the unit of one: "1 month", never "1 months"."""

from __future__ import annotations

import re

from calculators import units
from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Choice

_COUNTED = re.compile(r"\{(\w+)\}\*{0,2} ([a-z]+s)\b")


def test_what_is_counted_once_is_in_the_singular_wherever_a_sentence_is_filled() -> None:
    found = CALCULATORS["retrieval"]
    values = answer.evaluated(found, valid_inputs(found, {"top_k": "1", "search_list": "2", "rescored": "1"}))
    assert answer.filled(found, "{top_k} chunks", values) == "1 chunk"


def test_no_answer_leaves_the_noun_of_a_count_outside_its_value() -> None:
    """Pages put values into a sentence that stays: only a unit of the value's own can follow it."""
    plurals = {units.counted(2, one).removeprefix("2 ") for one in (*units.COUNTS, "month", "user")}
    for calculator in CALCULATORS.values():
        for name, noun in _COUNTED.findall(calculator.answer):
            assert noun not in plurals or isinstance(calculator.declared(name), Choice), (calculator.name, name, noun)


def test_a_plan_of_one_month_and_a_run_of_one_step_say_so() -> None:
    for name, given, sentence in (
        ("data_lifecycle", {"growth_years": "0"}, " in 1 month: "),
        ("post_training", {"rl_steps": "1"}, " A run of 1 step costs "),
    ):
        found = CALCULATORS[name]
        state = valid_inputs(found, given)
        assert sentence in answer.sentence(found, answer.evaluated(found, state), state)
