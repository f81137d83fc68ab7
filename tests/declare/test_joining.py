"""Joining: one graph of several calculators gives what each gives alone, and refuses names that mean two things."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calculators.catalog import CALCULATORS, joined
from calculators.declare import (
    AnyFormula,
    Calculator,
    Choice,
    DeclarationError,
    Preset,
    Verdict,
    choice,
    computed,
    join,
    step,
)
from tests.declare.test_declare import doubled, inputs_of, quadrupled, sized, toy
from tests.readers import within


@cache
def whole() -> Calculator:
    return joined()


def same(one: Any, other: Any) -> bool:
    if isinstance(one, Verdict | str | bool) or one is None:
        return bool(one == other)
    if math.isnan(one):  # none of it: an energy without end times an intensity of nothing
        return math.isnan(other)
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-300)


@settings(max_examples=200, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_in_any_state_the_join_gives_what_each_calculator_gives_alone(data: st.DataObject) -> None:
    """Random inputs are given, the others are what they are otherwise; every part sees the same inputs alone."""
    machine = whole()
    free = sorted(machine.inputs.keys() - machine.steps.keys())  # a pinned result is no longer the part's own
    names = data.draw(st.lists(st.sampled_from(free), max_size=12, unique=True))
    given = {name: data.draw(within(machine.inputs[name])) for name in names}
    try:
        values = machine.evaluate(given)
    except ZeroDivisionError:  # as where no layer attends, which needs no cache: readers get a sentence
        shares = [(part, {name: given[name] for name in given if name in part.inputs}) for part in CALCULATORS.values()]
        with pytest.raises(ZeroDivisionError):
            _ = [part.evaluate(share) for part, share in shares]
        return
    for part in CALCULATORS.values():
        alone = part.evaluate({name: values[name] for name in part.inputs})
        for name in part.steps:
            assert same(alone[name], values[name]), f"{part.name}.{name}"


def test_the_whole_catalogue_joins_and_asks_each_question_once() -> None:
    machine = whole()
    assert set(machine.inputs) == {name for part in CALCULATORS.values() for name in part.inputs}
    assert set(machine.steps) == {name for part in CALCULATORS.values() for name in part.steps}


def part(name: str, inputs: dict[str, Any], *formulas: AnyFormula, **stated: Any) -> Calculator:
    return toy(inputs_of(**inputs), *formulas, name=name, **stated)


def test_what_one_computes_another_takes() -> None:
    taking = part("taking", {"doubled": sized(label="Twice the size")}, quadrupled)
    giving = part("giving", {"size": sized()}, doubled)
    both = join("both", [giving, taking], answer="")
    assert both.evaluate({"size": 3.0})["quadrupled"] == 12.0
    assert both.evaluate({"size": 3.0, "doubled": 5.0})["quadrupled"] == 10.0


def test_two_formulas_of_one_name_are_refused_by_name() -> None:
    @step("B", "Twice the size")
    def doubled(size: float) -> float:
        return size + size + 1

    other = part("other", {"size": sized()}, doubled)
    with pytest.raises(DeclarationError, match=r"both\.doubled: is a different formula in toy and in other"):
        join("both", [toy(), other])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"unit": "s"}, "is declared differently in toy and in other: the unit differs"),
        ({"label": "Length"}, "is declared differently in toy and in other: the label differs"),
        ({"hard": (1, 200)}, "is declared differently in toy and in other: the hard differs"),
        ({"default": 5.0}, "has one default in toy and another in other: say which wins"),
    ],
)
def test_two_questions_under_one_name_are_refused_and_so_are_two_defaults(
    changed: dict[str, Any], message: str
) -> None:
    other = part("other", {"size": sized(**changed)}, doubled)
    with pytest.raises(DeclarationError, match=re.escape(f"both.size: {message}")):
        join("both", [toy(), other])


def test_a_number_and_a_choice_under_one_name_are_two_questions_and_so_are_two_lists_of_options() -> None:
    parts = [
        part(f"part_{place}", {"size": sized(), "mode": mode}, doubled)
        for place, mode in enumerate(
            [
                choice("a", "Mode", {"a": "One", "b": "Another"}),
                choice("a", "Mode", {"a": "One", "b": "Another"}),
                choice("a", "Mode", {"a": "One", "c": "Another"}),
                sized(label="Mode"),
            ]
        )
    ]
    assert isinstance(both := join("both", parts[:2]).inputs["mode"], Choice)
    assert both.text("b") == "Another"
    for one, other in ((0, 2), (0, 3), (3, 0)):
        message = f"both.mode: is declared differently in part_{one} and in part_{other}: the options differ"
        with pytest.raises(DeclarationError, match=re.escape(message)):
            join("both", [parts[one], parts[other]])


def test_two_menus_under_one_name_are_refused() -> None:
    kits = [Preset(name="kit", label=label, records=(), fills={}) for label in ("Kit", "Kit", "Set")]
    parts = [part(f"part_{place}", {"size": sized()}, doubled, presets=(kit,)) for place, kit in enumerate(kits)]
    assert [menu.label for menu in join("both", parts[:2]).presets] == ["Kit"]
    with pytest.raises(DeclarationError, match=r"both\.kit: has different labels in part_0 and in part_2"):
        join("both", [parts[0], parts[2]])


def test_the_part_that_is_named_gives_the_default() -> None:
    other = part("other", {"size": sized(default=5.0)}, doubled)
    assert join("both", [toy(), other], prefer={"size": "other"}).evaluate({})["doubled"] == 10.0
    with pytest.raises(DeclarationError, match="prefers unknown"):
        join("both", [toy(), other], prefer={"size": "unknown"})


def test_a_circle_that_joining_closes_is_refused() -> None:
    @step("B", "Size")
    def size(doubled: float) -> float:
        return doubled

    back = part("back", {"doubled": sized(label="Twice the size")}, size)
    with pytest.raises(DeclarationError, match="circle"):
        join("both", [toy(), back])


def test_a_result_taken_in_another_unit_is_refused() -> None:
    taking = part("taking", {"doubled": sized(label="Twice the size", unit="s")}, quadrupled_of_seconds)
    with pytest.raises(DeclarationError, match=r"both\.doubled: is declared in another unit"):
        join("both", [toy(), taking])


@step("s", "Four times")
def quadrupled_of_seconds(doubled: float) -> float:
    return 2 * doubled


def test_an_input_that_is_computed_until_it_is_given_is_computed_again_in_what_follows() -> None:
    inputs = {"size": sized(), "weight": sized(default=computed("doubled", "twice"), label="Weight")}

    @step("B", "Half the weight")
    def half(weight: float) -> float:
        return weight / 2

    calculator = part("computing", inputs, doubled, half)
    values = calculator.evaluate({"size": 3.0})
    assert (values["weight"], values["half"]) == (6.0, 3.0)
    assert calculator.after(values, {"size": 4.0})["half"] == 4.0
    pinned = calculator.after(values, {"weight": 10.0})
    assert pinned["half"] == 5.0
    assert calculator.after(pinned, {"size": 50.0})["half"] == 5.0


def test_changes_of_any_kind_give_what_a_fresh_evaluation_gives() -> None:
    """Giving an input that others wait for changes how those are computed, too."""
    memory = CALCULATORS["training_memory"]
    before = memory.evaluate({})
    for changes in ({"parameters": 7e9}, {"gpus": 1024.0}, {"layers": 40.0}, {"hidden": 4096.0, "gpus": 64.0}):
        assert dict(memory.after(before, changes)) == dict(memory.evaluate(changes))
