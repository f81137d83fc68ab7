"""Properties that follow from the declarations alone and hold for every calculator, those still to be written too."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import pint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators import units
from calculators.answers import sliders
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import AnyFormula, Calculator, Choice, Formula, Quantity, Values, Verdict
from tests.each import each
from tests.readers import anywhere, chances, few, near, states

if TYPE_CHECKING:
    import random
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
TIME_CONSTANTS = {"MONTH": "s", "MINUTE": "s", "HOUR": "s", "DAY": "s", "YEAR": "s", "GIB": "B"}
SCALED = ("data", "time", "energy", "money", "mass", "flop", "volume", "temperature", "current", "length")
# Formulas that contain a number with a unit: 6 FLOPs per parameter, a save of 51 s, what a kind of cooling carries.
NUMBERS_WITH_UNITS: frozenset[tuple[str, str]] = frozenset(
    (name, "flop")
    for name in (
        "attention_share",
        "causal_attention_flops",
        "causal_flops_per_token",
        "full_flops_per_token",
        "mfu_without_attention",
        "model_flops_per_token",
    )
) | {
    ("typical_time_to_safe", "time"),
    ("usual_frozen_bytes", "data"),  # two bytes of what stays in 16 bits
    *((f"frozen_{which}_flops", "flop") for which in ("parameter", "product")),  # two FLOPs for a product
    *(
        (name, dimension)
        for name in ("usual_cooling_limit", "heat_btu_per_hour", "cooling_tons")
        for dimension in ("energy", "time")
    ),
    # NCCL's constants: latencies of hops, ceilings of protocols, corrections by size; six FLOPs for each parameter.
    *((f"{way}_latency", "time") for way in ("ring_ll", "ring_ll128", "ring_simple", "tree_ll", "tree_ll128")),
    *((name, "time") for name in ("tree_simple_latency", "nvls_latency", "sharp_latency", "direct_latency")),
    *((name, "data") for name in ("tree_simple_time", "weight_slab")),
    *((name, "flop") for name in ("compute_time", "layout_mfu")),
    *(("ll_limit", dimension) for dimension in ("data", "time")),
    ("post_time", "time"),
    # Prices by tier: so many dollars for each byte up to so many bytes.
    *((name, dimension) for name in ("tiered_storage_price", "tiered_egress_price") for dimension in ("data", "money")),
    ("tiered_storage_price", "time"),
    # Serving: usual latencies and rates; two bytes of what stays in 16 bits; two and four FLOPs for a product.
    *((name, "time") for name in ("typical_layer_latency", "typical_allreduce_latency", "typical_offload_bandwidth")),
    *(
        (name, "data")
        for name in ("product_bits", "token_allreduce_time", "typical_offload_bandwidth", "extra_output_layer_read")
    ),
    *(("speed_overstated", dimension) for dimension in ("data", "time")),
    ("wide_table_memory", "data"),
    *(
        (name, "flop")
        for name in ("prompt_attention_flops", "prefill_flops", "sequence_flops", "sequence_decode_compute_time")
    ),
}


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


@pytest.mark.parametrize("name", NAMES)
def test_results_are_finite_where_one_or_two_inputs_stand_at_an_end(name: str) -> None:
    calculator = CALCULATORS[name]
    start = calculator.evaluate(default_values(name))
    for one, other in itertools.combinations(calculator.inputs.values(), 2):
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


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150)
@given(data=st.data())
def test_results_are_finite_over_the_hard_range(name: str, data: st.DataObject) -> None:
    calculator = CALCULATORS[name]
    assert_finite(calculator, data.draw(st.one_of(states(calculator), near(calculator, default_values(name)))))


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
            said = f"{result} with {moved} from {low} to {high}: {before[result]} to {after[result]}"
            slack = 1e-9 * max(abs(before[result]), abs(after[result]), 1e-4)  # less is rounding
            assert (after[result] - before[result]) * direction >= -slack, said


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
    pytest.fail(f"{formula.name} never moves with {name}")


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


def power(calculator: Calculator, name: str, dimension: str) -> int:
    """To which power a value depends on the unit of a dimension."""
    declared = calculator.declared(name)
    if isinstance(declared, Choice) or not declared.unit:
        return 0
    return dict(units.unit(declared.unit).dimensions).get(dimension, 0)


def rescaled(calculator: Calculator, name: str, values: Mapping[str, Any], dimension: str) -> Any:
    """A value stated in a unit an eighth as large; a record of such values."""
    declared, value = calculator.declared(name), values[name]
    if isinstance(declared, Formula) and declared.role == "record":
        return declared.function(*[rescaled(calculator, need, values, dimension) for need in declared.needs])
    exponent = power(calculator, name, dimension)
    return value if value is None or not exponent else value * 8.0**exponent


def follows_its_unit(calculator: Calculator, formula: AnyFormula, values: Mapping[str, Any], dimension: str) -> bool:
    """Whether the formula, its arguments being stated in a unit an eighth as large, gives its result in that unit."""
    scaled = [rescaled(calculator, need, values, dimension) for need in formula.needs]
    after, before = formula.function(*scaled), values[formula.name]
    if isinstance(before, Verdict) or before is None:
        return bool(after == before)
    expected = before * 8.0 ** power(calculator, formula.name, dimension)
    largest = max((abs(value) for value in scaled if isinstance(value, float)), default=0.0)
    return math.isclose(after, expected, rel_tol=1e-9, abs_tol=1e-9 * largest if after * expected <= 0 else 0.0)


def scaled_constants(calculator: Calculator, formula: AnyFormula, dimension: str, patch: pytest.MonkeyPatch) -> None:
    """Let constants of time and data follow the unit as well: of its module, or of all where others compute it."""
    made_of = calculator.formulas if formula.written else (formula,)
    modules = {id(one.function.__globals__): one.function.__globals__ for one in made_of}
    for constant, unit in TIME_CONSTANTS.items():
        if scale := dict(units.unit(unit).dimensions).get(dimension, 0):
            for known in modules.values():
                if constant in known:
                    patch.setitem(known, constant, getattr(units, constant) * 8.0**scale)


@each(STEPS)
def test_a_result_follows_its_unit(calculator: Calculator, formula: AnyFormula) -> None:
    """Of any dimension: time, data, money and the others, each stated in a unit an eighth as large."""
    for dimension in SCALED:
        with pytest.MonkeyPatch.context() as patch:
            scaled_constants(calculator, formula, dimension, patch)
            states = known_states(calculator.name)
            followed = all(follows_its_unit(calculator, formula, values, dimension) for values in states)
        excepted = (formula.name, dimension) in NUMBERS_WITH_UNITS
        assert followed != excepted, f"{dimension}: {'it needs no exception' if excepted else 'it does not follow'}"


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
def test_a_default_stands_within_the_slider_so_that_it_can_be_dragged_away_and_back(
    calculator: Calculator, declared: Quantity
) -> None:
    value = default_values(calculator.name)[declared.name]
    if value is not None:
        assert declared.hard[0] <= value <= declared.hard[1]
        assert declared.slider[0] <= value <= declared.slider[1]


@cache
def registry() -> pint.UnitRegistry[Any]:
    """Pint with our counts and money."""
    known: pint.UnitRegistry[Any] = pint.UnitRegistry()
    known.define("FLOP = [computation]")
    known.define("USD = [money]")
    return known


@pytest.mark.parametrize(
    ("ours", "theirs", "base"),
    [
        ("kB", "kilobyte", "byte"),
        ("GB", "gigabyte", "byte"),
        ("EB", "exabyte", "byte"),
        ("KiB", "kibibyte", "byte"),
        ("GiB", "gibibyte", "byte"),
        ("TiB", "tebibyte", "byte"),
        ("Gbit/s", "gigabit/second", "byte/second"),
        ("TB/s", "terabyte/second", "byte/second"),
        ("min", "minute", "second"),
        ("h", "hour", "second"),
        ("day", "day", "second"),
        ("week", "week", "second"),
        ("year", "julian_year", "second"),
        ("µs", "microsecond", "second"),
        ("kW", "kilowatt", "joule/second"),
        ("kWh", "kilowatt_hour", "joule"),
        ("GWh", "gigawatt_hour", "joule"),
        ("g/kWh", "gram/kilowatt_hour", "kilogram/joule"),
        ("L/kWh", "liter/kilowatt_hour", "liter/joule"),
        ("t", "metric_ton", "kilogram"),
        ("TFLOP/s", "teraFLOP/second", "FLOP/second"),
        ("ZFLOP", "zettaFLOP", "FLOP"),
        ("USD/kWh", "USD/kilowatt_hour", "USD/joule"),
        ("month", "month", "second"),
        ("K", "kelvin", "kelvin"),
        ("kA", "kiloampere", "ampere"),
        ("kV", "kilovolt", "joule/second/ampere"),
        ("MVA", "megavolt_ampere", "joule/second"),
        ("L/s", "liter/second", "liter/second"),
        ("L/min", "liter/minute", "liter/second"),
        ("m3/h", "meter**3/hour", "liter/second"),
        ("CFM", "foot**3/minute", "liter/second"),
        ("J/L/K", "joule/liter/kelvin", "joule/liter/kelvin"),
        ("km", "kilometer", "meter"),
        ("USD/TB-month", "USD/terabyte/month", "USD/byte/second"),
        ("USD/GB", "USD/gigabyte", "USD/byte"),
        ("IOPS", "1/second", "1/second"),
        ("DWPD", "1/day", "1/second"),
        ("token/s", "1/second", "1/second"),
    ],
)
def test_pint_agrees_with_the_factors(ours: str, theirs: str, base: str) -> None:
    assert units.unit(ours).factor == pytest.approx(registry()(theirs).to(base).magnitude, rel=1e-12)
