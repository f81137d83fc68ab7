"""Import checks: every slip that fits on one line is refused when the module is imported, naming the culprit."""

from __future__ import annotations

import re
from typing import Any, cast

import pytest

from calculators import facts
from calculators.declare import (
    DeclarationError,
    Preset,
    Verdict,
    absent,
    caution,
    check,
    choice,
    computed,
    quantity,
    step,
    verdict,
)
from calculators.declare.pictures import Bars, Row, Segment, Tone
from tests.declare.test_declare import doubled, inputs_of, quadrupled, sized, toy

ELSEWHERE = "A sentence in a constant names {nobody}."


@step("s", "A time")
def lasting(size: float) -> float:
    return size


@caution
def complaining(size: float) -> str:
    return "Too large: {nobody}" if size else ""


@caution
def complaining_elsewhere(size: float) -> str:
    return ELSEWHERE if size else ""


@check("size")
def checking(size: float) -> str:
    return "" if size else "Give {nobody}"


@verdict("Is it?")
def judging(size: float) -> Verdict:
    return Verdict(level="good", word="it is", reason=_reason()) if size else Verdict(level="bad", word="no")


def _reason() -> str:
    return "Because of {nobody}"


def drawn(*segments: Segment, limit: str = "") -> Bars:
    return Bars(title="Picture", rows=(Row(label="Row", segments=segments),), limit=limit)


SLIPS: dict[str, tuple[dict[str, Any], str]] = {
    "an answer": ({"answer": "It is {nobody}"}, "toy.answer: says {nobody}"),
    "a picture": (
        {"picture": drawn(Segment(value="nobody", tone="work"))},
        "toy.picture: draws nobody, which is neither an input nor a formula",
    ),
    "a picture's limit": (
        {"picture": drawn(Segment(value="size", tone="work"), limit="nobody")},
        "toy.picture: draws nobody",
    ),
    "a tone": (
        {"picture": drawn(Segment(value="size", tone=cast("Tone", "shiny")))},
        "toy.picture: draws size in the tone 'shiny'",
    ),
    "a group without a title": ({"groups": {"other": "Other"}}, "toy.size: stands in the group ''"),
    "no headline": ({"headline": []}, "toy.headline: names no result"),
    "a headline": ({"headline": ["nobody"]}, "toy.nobody: is a headline but no formula"),
    "a first slider": ({"first_sliders": ["nobody"]}, "toy.nobody: is a first slider but no input"),
    "another name of nothing": ({"also_called": {"old": "nobody"}}, "toy.old: is another name of nobody"),
    "another name that is taken": (
        {"also_called": {"doubled": "size"}},
        "toy.doubled: is another name of size and a formula of its own",
    ),
    "a menu without a group": (
        {"presets": (Preset(name="kit", label="Kit", records=(), fills={}, group="nowhere"),)},
        "toy.kit: stands in the group 'nowhere'",
    ),
    "a menu that yields to nothing": (
        {"presets": (Preset(name="kit", label="Kit", records=(), fills={}, yields_to=("nobody",)),)},
        "toy.kit: fills nobody, which is no input",
    ),
}


@pytest.mark.parametrize(("stated", "said"), SLIPS.values(), ids=SLIPS.keys())
def test_a_slip_on_the_page_is_refused_by_name(stated: dict[str, Any], said: str) -> None:
    with pytest.raises(DeclarationError, match=re.escape(said)):
        toy(**stated)


@pytest.mark.parametrize("formula", [complaining, complaining_elsewhere, checking, judging], ids=lambda f: f.name)
def test_a_name_in_a_sentence_that_nobody_has_is_refused(formula: Any) -> None:
    with pytest.raises(DeclarationError, match=rf"toy\.{formula.name}: says {{nobody}}"):
        toy(None, doubled, formula)


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ({"scale": "logarithmic"}, "toy.size: has the scale 'logarithmic'"),
        ({"default": computed("nobody", "counted")}, "toy.size: is otherwise nobody"),
        ({"default": (computed("doubled", "twice", when=("nobody",)), 4.0)}, "is computed when nobody is given"),
        ({"default": computed("doubled", "twice")}, "circle"),
        ({"aliases": ("json",)}, "toy.json: cannot be reached: --json is the command line's own"),
        ({"aliases": ("size",)}, "toy.size: is what two inputs or menus answer to"),
    ],
)
def test_a_slip_in_an_input_is_refused_by_name(field: dict[str, Any], said: str) -> None:
    with pytest.raises(DeclarationError, match=re.escape(said)):
        toy(inputs_of(size=sized(**field)))


def test_an_input_that_is_nothing_without_a_word_for_it_is_refused() -> None:
    lonely = sized(default=computed("doubled_again", "twice", when=("other",)), label="Lonely")
    with pytest.raises(DeclarationError, match=r"toy\.lonely: is nothing that anybody says"):
        toy(inputs_of(size=sized(), other=sized(label="Other"), lonely=lonely), doubled, doubled_again)
    toy(
        inputs_of(size=sized(), lonely=sized(default=absent("none"), label="Lonely")),
    )


@step("B", "Twice again")
def doubled_again(size: float) -> float:
    return 2 * size


def test_only_the_last_of_what_an_input_is_otherwise_may_be_a_number() -> None:
    with pytest.raises(DeclarationError, match="Length: only the last"):
        quantity((4.0, computed("doubled", "twice")), "B", "Length", hard=(1, 100))


def test_a_name_that_is_no_name_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"toy\.Size: is not made of lower-case words"):
        toy(inputs_of(size=sized(), Size=sized()))


def test_a_picture_of_two_kinds_of_things_is_refused() -> None:
    both = drawn(Segment(value="size", tone="work"), Segment(value="lasting", tone="stall"))
    with pytest.raises(DeclarationError, match=r"toy\.picture: draws lasting on one scale with size"):
        toy(None, doubled, lasting, picture=both)


def test_a_circle_that_only_some_given_inputs_close_is_refused_with_what_closes_it() -> None:
    """Each is computed from the other when a third is given; without it, neither is."""
    first = sized(default=(computed("quadrupled", "so", when=("third",)), 4.0), label="First")
    with pytest.raises(DeclarationError, match=r"circle when third is given"):
        toy(inputs_of(size=first, third=sized(label="Third")), doubled, quadrupled)


def test_two_ways_round_that_wait_for_each_other_are_no_circle() -> None:
    """A model's size from its shape, and its shape from its size: whichever is given."""
    inputs = inputs_of(
        size=sized(default=(computed("halved", "half", when=("weight",)), 4.0)),
        weight=sized(default=computed("doubled", "twice"), label="Weight"),
    )
    calculator = toy(inputs, doubled, halved)
    assert calculator.evaluate({"size": 3.0})["weight"] == 6.0
    assert calculator.evaluate({"weight": 10.0})["size"] == 5.0


@step("B", "Half the weight")
def halved(weight: float) -> float:
    return weight / 2


def test_a_choice_needs_its_default_among_its_options() -> None:
    with pytest.raises(DeclarationError, match="Mode: has no option c; there are a, b"):
        choice("c", "Mode", {"a": "the first", "b": "the second"})


def test_a_fact_may_be_the_last_of_what_an_input_is_otherwise() -> None:
    fact = facts.fact("ckpt-bf16-master-adam")
    declared = quantity((computed("doubled", "twice", when=("size",)), fact), "B/parameter", "Bytes", hard=(1, 64))
    assert declared.metadata["declared"].fact == fact
