"""What a page shows of an exploration, by hand: the bars of what moves the answer, and words where there are none."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers import exploration as explored
from calculators.answers.explore import Change
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError, Verdict, computed, step, verdict
from calculators.page import exploration
from tests.declare.test_declare import doubled, inputs_of, sized, toy
from tests.soak.states import drawn


@step("B", "A sum")
def total(size: float, other: float) -> float:
    return 2 * size + other


@verdict("Small")
def small(total: float) -> Verdict:
    good = total <= 20
    return Verdict(level="good" if good else "bad", word="small" if good else "large", reason="It is {total}.")


@verdict("Less than a hundred")
def less(total: float) -> Verdict:
    return Verdict(level="good" if total < 100 else "bad", word="less", reason="")


def calculator(**changed: Any) -> Calculator:
    """From 7 to 12 or from 9 to 10, each a part of the sum that is 10 where 2 is twice counted, and 6 once."""
    own = {
        "size": sized(default=2.0, spread=(1, 4), label="Size"),
        "other": sized(default=6.0, spread=(5, 6.5), label="Other"),
    }
    return toy(inputs_of(**own | changed), total, small, less, headline=("total",), answer="{total}")


def report(one: Calculator, **given: Any) -> dict[str, Any]:
    found: dict[str, Any] = dict(exploration.exploration(one, one.evaluate(given)))
    return found


def test_the_bars_of_what_moves_the_answer_are_to_scale_the_longest_first() -> None:
    """From 8 to 14 by the size, from 9 to 10.5 by the other: of 6 it is at 2 now, where the other begins at 1."""
    first, second = report(calculator())["swings"]
    assert (first["name"], first["label"], first["hedge"], first["result"]) == (
        *("size", "Size", "1 B to 4 B"),
        "8 B to 14 B",
    )
    assert (first["x"], first["width"], first["now"]) == ("0.00%", "100.00%", "33.33%")
    assert (second["name"], second["hedge"], second["result"]) == ("other", "5 B to 6.5 B", "9 B to 10.5 B")
    assert (second["x"], second["width"], second["now"]) == ("16.67%", "25.00%", "33.33%")


def test_a_bar_of_next_to_nothing_can_be_seen_and_none_is_reported_of_inputs_without_a_range() -> None:
    second = report(calculator(other=sized(default=6.0, spread=(6.0, 6.0001), label="Other")))["swings"][1]
    assert 0.1 < float(second["width"].removesuffix("%")) < 1
    plain = report(calculator(size=sized(default=2.0), other=sized(default=6.0, label="Other")))
    assert (plain["swings"], plain["likely"], plain["band"]) == ([], "", "")


def test_a_falling_result_begins_its_bar_at_the_lower_end_too() -> None:
    @step("B", "What is left")
    def left(size: float) -> float:
        return 50 - size

    one = toy(inputs_of(size=sized(default=10.0, spread=(5, 30))), left)
    (swing,) = report(one)["swings"]
    assert (swing["hedge"], swing["result"], swing["x"], swing["width"], swing["now"]) == (
        *("5 B to 30 B", "20 B to 45 B", "0.00%", "100.00%"),
        "80.00%",
    )


def test_the_widest_band_is_all_at_their_worst_and_the_likely_one_lies_within() -> None:
    """From 2 * 1 + 5 to 2 * 4 + 6.5."""
    found = report(calculator())
    assert found["about"] == "total"
    assert found["band"] == "7 B to 14.5 B"
    low, high = (float(end.removesuffix(" B")) for end in found["likely"].split(" to "))
    assert 7 < low < 10 < high < 14.5


def test_a_range_whose_ends_read_alike_is_one_value() -> None:
    total_step = calculator().steps["total"]
    assert [explored._between(total_step, ends) for ends in ((2.0, 13.0), (13.0, 20.0), (7.0, 7.0001))] == [
        *("2 B to 13 B", "13 B to 20 B", "7 B"),
    ]


def test_each_verdict_has_its_nearest_edge_or_no_words_for_it() -> None:
    """Twenty are reached with 7 instead of 2; a hundred would take 47, at the slider's end."""
    edges = report(calculator())["edges"]
    assert set(edges) == {"small", "less"}
    assert edges["small"].startswith("Other: small up to 16 B")
    unmoved = report(calculator(size=sized(default=2.0, slider=(1, 3)), other=sized(default=6.0, slider=(1, 7))))[
        "edges"
    ]
    assert unmoved == {"small": "", "less": ""}


def test_inputs_that_move_nothing_say_so_and_others_are_not_named() -> None:
    one = toy(
        inputs_of(
            size=sized(), weight=sized(default=(computed("doubled", "twice"), 1.0), label="Weight"), idle=sized()
        ),
        doubled,
    )
    idle = report(one)["idle"]
    assert idle["idle"] == "no effect now"
    assert "size" not in idle


def test_a_change_is_reported_with_what_becomes_of_the_worst_verdict() -> None:
    """At 50 the sum is too large for both; with 2 instead of it, it is small."""
    one = calculator()
    values = one.evaluate({"size": 50.0})
    change = Change(label="Less: {total}", changes={"size": 2.0}, values=one.evaluate({"size": 2.0}))
    found = explored._advice(one, values, change)
    assert (found["label"], found["outcome"]) == ("Less: 10 B", "small: It is 10 B.")
    assert found["changes"] == {"size": "2 B"}
    almost = Change(label="", changes={}, values=one.evaluate({"size": 8.0}))  # 22 instead of 24
    assert explored._advice(one, one.evaluate({"size": 9.0}), almost)["outcome"] == "large: It is 22 B."


def test_the_chart_is_along_the_first_input_that_can_be_swept() -> None:
    found = report(calculator())
    assert found["chart_shows"].startswith("A sum: rises from ")
    assert "along size from 2 B to 50 B." in found["chart_shows"]
    assert "<title" in found["chart"]


def test_changes_that_help_are_reported_and_others_are_not() -> None:
    """A sum of 106 is too large for both verdicts; with 8 it is 22, which one of them still calls large."""
    changes = [("Half: {total}", {"size": 8.0}), ("Least: {total}", {"size": 2.0})]
    one = replace(calculator(), recommendations=lambda _: changes)
    assert [change["label"] for change in report(one, size=50.0)["advice"]] == ["Least: 10 B"]


@pytest.mark.parametrize("name", [name for name, one in CALCULATORS.items() if one.recommendations])
def test_a_recommendation_says_which_other_verdict_it_makes_worse(name: str) -> None:
    """Retrieval: a list on NVMe takes a tenth of the nodes, and is built in more than a night."""
    calculator, chance, levels = CALCULATORS[name], random.Random(name), ("good", "tight", "bad")  # noqa: S311  states
    for _ in range(20):
        resolved = parse_inputs(calculator, drawn(calculator, chance))
        try:
            values = answer.evaluated(calculator, resolved)
        except InputError:
            continue
        before = answer.verdicts(calculator, values)
        worst = max(before.values(), key=lambda one: levels.index(one["level"]))
        for one in explored.advice(calculator, values).run():
            given = parse_inputs(calculator, {**resolved.given, **one["changes"]})
            after = answer.verdicts(calculator, answer.evaluated(calculator, given))
            for judged, now in before.items():
                is_worse = levels.index(after[judged]["level"]) > levels.index(now["level"]) and now is not worst
                message = f"{calculator.steps[judged].label.rstrip('?')}: {after[judged]['word']}"
                assert is_worse == (message in one["outcome"].partition(" Trade-off: ")[2]), (one, judged)


@pytest.mark.parametrize("overlap", ["0%", "49%", "50%", "73%"])
def test_no_recommendation_for_collectives_exposes_more(overlap: str) -> None:
    """To overlap half was recommended where 73% is overlapped already."""
    calculator = CALCULATORS["collectives"]
    given = {"tensor_overlap": overlap, "active_parameters": "448B"}
    values = answer.evaluated(calculator, parse_inputs(calculator, given))
    advised = explored.advice(calculator, values).run()
    assert any("Overlap half" in one["label"] for one in advised) == (overlap in {"0%", "49%"})
    for one in advised:
        after = answer.evaluated(calculator, parse_inputs(calculator, {**given, **one["changes"]}))
        waits = [each["exposed_share"] + each["bubble_step_share"] for each in (values, after)]
        assert waits[1] < waits[0], one["label"]
