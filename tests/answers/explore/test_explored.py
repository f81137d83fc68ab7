"""What exploring tries, by hand: where it looks, what counts as the same, and what it finds between two looks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from calculators.answers.explore import _possible, attribution, closest, influence, margins, solve, sweeps
from calculators.answers.explore.search import Search
from calculators.answers.explore.thresholds import Threshold, between
from calculators.answers.input_state import parse_inputs
from calculators.bridge import respond
from calculators.catalog import CALCULATORS
from calculators.declare import Level, Verdict, step, verdict
from calculators.page import review, thresholds
from tests.declare.test_declare import doubled, inputs_of, sized, toy

TOY = toy()
SIZE: Any = TOY.inputs["size"]  # 4 of 1 to 100, its slider from 2 to 50


def judged(*, bad: bool) -> Verdict:
    level: Level = "bad" if bad else "good"
    return Verdict(level=level, word=level)


@step("1", "Left over")
def left_over(size: float) -> float:
    return size % 11


@verdict("Whole?")
def whole(left_over: float) -> Verdict:
    return judged(bad=not left_over)


@verdict("Aside?")
def aside(size: float) -> Verdict:
    return judged(bad=13 < size < 15)


@verdict("Both?")
def both(size: float, aid: float) -> Verdict:
    return judged(bad=not (size and aid))


@verdict("There?")
def there(size: float) -> Verdict:
    return judged(bad=abs(size - 7.3) < 1e-3)


@step("B", "A spike")
def spike(size: float) -> float:
    return 3.0 if abs(size - 7.3) < 1e-9 else 1.0


@step("B", "A sum")
def total(a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float, i: float) -> float:
    return a + b + c + d + e + f + g + h + i


@pytest.mark.parametrize(
    ("changed", "value", "points"),
    [
        ({}, 4.0, [50, 2, 26]),  # the middle of 2 and 50
        ({}, 26.0, [50, 2]),
        ({"scale": "log", "slider": (4, 100)}, 5.0, [100, 4, 20]),  # 20 is five times 4, and a fifth of 100
        ({"whole": True, "slider": (0, 5)}, 4.0, [5, 1, 2]),
    ],
)
def test_an_effect_is_looked_for_at_both_ends_and_in_the_middle(
    changed: dict[str, Any], value: float, points: list[float]
) -> None:
    declared: Any = toy(inputs_of(size=sized(hard=(0, 100), **changed))).inputs["size"]
    assert list(influence._points(declared, {declared.name: value})) == points


def test_verdicts_are_the_same_where_level_and_word_are() -> None:
    good, bad = judged(bad=False), judged(bad=True)
    assert influence._same(good, Verdict(level="good", word="good", reason="another"))
    assert not influence._same(good, bad)
    assert not influence._same(bad, good)


def test_a_sweep_has_the_present_value_where_it_lies_between_the_ends() -> None:
    among = {present: present in sweeps.points(SIZE, 10, 50, present) for present in (9.0, 23.7, 51.0, None)}
    assert among == {9.0: False, 23.7: True, 51.0: False, None: False}
    many: Any = toy(inputs_of(size=sized(whole=True))).inputs["size"]
    assert sweeps.points(many, 1, 61) == tuple(range(1, 62))  # sixty-one are not too many


def test_what_ten_percent_more_does_is_not_reported_of_what_cannot_be_ten_percent_more() -> None:
    found = [Search(sweeps._more(TOY, TOY.evaluate({"size": size}), SIZE, "doubled")).run() for size in (80.0, 95.0)]
    assert found == [pytest.approx(1.1), None]  # 104.5 is more than 100


def test_a_value_is_possible_from_one_end_of_its_range_to_the_other() -> None:
    assert [_possible(TOY, "size", value) for value in (0.5, 1, 50, 100, 101)] == [False, True, True, True, False]


def test_a_middle_is_by_ratio_above_nothing_and_by_difference_from_it() -> None:
    assert [between(2, 8, whole=False), between(0, 8, whole=False), between(2, 9, whole=True)] == [4, 4, 5]


def test_nothing_is_infinitely_far() -> None:
    edge = Threshold(last=0.0, first=1.0, below=judged(bad=True), above=judged(bad=False))
    assert closest.away(4.0, edge, up=False) == float("inf")
    assert closest.away(4.0, Threshold(last=2.0, first=8.0, below=edge.below, above=edge.above), up=True) == 2


def test_the_quick_search_finds_what_changes_back_within_a_factor_of_two() -> None:
    calculator = toy(inputs_of(size=sized()), aside, headline=("aside",), answer="{aside}")
    found = margins.nearest(calculator, calculator.evaluate({"size": 10.0}), ["aside"]).run()["aside"]
    assert found is not None
    assert found.distance == pytest.approx(1.3)


def test_the_quick_search_ends_where_two_inputs_change_a_verdict_at_zero_only() -> None:
    inputs = inputs_of(size=sized(hard=(0, 100), slider=(0, 100)), aid=sized(hard=(0, 100), slider=(0, 100)))
    calculator = toy(inputs, both, headline=("both",), answer="{both}")
    found = margins.nearest(calculator, calculator.evaluate({"size": 10.0, "aid": 10.0}), ["both"]).run()["both"]
    assert found is not None
    assert (found.name, found.down[0].last, found.distance) == ("size", 0, float("inf"))


def test_the_quick_search_tries_the_next_counts_one_by_one() -> None:
    inputs = inputs_of(size=sized(whole=True))
    calculator = toy(inputs, left_over, whole, headline=("whole",), answer="{whole}")
    found = margins.nearest(calculator, calculator.evaluate({"size": 20.0}), ["whole"]).run()["whole"]
    assert found is not None
    assert (found.up[0].last, found.up[0].first) == (21, 22)


def test_edges_next_to_the_present_value_are_found_however_narrow() -> None:
    calculator = toy(inputs_of(size=sized()), there, headline=("there",), answer="{there}")
    values = calculator.evaluate({"size": 7.3})
    found = margins.thresholds(calculator, values, "size", "there", (3.0, 40.0)).run()
    assert [edge.first for edge in found] == pytest.approx([7.299, 7.301], abs=1e-6)


def test_a_result_that_is_had_at_the_present_value_alone_is_found_there() -> None:
    calculator = toy(inputs_of(size=sized()), spike)
    values = calculator.evaluate({"size": 7.3})
    assert [one.value for one in solve.solve(calculator, values, "size", "spike", 3.0).run().answers] == [7.3]
    assert None not in solve.points(SIZE, None)


def test_eight_changes_are_attributed_exactly_and_nine_in_their_order() -> None:
    names = "abcdefghi"
    calculator = toy(inputs_of(**{name: sized() for name in names}), total)
    changes = [attribution.Changed(name=name, names=(name,)) for name in names]
    before, after = dict.fromkeys(names, 2.0), dict.fromkeys(names, 5.0)
    for count, exact in ((8, True), (9, False)):
        found = attribution.attribution(calculator, before, after, changes[:count], "total").run()
        assert found is not None
        assert found.exact is exact
        assert [part for _, part in found.parts] == pytest.approx([3.0] * count)


def test_how_far_an_input_moves_a_result_is_a_proportion_of_the_result() -> None:
    moved = Search(review._moved(TOY, TOY.evaluate({"size": 10.0}), SIZE, "doubled")).run()
    assert moved == pytest.approx(0.1)
    assert doubled.function(11.0) == 22


def test_of_a_menu_five_ways_are_listed_and_in_a_sweep_the_present_value_is_marked() -> None:
    asked = {"calculator": "checkpoint", "given": {"write_window": "30s"}}
    review = {"result": "checkpoint_size", "wanted": "2 TB", "input": "model"}
    report = json.loads(respond(json.dumps({**asked, "asks": ["solve"], "review": review})))["review"]
    assert len(report["tables"][0]["rows"]) == 5 + 1
    review = {"input": "write_window", "from": "10s", "to": "100s"}
    report = json.loads(respond(json.dumps({**asked, "asks": ["sweep"], "review": review})))["review"]
    marked = [row["cells"][0] for row in report["tables"][0]["rows"] if row["marked"]]
    assert marked == ["30 s"]


def test_where_a_hedge_reaches_the_edge_the_words_for_it_are_marked() -> None:
    edge = Threshold(last=8.0, first=9.0, below=judged(bad=False), above=judged(bad=True))
    calculator = toy(inputs_of(size=sized()), aside, headline=("aside",), answer="{aside}")
    values = calculator.evaluate({"size": 4.0})
    for in_range, marked in ((True, [2]), (False, [])):
        one = margins.Margin(name="size", verdict="aside", down=(), up=(edge,), distance=2.0, in_range=in_range)
        assert thresholds._margin(calculator, values, one)["marked"] == marked


def test_what_a_menu_fills_gives_way_to_what_the_reader_says_of_the_job() -> None:
    """Tokens of a model's training are those of a pre-training, whatever it runs on."""
    calculator = CALCULATORS["training_time"]
    for given, origin in (
        ({"gpus": "8"}, "preset"),
        ({"job": "pre-training"}, "preset"),
        ({"job": "lora"}, "computed"),
    ):
        assert parse_inputs(calculator, {"model": "llama-3-1-405b", **given}).origins["tokens"] == origin
