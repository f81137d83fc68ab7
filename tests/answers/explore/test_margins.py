"""How far from the edge: every break-even is checked by trying the values on both of its sides."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from typing import Any

import pytest

from calculators.answers import answer, sliders
from calculators.answers.explore import margins
from calculators.answers.explore.thresholds import InputTrials
from calculators.answers.explore.trials import Trials
from calculators.answers.input_state import valid_inputs
from calculators.answers.review import margins as report
from calculators.catalog import CALCULATORS
from calculators.declare import AnyFormula, Calculator, Choice, Quantity, Verdict, choice, computed, constraint, verdict
from tests.declare.test_declare import doubled, inputs_of, sized, toy

_MANY, _SOME = 90, 3  # inputs, and of calculators with more of them every so many verdicts
WITH_VERDICTS = sorted(name for name, calculator in CALCULATORS.items() if calculator.of_role("verdict"))


def values_of(calculator: Calculator, **given: Any) -> Any:
    return calculator.evaluate(valid_inputs(calculator, given).explicit)


@contextmanager
def counted() -> Iterator[list[float]]:
    """The values of inputs that are tried meanwhile."""
    tried: list[float] = []
    allowed = InputTrials._allowed

    def noted(self: InputTrials, value: float) -> Any:
        tried.append(value)
        return allowed(self, value)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(InputTrials, "_allowed", noted)
        yield tried


def closest(calculator: Calculator, values: Any, verdict: str) -> tuple[margins.Margin | None, int]:
    """The closest threshold of a verdict, and how many values were tried for it."""
    with counted() as tried:
        found = margins.nearest(calculator, values, [verdict]).run()[verdict]
    return found, len(tried)


@verdict("Large?")
def large(size: float, mode: str) -> Verdict:
    if size < 5:
        return Verdict(level="bad", word="small")
    return Verdict(level="tight" if size < 20 or mode == "b" else "good", word="so" if size < 20 else "large")


@constraint("size")
def even_from_forty(size: float) -> str:
    return "odd" if size >= 40 and size % 2 else ""


TOY = toy(
    inputs_of(
        size=sized(hard=(1, 1000), slider=(2, 50)),
        other=sized(hard=(1, 1000), slider=(2, 50)),
        mode=choice("a", "Mode", {"a": "one", "b": "two"}),
    ),
    large,
    even_from_forty,
    headline=("large",),
    answer="{large}",
)


def test_the_changes_on_the_way_are_reported_the_nearest_first_down_and_up() -> None:
    (margin,) = margins.margins(TOY, TOY.evaluate({"size": 30.0}), ["large"]).run()["large"]
    assert margin.name == "size"
    assert [edge.first for edge in margin.down] == pytest.approx([20.0, 5.0])
    assert [(edge.above.level, edge.below.level) for edge in margin.down] == [("good", "tight"), ("tight", "bad")]
    assert margin.up == ()
    assert margin.distance == pytest.approx(1.5)
    assert report.phrase(TOY, TOY.evaluate({"size": 30.0}), margin).startswith(
        "large down to 20 B, so down to 5 B, then"
    )


def test_options_with_another_level_are_found() -> None:
    (one,) = margins.other_options(TOY, TOY.evaluate({"size": 30.0}), "large").run()
    assert (one.name, one.value, one.becomes.level) == ("mode", "b", "tight")
    assert margins.other_options(TOY, TOY.evaluate({"size": 4.0}), "large").run() == []


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", WITH_VERDICTS)
def test_on_both_sides_of_an_edge_the_verdict_is_what_it_says(name: str) -> None:
    calculator = CALCULATORS[name]
    values = values_of(calculator)
    margins_of = margins.margins(calculator, values, [formula.name for formula in calculator.of_role("verdict")]).run()
    for formula in calculator.of_role("verdict"):
        for margin in margins_of[formula.name]:
            trials = Trials(calculator, values, {margin.name}, {formula.name})
            for edge in (*margin.down, *margin.up):
                for value, found in ((edge.last, edge.below), (edge.first, edge.above)):
                    after = trials.after({margin.name: value})
                    assert after
                    assert after[formula.name] == found
                declared = calculator.inputs[margin.name]
                assert isinstance(declared, Quantity)
                assert edge.first - edge.last <= max(1e-9 * edge.first, 1 if declared.whole else 0) or any(
                    trials.after({margin.name: edge.last + n}) is None for n in (1, edge.first - edge.last - 1)
                )


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", WITH_VERDICTS)
def test_a_walk_along_the_first_sliders_meets_the_same_edges(name: str) -> None:
    """Stop by stop, and of a count one by one around the present, by whole evaluations: the same changes."""
    calculator = CALCULATORS[name]
    values = values_of(calculator)
    for one in calculator.first_sliders:
        declared = calculator.inputs[one]
        if isinstance(declared, Choice):
            continue
        walked = []
        around = range(-64, 65) if declared.whole and values[one] <= 4096 else ()
        low, high = declared.slider
        counted = {values[one] + away for away in around if low <= values[one] + away <= high}
        for stop in sorted({*sliders.stops(declared), *counted}):
            after = calculator.after(values, {one: stop})
            if not any(
                found.function(*[after[n] for n in found.needs])
                for found in calculator.checks_on(frozenset(calculator.inputs), values)
            ):
                walked.append((stop, after))
        for formula in calculator.of_role("verdict"):
            edges = margins.thresholds(calculator, values, one, formula.name).run()
            changed = [
                (low, high)
                for (low, before), (high, after) in itertools.pairwise(walked)
                if before[formula.name].level != after[formula.name].level
            ]
            for low, high in changed:
                assert any(low <= edge.last and edge.first <= high for edge in edges)
            assert all(any(low <= edge.last and edge.first <= high for low, high in changed) for edge in edges)


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", WITH_VERDICTS)
def test_the_quick_search_finds_the_nearest_of_all_margins(name: str) -> None:
    """In the default state, and where the first input is at other places; with far fewer trials."""
    calculator = CALCULATORS[name]
    first = calculator.inputs[calculator.first_sliders[0]]
    assert isinstance(first, Quantity)
    stops = sliders.stops(first)
    verdicts = list(calculator.of_role("verdict"))[:: _SOME if len(calculator.inputs) > _MANY else 1]
    states: tuple[dict[str, str], ...] = ({}, {first.name: first.box(stops[2 * len(stops) // 3])})
    for given in states[: 1 if len(calculator.inputs) > _MANY else 2]:
        values = values_of(calculator, **given)
        all_of = margins.margins(calculator, values, [formula.name for formula in verdicts]).run()
        for formula in verdicts:
            found, count = closest(calculator, values, formula.name)
            every = [one for one in all_of[formula.name] if one.distance < float("inf")]
            finite = found is not None and found.distance < float("inf")
            assert (found.distance if found and finite else None) == pytest.approx(every[0].distance if every else None)
            if finite or not found:  # else every input without a value, or at 0, was tried over its slider
                assert count < max(600, 8 * len(calculator.inputs))


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", WITH_VERDICTS)
def test_verdicts_that_are_searched_together_find_what_each_finds_alone(name: str) -> None:
    calculator = CALCULATORS[name]
    values = values_of(calculator)
    verdicts = [formula.name for formula in calculator.of_role("verdict")]
    with counted() as tried:
        together = margins.nearest(calculator, values, verdicts).run()
    alone = {verdict: closest(calculator, values, verdict) for verdict in verdicts}
    assert together == {verdict: found for verdict, (found, _) in alone.items()}
    assert len(tried) <= sum(count for _, count in alone.values())


@pytest.mark.parametrize("name", WITH_VERDICTS)
def test_in_whatever_order_verdicts_are_evaluated_they_are_what_a_whole_evaluation_says(name: str) -> None:
    """Each is computed when it is asked for, from what those before it needed too."""
    calculator = CALCULATORS[name]
    values = values_of(calculator)
    verdicts = [formula.name for formula in calculator.of_role("verdict")]
    moved = [one for one in calculator.inputs.values() if isinstance(one, Quantity) and values[one.name] is not None]
    for place, declared in enumerate(moved):
        reached = [verdict for verdict in verdicts if margins.reaches(calculator, declared.name, verdict)]
        trials = InputTrials(calculator, values, declared, reached)
        for value in (declared.slider[0], declared.slider[1]):
            try:
                after = calculator.after(values, {declared.name: value})
                refused = any(
                    one.function(*[after[need] for need in one.needs])
                    for one in calculator.checks_on(frozenset(calculator.inputs), values)
                )
            except (ArithmeticError, ValueError):
                continue
            for one in (*reached[place % len(reached) :], *reached[: place % len(reached)]) if reached else ():
                found = trials.at(one, value)
                if refused or found is None:
                    assert found is None or not refused
                    continue
                assert found == tuple(after[name] for name in (one, *calculator.steps[one].needs))


def test_a_verdict_without_an_answer_leaves_the_others_theirs() -> None:
    """Where a formula of one raises, another that is next to it is still found."""
    calculator = CALCULATORS["storage_demand"]
    values = values_of(calculator)
    verdicts = [formula.name for formula in calculator.of_role("verdict")]
    broken, *others = verdicts

    @wraps(calculator.steps[broken].function)
    def raises(*_: object) -> None:
        raise ZeroDivisionError

    steps = [replace(one, function=raises) if one.name == broken else one for one in calculator.formulas]
    found = margins.nearest(replace(calculator, formulas=tuple(steps)), values, verdicts).run()
    assert found[broken] is None
    assert {name: found[name] for name in others} == {name: closest(calculator, values, name)[0] for name in others}
    assert any(found.values())


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", WITH_VERDICTS)
def test_no_count_within_sixty_four_changes_a_verdict_before_its_nearest_edge(name: str) -> None:
    """Every whole number tried by a whole evaluation, also where domains are not filled and choices flip back."""
    calculator = CALCULATORS[name]
    values = values_of(calculator)
    counts = [one for one in calculator.inputs.values() if isinstance(one, Quantity) and one.whole]
    for declared in [one for one in counts if (values[one.name] or 5000) <= 4096]:
        present, (low, high) = values[declared.name], declared.slider
        found = {
            formula.name: margins.margin(calculator, values, declared, formula.name).run()
            for formula in margins_of(calculator, declared.name)
        }
        for away in [n for n in range(-64, 65) if n and max(low, 1) <= present + n <= high]:
            try:
                after = calculator.after(values, {declared.name: present + away})
            except (ArithmeticError, ValueError):
                continue
            if any(
                constraint.function(*[after[n] for n in constraint.needs])
                for constraint in calculator.checks_on(frozenset(calculator.inputs), values)
            ):
                continue
            for judged, margin in found.items():
                if after[judged].level != values[judged].level:
                    assert margin is not None, (declared.name, judged, present + away)
                    edges = margin.up if away > 0 else margin.down
                    assert edges, (declared.name, judged, present + away)
                    assert edges[0].first <= present + away if away > 0 else edges[0].last >= present + away


def margins_of(calculator: Calculator, name: str) -> list[AnyFormula]:
    """The verdicts that an input may change."""
    return [one for one in calculator.of_role("verdict") if margins.reaches(calculator, name, one.name)]


def test_a_group_that_does_not_fill_its_domains_is_no_longer_skipped() -> None:
    """64 GPUs in domains of 8: with 30, which fill three domains and most of a fourth, another way comes close."""
    calculator = CALCULATORS["collectives"]
    values = values_of(calculator)
    found = margins.margin(calculator, values, calculator.inputs["ranks"], "nccl_algorithm").run()  # type: ignore[arg-type]
    assert found is not None
    assert (found.down[0].last, found.up[0].first) == (30, 121)
    for ranks, level in ((30, "tight"), (31, "good"), (120, "good"), (121, "tight")):
        assert values_of(calculator, ranks=str(ranks))["nccl_algorithm"].level == level


def test_an_edge_right_next_to_a_width_that_is_no_whole_number_is_found() -> None:
    """Without a model a feed-forward width of eight thirds of the hidden size is used, between two whole ones."""
    calculator = CALCULATORS["collectives"]
    values = calculator.evaluate({})
    found, _ = closest(calculator, values, "communication_overlapped")
    assert found is not None
    edge = (*found.up, *found.down)[0]
    assert edge.below.level != edge.above.level


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


def test_a_threshold_beyond_what_a_constraint_allows_is_none() -> None:
    calculator = scale(sized(default=30.0))
    for limit, is_reached in ((90.0, True), (35.0, False), (90.0, True)):
        found = margins.nearest(calculator, calculator.evaluate({"limit": limit}), ["heavy"]).run()
        assert (found["heavy"] is not None) == is_reached


def test_what_is_given_decides_which_input_a_verdict_depends_on() -> None:
    """The same numbers: but once the guard is given the weight is twice the size, and moves with it."""
    calculator = scale(sized(default=(computed("doubled", "twice", when=("guard",)), 30.0)))
    plain, guarded = calculator.evaluate({}), calculator.evaluate({"guard": 4.0})
    assert dict(plain) == dict(guarded)
    for values, name in ((plain, "weight"), (guarded, "size"), (plain, "weight")):
        margin = margins.nearest(calculator, values, ["heavy"]).run()["heavy"]
        assert margin
        assert margin.name == name


def test_an_input_that_is_a_result_by_default_is_not_the_closest_to_a_threshold() -> None:
    """As heavy as the limit by default, a weight is at its threshold whatever the size is."""
    calculator = scale(sized(default=computed("doubled", "as needed")))
    by_default, given = calculator.evaluate({"size": 20.0}), calculator.evaluate({"size": 20.0, "weight": 40.0})
    assert by_default["weight"] == given["weight"]
    names = [margins.nearest(calculator, values, ["heavy"]).run()["heavy"] for values in (by_default, given)]
    assert [one and one.name for one in names] == ["size", "weight"]


def test_the_search_ends_where_a_verdict_holds_for_every_value_above_0() -> None:
    """Nothing is stored, and any byte is too much: towards 0 there is always a value between."""
    calculator = CALCULATORS["data_lifecycle"]
    nothing = ("ingest", "raw_data", "prepared_data", "checkpoint_size", "weights_size", "logs_per_day")
    given = {**dict.fromkeys((*nothing, "backup_copies", "egress"), 0), "archive_standing": "1 PiB"}
    given |= {"archive_years": 100, "cold_medium": "medium-s3-glacier-instant", "growth_years": 1}
    values = answer.evaluated(calculator, valid_inputs(calculator, given))
    verdicts = [formula.name for formula in calculator.of_role("verdict")]
    steps = itertools.islice(margins.nearest(calculator, values, verdicts).slices(), 100_000)
    assert sum(1 for _ in steps) < 100_000
