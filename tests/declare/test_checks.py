"""Import checks: every slip that fits on one line is refused when the module is imported, naming the culprit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

import pytest

from calculators import facts
from calculators.catalog import CALCULATORS
from calculators.cli import calculator as command
from calculators.declare import (
    DeclarationError,
    Option,
    Preset,
    Table,
    Verdict,
    choice,
    computed,
    constraint,
    not_applicable,
    quantity,
    step,
    verdict,
    warning,
)
from calculators.declare.checks import _COMMANDS
from calculators.declare.pictures import Bars, Row, Segment, Tone
from tests.declare.test_declare import doubled, inputs_of, quadrupled, sized, toy

ELSEWHERE = "A sentence in a constant names {unknown}."


@step("s", "A time")
def lasting(size: float) -> float:
    return size


@warning
def complaining(size: float) -> str:
    return "Too large: {unknown}" if size else ""


@warning
def complaining_elsewhere(size: float) -> str:
    return ELSEWHERE if size else ""


@constraint("size")
def checking(size: float) -> str:
    return "" if size else "Give {unknown}"


@verdict("Is it?")
def judging(size: float) -> Verdict:
    return Verdict(level="good", word="it is", reason=_reason()) if size else Verdict(level="bad", word="no")


def _reason() -> str:
    return "Because of {unknown}"


def drawn(*segments: Segment, limit: str = "", limit_label: str = "the limit") -> Bars:
    return Bars(title="Picture", rows=(Row(label="Row", segments=segments),), limit=limit, limit_label=limit_label)


RECORDS = tuple(facts.records("models").values())


def advising(_values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield "Less than {size}", {"size": 1}


def advising_unknown(_values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield "Less than {unknown}", {"size": 1}


def listing_unknown(_values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    yield ("{unknown}",)


SLIPS: dict[str, tuple[dict[str, Any], str]] = {
    "an answer": ({"answer": "It is {unknown}"}, "toy.answer: contains {unknown}"),
    "a picture": (
        {"picture": drawn(Segment(value="unknown", tone="work"))},
        "toy.picture: draws unknown, which is neither an input nor a formula",
    ),
    "a picture's limit": (
        {"picture": drawn(Segment(value="size", tone="work"), limit="unknown")},
        "toy.picture: draws unknown",
    ),
    "a tone": (
        {"picture": drawn(Segment(value="size", tone=cast("Tone", "shiny")))},
        "toy.picture: draws size in the tone 'shiny'",
    ),
    "a group without a title": ({"groups": {"other": "Other"}}, "toy.size: is in the group ''"),
    "an answer with a format": (
        {"answer": "It is {doubled:.1f}"},
        "toy.answer: contains {doubled:.1f}, which is not a plain",
    ),
    "an answer with a space": (
        {"answer": "It is { doubled }"},
        "toy.answer: contains { doubled }, which is not a plain",
    ),
    "an answer with a brace": ({"answer": "It is {doubled"}, "toy.answer: has a brace that holds no name"),
    "a name in a question": ({"title": "How much {size}?"}, "toy.title: contains 'How much {size}?', where no braces"),
    "a name in what is left out": ({"omits": ("No {size}.",)}, "toy.omits: contains 'No {size}.', where no braces"),
    "a name in a group": ({"groups": {"": "The {size}"}}, "toy.groups: contains 'The {size}', where no braces"),
    "a name that no link could say": ({"name": "to-y"}, "to-y.name: is 'to-y', which is not made of lower-case"),
    "a headline twice": ({"headline": ["doubled", "doubled"]}, "toy.doubled: is listed twice in headlines"),
    "a first slider twice": (
        {"first_sliders": ["size", "size"]},
        "toy.size: is listed twice in first sliders",
    ),
    "a picture of nothing": ({"picture": Bars(title="Picture", rows=())}, "toy.picture: has no rows"),
    "a row of nothing": ({"picture": drawn()}, "toy.picture: draws a row of nothing"),
    "a bar twice": (
        {"picture": drawn(Segment(value="size", tone="work"), Segment(value="size", tone="free"))},
        "toy.picture: draws size twice in one row",
    ),
    "no headline": ({"headline": []}, "toy.headline: names no result"),
    "a headline": ({"headline": ["unknown"]}, "toy.unknown: is a headline but no formula"),
    "a first slider": ({"first_sliders": ["unknown"]}, "toy.unknown: is a first slider but no input"),
    "a band that ends nowhere": (
        {"bands": {"doubled": ("doubled", "unknown")}},
        "toy.doubled: has unknown in its band, which is no formula",
    ),
    "a band of nothing": ({"bands": {"size": ("doubled", "doubled")}}, "toy.size: has size in its band, which is no"),
    "another name of nothing": ({"result_aliases": {"old": "unknown"}}, "toy.old: is another name of unknown"),
    "another name that is taken": (
        {"result_aliases": {"doubled": "size"}},
        "toy.doubled: is another name of size and a formula of its own",
    ),
    "a menu without a group": (
        {"presets": (Preset(name="kit", label="Kit", records=(), fills={}, group="nowhere"),)},
        "toy.kit: is in the group 'nowhere'",
    ),
    "a menu that fills with what unknown has": (
        {"presets": (Preset(name="kit", label="Kit", records=RECORDS, fills={"size": "nothing"}),)},
        "toy.kit: fills size with nothing, which none of its records has",
    ),
    "no title": ({"title": ""}, "toy.title: is empty"),
    "nothing left out": ({"omits": ()}, "toy.omits: is empty"),
    "a group of nothing": (
        {"groups": {"": "All inputs", "other": "Other"}},
        "toy.other: is a group that holds no input",
    ),
    "a line that nothing names": (
        {"picture": drawn(Segment(value="size", tone="work"), limit="size", limit_label="")},
        "toy.picture: draws size as a line that nothing names",
    ),
    "advice without a heading": (
        {"recommendations": advising, "recommendations_heading": ""},
        "toy.recommendations: has no heading",
    ),
    "a name in advice": ({"recommendations": advising_unknown}, "toy.recommendations: contains {unknown}"),
    "a name in a sheet": (
        {"tables": (Table(name="bill", title="Bill", about="", columns=("What",), rows=listing_unknown),)},
        "toy.bill: contains {unknown}",
    ),
    "a menu next to an input that it does not fill": (
        {"presets": (Preset(name="kit", label="Kit", records=(), fills={}, secondary=("size",)),)},
        "toy.kit: has the secondary input size, which it does not fill",
    ),
    "a menu that yields to nothing": (
        {"presets": (Preset(name="kit", label="Kit", records=(), fills={}, yields_to=("unknown",)),)},
        "toy.kit: fills unknown, which is no input",
    ),
}


def test_a_band_is_in_the_unit_of_its_result() -> None:
    report = "toy.doubled: has a band that ends at lasting, which is measured in another unit"
    with pytest.raises(DeclarationError, match=report):
        toy(None, doubled, lasting, bands={"doubled": ("doubled", "lasting")})


@pytest.mark.parametrize(("stated", "message"), SLIPS.values(), ids=SLIPS.keys())
def test_a_slip_on_the_page_is_refused_by_name(stated: dict[str, Any], message: str) -> None:
    with pytest.raises(DeclarationError, match=re.escape(message)):
        toy(**stated)


@pytest.mark.parametrize("formula", [complaining, complaining_elsewhere, checking, judging], ids=lambda f: f.name)
def test_a_name_in_a_sentence_that_does_not_exist_is_refused(formula: Any) -> None:
    with pytest.raises(DeclarationError, match=rf"toy\.{formula.name}: contains {{unknown}}"):
        toy(None, doubled, formula)


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ({"scale": "logarithmic"}, "toy.size: has the scale 'logarithmic'"),
        ({"default": computed("unknown", "counted")}, "toy.size: is computed from unknown"),
        ({"default": (computed("doubled", "twice", when=("unknown",)), 4.0)}, "is computed when unknown is given"),
        ({"default": computed("doubled", "twice")}, "circle"),
        ({"label": ""}, "toy.size: has no label"),
        ({"help": "Of {size}."}, "toy.size: contains 'Of {size}.', where no braces are filled in"),
        ({"spread": (2, 101)}, "toy.size: the spread must lie within the hard range"),
        ({"spread": (0.5, 5)}, "toy.size: the spread must lie within the hard range"),
        ({"aliases": ("json",)}, "toy.json: cannot be reached: --json is the command line's own"),
        ({"aliases": ("was",)}, "toy.was: cannot be reached: a link ends in was=…"),
        ({"aliases": ("size",)}, "toy.size: is a name of two inputs or menus"),
    ],
)
def test_a_slip_in_an_input_is_refused_by_name(field: dict[str, Any], message: str) -> None:
    with pytest.raises(DeclarationError, match=re.escape(message)):
        toy(inputs_of(size=sized(**field)))


def test_every_option_of_the_command_line_is_its_own() -> None:
    """What calculators cannot call an input is what argparse is given besides inputs, menus and tables."""
    for calculator in CALCULATORS.values():
        parser = command.parser(calculator)
        declared = {*calculator.canonical_names, *(table.name for table in calculator.tables)}
        flags = {flag.strip("-").replace("-", "_") for action in parser._actions for flag in action.option_strings}
        assert flags - declared - {"h"} <= _COMMANDS


@pytest.mark.parametrize("options", [{"a-b": "One", "A_b": "Another"}, {"a": "One", "b": Option(value="a", label="B")}])
def test_an_option_that_resembles_another_is_refused(options: dict[str, Any]) -> None:
    mode = choice(next(iter(options)), "Mode", options)
    with pytest.raises(DeclarationError, match=r"toy\.mode: has the option .*, which looks like another option"):
        toy(inputs_of(size=sized(), mode=mode))


@step("B", "A text")
def speaking(size: float) -> str:
    return "small" if size else ""


@verdict("Is it?")
def counting(size: float) -> Any:
    return size


@pytest.mark.parametrize("formula", [speaking, counting], ids=lambda formula: formula.name)
def test_a_formula_that_returns_what_its_role_does_not_is_refused(formula: Any) -> None:
    with pytest.raises(DeclarationError, match=rf"toy\.{formula.name}: is a \w+ and returns"):
        toy(None, doubled, formula)


@step("B", "")
def unlabelled(size: float) -> float:
    return size


@step("B", "Untyped")
def untyped(size: float):  # type: ignore[no-untyped-def]  # noqa: ANN201  the slip
    return size


@step("B", "Both ways", rises_with=("size",), falls_with=("size",))
def both_ways(size: float) -> float:
    return size


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (unlabelled, "toy.unlabelled: has no label"),
        (untyped, "toy.untyped: does not say what it returns"),
        (both_ways, "toy.both_ways: rises and falls with size"),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_a_slip_in_a_formula_is_refused_by_name(formula: Any, message: str) -> None:
    with pytest.raises(DeclarationError, match=re.escape(message)):
        toy(None, doubled, formula)


def test_a_limit_in_another_unit_than_the_bars_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"toy\.picture: draws lasting on one scale with size"):
        toy(None, doubled, lasting, picture=drawn(Segment(value="size", tone="work"), limit="lasting"))


def test_every_sheet_has_a_cell_for_each_column() -> None:
    for calculator in CALCULATORS.values():
        for sheet in calculator.tables:
            rows = list(sheet.rows(calculator.evaluate({})))
            assert {len(row) for row in rows} == {len(sheet.columns)}, (calculator.name, sheet.name)


def test_an_input_that_is_nothing_without_a_word_for_it_is_refused() -> None:
    lonely = sized(default=computed("doubled_again", "twice", when=("other",)), label="Lonely")
    with pytest.raises(DeclarationError, match=r"toy\.lonely: has neither a default nor a word"):
        toy(inputs_of(size=sized(), other=sized(label="Other"), lonely=lonely), doubled, doubled_again)
    toy(
        inputs_of(size=sized(), lonely=sized(default=not_applicable("none"), label="Lonely")),
    )


@step("B", "Twice again")
def doubled_again(size: float) -> float:
    return 2 * size


def test_only_the_last_of_an_inputs_fallbacks_may_be_a_number() -> None:
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


def test_of_inputs_that_decide_only_those_that_close_the_circle_are_named() -> None:
    """Two inputs decide next to the circle, two must be given to close it, and which they are is what is said."""
    guarded = {
        "size": sized(default=(computed("weight", "so", when=("third",)), 4.0)),
        "weight": sized(default=(computed("doubled", "so", when=("fourth",)), 4.0), label="Weight"),
        "fifth": sized(default=(computed("doubled", "so", when=("aside",)), 4.0), label="Fifth"),
        "third": sized(default=(computed("fifth", "so", when=("afar",)), 4.0), label="Third"),
    }
    others = {name: sized(label=name.title()) for name in ("fourth", "aside", "afar")}
    with pytest.raises(DeclarationError, match=r"circle when fourth and third is given: .*doubled"):
        toy(inputs_of(**guarded, **others), doubled)


def test_more_inputs_that_decide_about_a_circle_than_can_be_looked_at_are_refused() -> None:
    """Ten next to a circle that others decide about are no more than none."""
    many = {f"guard_{place}": sized(label=f"Guard {place}") for place in range(10)}
    weight = sized(default=(computed("doubled", "so", when=tuple(many)), 4.0), label="Weight")
    assert toy(inputs_of(size=sized(), weight=weight, **many), doubled).evaluate({"guard_3": 2.0})["weight"] == 8.0
    size = sized(default=(computed("weight", "so", when=("guard_0",)), 4.0))
    with pytest.raises(DeclarationError, match=r"guard_0: is one of 10 inputs that decide what others are; 9 can be"):
        toy(inputs_of(size=size, weight=weight, **many), doubled)


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


def test_a_fact_may_be_the_last_of_an_inputs_fallbacks() -> None:
    fact = facts.fact("ckpt-bf16-master-adam")
    declared = quantity((computed("doubled", "twice", when=("size",)), fact), "B/parameter", "Bytes", hard=(1, 64))
    assert declared.metadata["declared"].fact == fact
