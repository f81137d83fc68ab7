"""Properties that follow from the declarations alone and hold for every calculator, those still to be written too."""

from __future__ import annotations

import itertools
import math
import os
import random
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.answers import sliders
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import AnyFormula, Calculator, Choice, Quantity, Values, Verdict
from tests.each import each
from tests.readers import anywhere, chances, few, near, states

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = sorted(CALCULATORS)
QUANTITIES = [
    pytest.param(calculator, declared, id=f"{calculator.name}.{declared.name}")
    for calculator in CALCULATORS.values()
    for declared in calculator.inputs.values()
    if isinstance(declared, Quantity)
]
STEPS = [
    pytest.param(calculator, formula, id=f"{calculator.name}.{formula.name}")
    for calculator in CALCULATORS.values()
    for formula in calculator.steps.values()
]
MOVES = [
    pytest.param(calculator, formula, name, direction, id=f"{calculator.name}.{formula.name}-{word}-with-{name}")
    for calculator in CALCULATORS.values()
    for formula in calculator.steps.values()
    for word, direction, names in (("rises", 1, formula.rises_with), ("falls", -1, formula.falls_with))
    for name in names
    if name in calculator.inputs  # what one calculator asks for, another may compute
]
_PAIRS = 400  # of inputs; EVERY=1 tries them all


def blamed(calculator: Calculator, values: Mapping[str, Any]) -> bool:
    """Whether a check on inputs alone says that these inputs mean nothing together."""
    checks = [c for c in calculator.of_role("constraint") if set(c.needs) <= set(calculator.inputs)]
    return any(check.function(*[values[need] for need in check.needs]) for check in checks)


def moving(calculator: Calculator) -> dict[str, list[tuple[str, int]]]:
    """Input -> the results that it is declared to move, and which way."""
    found: dict[str, list[tuple[str, int]]] = {}
    for formula in calculator.steps.values():
        for direction, names in ((1, formula.rises_with), (-1, formula.falls_with)):
            for name in filter(calculator.inputs.__contains__, names):
                assert isinstance(calculator.inputs[name], Quantity), f"{name} is no number"
                found.setdefault(name, []).append((formula.name, direction))
    return found


@cache
def default_values(calculator_name: str) -> dict[str, Any]:
    """The inputs' values when nothing is given."""
    return dict(parse_inputs(CALCULATORS[calculator_name], {}).values)


def assert_finite(calculator: Calculator, inputs: Mapping[str, Any]) -> None:
    """Every result is a finite number or a verdict, unless a check refuses the inputs."""
    if not blamed(calculator, inputs):
        assert_values_finite(calculator, calculator.evaluate(inputs))


def assert_values_finite(calculator: Calculator, values: Mapping[str, Any]) -> None:
    """Each is a finite number or a verdict, and has words; the numbers of records are finite."""
    for name, value in values.items():
        if isinstance(value, int | float):
            assert math.isfinite(value), f"{name} = {value}"
            assert calculator.text(name, value)
        else:
            assert all(map(math.isfinite, numbers_in(value))), f"{name} = {value}"


def numbers_in(value: object) -> Iterator[float]:
    """The numbers of a record."""
    if isinstance(value, int | float):
        yield value
    elif isinstance(value, tuple):
        yield from itertools.chain.from_iterable(map(numbers_in, value))
    elif value is not None and not isinstance(value, Verdict | str):
        yield from numbers_in(tuple((value if isinstance(value, Mapping) else vars(value)).values()))


def ends(declared: Quantity | Choice) -> list[Any]:
    """The ends of a hard range, or all options."""
    if isinstance(declared, Choice):
        return [option.value for option in declared.options.values()]
    return [*declared.hard, *([None] if declared.not_applicable else [])]


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", NAMES)
def test_results_are_finite_where_one_or_two_inputs_are_at_an_end(name: str) -> None:
    calculator = CALCULATORS[name]
    start = calculator.evaluate(default_values(name))
    pairs = list(itertools.combinations(calculator.inputs.values(), 2))
    if len(pairs) > _PAIRS and not os.environ.get("EVERY"):
        pairs = random.Random(name).sample(pairs, _PAIRS)  # noqa: S311  some, the same every time
    for one, other in pairs:
        for first, second in itertools.product(ends(one), ends(other)):
            changes = {one.name: first, other.name: second}
            if not blamed(calculator, {**start, **changes}):
                found = calculator.after(start, changes)
                assert_values_finite(calculator, {key: v for key, v in found.items() if v is not start[key]})


@pytest.mark.parametrize("name", NAMES)
@given(chance=chances())
def test_results_are_finite_in_every_corner(name: str, chance: random.Random) -> None:
    calculator = CALCULATORS[name]
    assert_finite(calculator, {key: chance.choice(ends(declared)) for key, declared in calculator.inputs.items()})


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150)
@given(data=st.data())
def test_results_are_finite_over_the_hard_range(name: str, data: st.DataObject) -> None:
    calculator = CALCULATORS[name]
    assert_finite(calculator, data.draw(st.one_of(states(calculator), near(calculator, default_values(name)))))


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", [name for name in NAMES if moving(CALCULATORS[name])])
@settings(max_examples=60)
@given(chance=chances())
def test_results_rise_and_fall_as_declared(name: str, chance: random.Random) -> None:
    """From any state that no check refuses, whatever is said to move a result is moved, one input at a time."""
    calculator = CALCULATORS[name]
    start = chance.choice(known_states(name))
    state = {**{key: start[key] for key in calculator.inputs}, **few(calculator, chance, 4)}
    if blamed(calculator, state):
        return
    values = calculator.evaluate(state)
    for moved, results in moving(calculator).items():
        one, other = (anywhere(calculator.inputs[moved], chance) for _ in range(2))
        if one is None or other is None:
            continue  # given or not is no movement
        low, high = sorted((one, other))
        if any(blamed(calculator, {**state, moved: end}) for end in (low, high)):
            continue
        before, after = (calculator.after(values, {moved: end}) for end in (low, high))
        for result, direction in results:
            message = f"{result} with {moved} from {low} to {high}: {before[result]} to {after[result]}"
            slack = 1e-9 * max(abs(before[result]), abs(after[result]), 1e-4)  # less is rounding
            assert (after[result] - before[result]) * direction >= -slack, message


@pytest.mark.daily(5)
@each(MOVES)
def test_a_declared_movement_is_seen_somewhere(
    calculator: Calculator, formula: AnyFormula, name: str, direction: int
) -> None:
    declared = calculator.inputs[name]
    assert isinstance(declared, Quantity)
    for start in known_states(calculator.name):
        found = [
            calculator.after(start, {name: value}, formula.name)[formula.name]
            for value in sliders.stops(declared)
            if not blamed(calculator, {**start, name: value})
        ]
        if found and (found[-1] - found[0]) * direction > 0:
            return
    over = " to ".join(declared.box(stop) for stop in declared.slider)
    pytest.fail(
        f"{formula.name} never moves with {name} over its slider, {over}, from the default or a menu's record: "
        "another slider, or no rises_with or falls_with"
    )


@cache
def known_states(name: str) -> list[Values]:
    """Every state of some_states that no check refuses, evaluated."""
    calculator = CALCULATORS[name]
    return [calculator.evaluate(state) for state in some_states(calculator) if not blamed(calculator, state)]


def some_states(calculator: Calculator) -> Iterator[dict[str, Any]]:
    """The defaults, every record of every preset, and every option of every choice."""
    yield default_values(calculator.name)
    for preset in calculator.presets:
        for record in preset.records:
            yield dict(parse_inputs(calculator, {preset.name: record.key}).values)
    for name, declared in calculator.inputs.items():
        if isinstance(declared, Choice):
            for key in declared.options:
                yield dict(parse_inputs(calculator, {name: key}).values)


@pytest.mark.daily(5)
@each(QUANTITIES)
def test_the_stops_of_a_slider_ascend_from_one_end_to_the_other(calculator: Calculator, declared: Quantity) -> None:
    stops = sliders.stops(declared)
    assert stops[0] == declared.slider[0]
    assert stops[-1] == declared.slider[1]
    assert all(before < after for before, after in itertools.pairwise(stops))
    assert 3 <= len(stops) <= 300
    if declared.whole:
        assert all(stop == round(stop) for stop in stops)
    for place, stop in enumerate(stops):
        assert sliders.nearest_stop(declared, stop) == place
        assert (
            not parse_inputs(calculator, {declared.name: declared.box(stop)})
            .problems.get(declared.name, "")
            .count("between")
        )


@each(QUANTITIES)
def test_the_boxes_of_a_slider_are_short(calculator: Calculator, declared: Quantity) -> None:
    inner = sliders.stops(declared)[1:-1]
    long = [declared.box(stop) for stop in inner if len(re.sub(r"\D", "", declared.box(stop).partition("/")[0])) > 6]
    assert not long


@each(QUANTITIES)
def test_a_default_lies_within_the_slider_so_that_it_can_be_dragged_away_and_back(
    calculator: Calculator, declared: Quantity
) -> None:
    value = default_values(calculator.name)[declared.name]
    if value is not None:
        assert declared.hard[0] <= value <= declared.hard[1]
        assert declared.slider[0] <= value <= declared.slider[1]


DRAFTED = {"draft_tokens": 64, "draft_acceptance_rate": 1, "prefill_chunk": 16, "sizing": "objective"}


@pytest.mark.parametrize(
    "given",
    [
        {"input_tokens": 1.0, "output_tokens": 1e8},  # to the last digit none is away
        {"output_tokens": 1, "concurrent_sequences": 1e6, **DRAFTED},  # hardly one decodes
    ],
)
def test_users_who_all_wait_for_the_same_have_a_finite_answer(given: dict[str, Any]) -> None:
    assert_finite(CALCULATORS["inference"], {**default_values("inference"), "concurrent_users": 1e9, **given})
