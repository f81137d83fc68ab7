"""Declarations: a mistake of ours is found when the module is imported, and its message names the culprit."""

from __future__ import annotations

import ast
import dataclasses
import re
from dataclasses import dataclass
from typing import Any

import pytest

from calculators import facts, units
from calculators.catalog import CALCULATORS
from calculators.declare import (
    AnyFormula,
    Calculator,
    Choice,
    DeclarationError,
    Preset,
    Quantity,
    choice,
    constraint,
    quantity,
    step,
    switch,
)


def sized(**changed: Any) -> Any:
    """A quantity that is right, but for what is changed."""
    stated: dict[str, Any] = {"default": 4.0, "unit": "B", "label": "Size", "hard": (1, 100), "slider": (2, 50)}
    stated |= changed
    return quantity(stated.pop("default"), stated.pop("unit"), stated.pop("label"), **stated)


def inputs_of(**fields: Any) -> type:
    """A dataclass with these inputs."""
    return dataclasses.make_dataclass("Inputs", [(name, float, field) for name, field in fields.items()], frozen=True)


@step("B", "Twice the size")
def doubled(size: float) -> float:
    return 2 * size


@step("B", "Four times the size")
def quadrupled(doubled: float) -> float:
    return 2 * doubled


def toy(inputs: type | None = None, *formulas: AnyFormula, **stated: Any) -> Calculator:
    """A calculator of one input and one formula, but for what is changed."""
    stated.setdefault("groups", {"": "All inputs"})
    first = (formulas or (doubled,))[0].name
    report = {"assumptions": ("Sizes are sizes.",), "omits": ("All else.",)}
    stated = {"name": "toy", "title": "Toy", "answer": f"{{{first}}}", "headline": [first], **report} | stated
    return Calculator(
        question="How much?",
        inputs_type=inputs or inputs_of(size=sized()),
        formulas=formulas or (doubled,),
        **stated,
    )


def test_formulas_run_in_the_order_of_their_needs_however_they_are_listed() -> None:
    calculator = toy(None, quadrupled, doubled, headline=["quadrupled"])
    assert list(calculator.steps) == ["doubled", "quadrupled"]
    assert calculator.evaluate({"size": 3.0}) == {"size": 3.0, "doubled": 6.0, "quadrupled": 12.0}


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"toy\.quadrupled: needs doubled"):
        toy(None, quadrupled)


def test_a_circle_is_refused() -> None:
    @step("B", "Hen")
    def hen(egg: float) -> float:
        return egg

    @step("B", "Egg")
    def egg(hen: float) -> float:
        return hen

    with pytest.raises(DeclarationError, match=r"(hen|egg).*circle: .*hen.* -> .*egg|circle: .*egg.* -> .*hen"):
        toy(None, hen, egg)


@pytest.mark.parametrize(
    ("changed", "sentence_text"),
    [
        ({"default": 101.0}, "default 101 lies outside 1 to 100"),
        ({"default": 0.5}, "default 0.5 lies outside"),
        ({"unit": "furlong"}, "'furlong' is not a unit"),
        ({"slider": (0.5, 50)}, "slider must lie within the hard range"),
        ({"slider": (2, 101)}, "slider must lie within the hard range"),
        ({"slider": (50, 2)}, "slider must lie within the hard range"),
        ({"slider": (50, 50)}, "slider must lie within the hard range"),
        ({"hard": (-10, 100), "slider": (0, 50), "scale": "log"}, "log slider starts above 0"),
        ({"spread": (5, 6)}, "default must lie within its spread"),
        ({"spread": (2, 3)}, "default must lie within its spread"),
    ],
)
def test_a_wrong_input_is_refused_by_name(changed: dict[str, Any], sentence_text: str) -> None:
    with pytest.raises(DeclarationError, match=rf"toy\.size: .*{sentence_text}"):
        toy(inputs_of(size=sized(**changed)))


@pytest.mark.parametrize(
    "changed",
    [
        {"default": 1.0, "slider": (1, 100), "spread": (1.0, 4.0)},
        {"default": 100.0, "slider": (1, 100), "spread": (4.0, 100.0)},
        {"hard": (0, 100), "slider": (0.25, 50), "scale": "log"},
        {"hard": (-1, 100), "slider": (0, 50)},
    ],
)
def test_an_input_may_reach_to_the_ends_of_its_ranges(changed: dict[str, Any]) -> None:
    assert toy(inputs_of(size=sized(**changed))).inputs["size"].default == changed.get("default", 4.0)


def test_a_wrong_unit_of_a_step_is_refused_by_name() -> None:
    @step("furlong", "Doubled")
    def doubled(size: float) -> float:
        return size

    with pytest.raises(DeclarationError, match=r"toy\.doubled: 'furlong'"):
        toy(None, doubled)


def test_a_name_declared_twice_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"toy\.doubled: is declared twice"):
        toy(None, doubled, doubled)
    with pytest.raises(DeclarationError, match=r"toy\.doubled: is declared twice"):
        toy(inputs_of(size=sized(), doubled=sized()))


def test_a_source_that_is_unknown_is_refused() -> None:
    with pytest.raises(DeclarationError, match="no source 'hearsay'"):
        step("B", "Doubled", source="hearsay")(lambda size: size)


def test_names_a_formula_only_mentions_must_exist_too() -> None:
    @step("B", "Doubled", rises_with=("weight",))
    def doubled(size: float) -> float:
        return size

    @constraint("weight")
    def light(size: float) -> str:
        return "" if size else "Too light"

    with pytest.raises(DeclarationError, match=r"toy\.doubled: names weight"):
        toy(None, doubled)
    with pytest.raises(DeclarationError, match=r"toy\.light: names weight"):
        toy(None, doubled.__class__(**{**vars_of(doubled), "rises_with": ()}), light)


def vars_of(formula: AnyFormula) -> dict[str, Any]:
    """A formula's fields."""
    return {field.name: getattr(formula, field.name) for field in dataclasses.fields(formula)}


def test_a_preset_that_fills_no_input_or_has_no_such_record_is_refused() -> None:
    record = facts.Record(key="a", table="toys", name="A", fields={})
    with pytest.raises(DeclarationError, match=r"toy\.kit: fills weight, which is no input"):
        toy(presets=(Preset(name="kit", label="Kit", records=(record,), fills={"weight": "value"}),))
    with pytest.raises(DeclarationError, match=r"toy\.kit: has no record b"):
        toy(presets=(Preset(name="kit", label="Kit", records=(record,), fills={}, default="b"),))


def test_a_headline_that_is_no_formula_of_the_calculator_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"toy\.quadrupled: is a headline"):
        toy(headline=["quadrupled"])


def test_inputs_that_are_no_dataclass_are_refused() -> None:
    with pytest.raises(DeclarationError, match=r"toy\.Inputs: must be a dataclass"):
        toy(dict)


def test_an_input_is_called_what_its_field_is_called() -> None:
    """Also where the declaration was another's before."""
    named = dataclasses.replace(sized().metadata["declared"], name="zebra")
    calculator = toy(inputs_of(size=dataclasses.field(default=4.0, metadata={"declared": named})))
    assert calculator.inputs["size"].name == "size"


def test_only_checks_that_hang_on_what_moves_matter() -> None:
    @constraint("size")
    def not_too_large(doubled: float) -> str:
        return "Too large" if doubled > 100 else ""

    @constraint("size")
    def not_too_small(size: float) -> str:
        return "Too small" if size < 2 else ""

    both = (not_too_large, not_too_small)
    calculator = toy(inputs_of(size=sized(), other=sized(label="Other")), doubled, *both)
    for moved, checks in (({"size"}, both), ({"other"}, ()), ({"size"}, both)):
        assert calculator.checks_on(frozenset(moved), {}) == checks


def test_a_fact_as_default_brings_its_hedge_and_its_source() -> None:
    fact = facts.fact("ckpt-bf16-master-adam")
    declared = quantity(fact, "B/parameter", "Bytes", hard=(1, 64)).metadata["declared"]
    assert (declared.default, declared.spread, declared.fact) == (fact.value, fact.spread, fact)


def test_a_switch_is_a_choice_of_yes_and_no_that_formulas_see_as_a_bool() -> None:
    declared = switch(default=True, label="On").metadata["declared"]
    assert isinstance(declared, Choice)
    assert (declared.key(True), declared.key(False), declared.default) == ("yes", "no", "yes")


def test_the_defaults_of_the_dataclass_are_what_formulas_see() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Inputs:
        size: float = sized()
        mode: str = choice("a", "Mode", {"a": "the first", "b": "the second"})

    inputs = Inputs()
    assert (inputs.size, inputs.mode) == (4.0, "a")


@pytest.mark.parametrize("calculator", CALCULATORS.values(), ids=CALCULATORS.keys())
def test_every_input_says_what_it_is(calculator: Calculator) -> None:
    for declared in calculator.inputs.values():
        assert declared.label[:1].isupper() or declared.label[:1].isdigit(), declared.name
        assert declared.group in calculator.groups, f"{declared.name} is in no group with a title"
        assert isinstance(declared, Quantity | Choice)
    for formula in calculator.steps.values():
        assert formula.label, formula.name
        assert formula.doc, f"{formula.name} has no docstring"


@pytest.mark.parametrize("calculator", CALCULATORS.values(), ids=CALCULATORS.keys())
def test_every_name_in_a_sentence_is_a_value_of_the_graph(calculator: Calculator) -> None:
    known = {*calculator.inputs, *calculator.steps}
    bodies = [ast.parse(formula.body) for formula in calculator.formulas if formula.role != "step"]
    words = [node.value for body in bodies for node in ast.walk(body) if isinstance(node, ast.Constant)]
    for text in (calculator.answer, *words):
        assert set(re.findall(r"\{(\w+)\}", str(text))) <= known, text


@pytest.mark.parametrize("calculator", CALCULATORS.values(), ids=CALCULATORS.keys())
def test_no_verb_in_a_sentence_depends_on_how_many_there_are(calculator: Calculator) -> None:
    counted = "|".join(name for name in [*calculator.inputs, *calculator.steps] if counts(calculator, name))
    verb = r"(need|fit|are|have|take|do|were|give|hold|serve|share)"
    bodies = [ast.parse(formula.body) for formula in calculator.formulas if formula.role != "step"]
    texts = [node.value for body in bodies for node in ast.walk(body) if isinstance(node, ast.Constant)]
    for text in (calculator.answer, *texts):
        assert not re.search(rf"\{{({counted})\}}\W* {verb}\b", str(text)), text


def counts(calculator: Calculator, name: str) -> bool:
    """Whether a value reads as so many of something, of which there may be one: 1 sequence, 2 sequences."""
    declared = calculator.declared(name)
    return (
        not isinstance(declared, Choice) and units.is_count(declared.unit) and declared.unit not in {"1", "parameter"}
    )
