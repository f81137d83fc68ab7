"""Declarations: a calculator is its inputs and a graph of named formulas, checked when it is imported.

A formula's parameter names are its wiring: each names an input or another formula. Everything else in the product
(form, results, working, links, command line, most tests) is derived from what is declared here.
"""

import dataclasses
import graphlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from calculators import units
from calculators.declare.errors import DeclarationError
from calculators.declare.formulas import Formula, Role
from calculators.declare.inputs import Choice, Input, Preset, Quantity

Values = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Calculator:
    """A calculator: declared once, checked on construction.

    `answer` is the sentence with {names} in it; `headline` the results readers came for, the most wanted first;
    `first_sliders` the inputs that matter most, for places with room for a few;
    `estimate` fills inputs from what was given when nothing else does;
    `advice` proposes changes of inputs, tried by explore; `picture` draws the answer (pictures.py).
    """

    name: str
    title: str
    question: str
    answer: str
    inputs_type: type
    formulas: Sequence[Formula]
    headline: Sequence[str]
    first_sliders: Sequence[str] = ()
    presets: Sequence[Preset] = ()
    groups: Mapping[str, str] = dataclasses.field(default_factory=dict)
    assumptions: Sequence[str] = ()
    omits: Sequence[str] = ()
    estimate: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    advice: Callable[[Mapping[str, Any]], Iterable[tuple[str, Mapping[str, Any]]]] | None = None
    picture: Any = None

    def __post_init__(self) -> None:
        """Check the graph, naming the culprit."""
        _check_graph(self)

    @cached_property
    def inputs(self) -> Mapping[str, Input]:
        """The declared inputs by name."""
        return {
            field.name: dataclasses.replace(field.metadata["declared"], name=field.name)
            for field in dataclasses.fields(self.inputs_type)
        }

    @cached_property
    def steps(self) -> Mapping[str, Formula]:
        """The formulas that give results (steps and verdicts), in the order in which they can be computed."""
        named = {formula.name: formula for formula in self.formulas if formula.role in {"step", "verdict"}}
        order = graphlib.TopologicalSorter({name: named[name].needs for name in named}).static_order()
        return {name: named[name] for name in order if name in named}

    @cached_property
    def canonical_names(self) -> Mapping[str, str]:
        """Every name readers may use (with underscores, aliases too) -> the declared name of the input or preset."""
        names = {preset.name: preset.name for preset in self.presets}
        for declared in self.inputs.values():
            for alias in (declared.name, *declared.aliases):
                names[alias] = declared.name
        return names

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """The value of every input that nobody gives, in base units."""
        return {
            name: declared.options[declared.default].value if isinstance(declared, Choice) else declared.default
            for name, declared in self.inputs.items()
        }

    @cached_property
    def choices(self) -> frozenset[str]:
        """The names of the inputs with named options."""
        return frozenset(name for name, declared in self.inputs.items() if isinstance(declared, Choice))

    @cached_property
    def followers(self) -> Mapping[str, str]:
        """The inputs that take another's value unless given, with the name of that other."""
        quantities = ((name, declared) for name, declared in self.inputs.items() if isinstance(declared, Quantity))
        return {name: declared.follows for name, declared in quantities if declared.follows}

    @cached_property
    def input_checks(self) -> tuple[Formula, ...]:
        """The checks that look at inputs alone."""
        return tuple(check for check in self.of_role("check") if self.inputs.keys() >= set(check.needs))

    def of_role(self, role: Role) -> tuple[Formula, ...]:
        """The formulas of one role, as declared."""
        return tuple(formula for formula in self.formulas if formula.role == role)

    def evaluate(self, values: Mapping[str, Any]) -> Values:
        """Every input and result by name, from the inputs' values in base units. Raises what the formulas raise."""
        known = dict(values)
        for name, formula in self.steps.items():
            known[name] = formula.function(*[known[need] for need in formula.needs])
        return known

    def after(self, values: Mapping[str, Any], changes: Mapping[str, Any], result: str = "") -> Values:
        """Every value after changes of inputs, from `values` before them: only what depends on them is computed anew.

        With `result`, only as far as that one needs; the others are then worth nothing.
        """
        known = {**values, **changes}
        for formula in self._dependents(frozenset(changes), result):
            known[formula.name] = formula.function(*[known[need] for need in formula.needs])
        return known

    def _dependents(self, changed: frozenset[str], result: str) -> tuple[Formula, ...]:
        """The formulas that depend on these inputs, and on which the result depends, in order."""
        found = self._known_dependents.get((changed, result))
        if found is None:
            moved = set(changed)
            wanted = {result} if result else set(self.steps)
            for name, formula in self.steps.items():
                if not moved.isdisjoint(formula.needs):
                    moved.add(name)
            for name, formula in reversed(list(self.steps.items())):
                if name in wanted:
                    wanted.update(formula.needs)
            found = tuple(formula for name, formula in self.steps.items() if name in moved & wanted)
            self._known_dependents[changed, result] = found
        return found

    @cached_property
    def _known_dependents(self) -> dict[tuple[frozenset[str], str], tuple[Formula, ...]]:
        return {}

    def declared(self, name: str) -> Input | Formula:
        """The input or formula of this name."""
        return self.inputs[name] if name in self.inputs else self.steps[name]

    def text(self, name: str, value: Any) -> str:
        """The value of an input or result as readers see it."""
        return self.declared(name).text(value)


def _check_graph(calculator: Calculator) -> None:  # noqa: C901, PLR0912  one question after another, none nested
    def refuse(culprit: str, what: str) -> None:
        message = f"{calculator.name}.{culprit}: {what}"
        raise DeclarationError(message)

    if not dataclasses.is_dataclass(calculator.inputs_type):
        refuse("Inputs", "must be a dataclass of declared inputs")
    names = [*calculator.inputs, *(formula.name for formula in calculator.formulas)]
    for name in names:
        if names.count(name) > 1:
            refuse(name, "is declared twice")
    for declared in calculator.inputs.values():
        _check_input(calculator, declared, refuse)
    values = {*calculator.inputs, *(f.name for f in calculator.formulas if f.role in {"step", "verdict"})}
    for formula in calculator.formulas:
        for need in formula.needs:
            if need not in values:
                refuse(formula.name, f"needs {need}, which is neither an input nor a formula")
        for named in (*formula.rises_with, *formula.falls_with, *filter(None, [formula.about])):
            if named not in values:
                refuse(formula.name, f"names {named}, which is neither an input nor a formula")
        if formula.role == "step":
            _check_unit(formula.name, formula.unit, refuse)
    try:
        _ = calculator.steps
    except graphlib.CycleError as error:
        refuse(error.args[1][0], "goes round in a circle: " + " -> ".join(error.args[1]))
    for preset in calculator.presets:
        for name in preset.fills:
            if name not in calculator.inputs:
                refuse(preset.name, f"fills {name}, which is no input")
        if preset.default and preset.default not in {record.key for record in preset.records}:
            refuse(preset.name, f"has no record {preset.default}")
    for slider in calculator.first_sliders:
        if slider not in calculator.inputs:
            refuse(slider, "is a first slider but no input of this calculator")
    for headline in calculator.headline:
        if headline not in values:
            refuse(headline, "is a headline but no formula of this calculator")


def _check_unit(name: str, unit: str, refuse: Callable[[str, str], None]) -> None:
    try:
        units.unit(unit)
    except units.UnitError as error:
        refuse(name, str(error))


def _check_input(calculator: Calculator, declared: Input, refuse: Callable[[str, str], None]) -> None:
    if isinstance(declared, Choice):
        if declared.default not in declared.options:
            refuse(declared.name, f"has no option {declared.default}")
        return
    _check_unit(declared.name, declared.unit, refuse)
    (low, high), (start, end) = declared.hard, declared.slider
    special = bool(declared.zero) and declared.default == 0
    if not special and not low <= declared.default <= high:
        refuse(declared.name, f"default {declared.default:g} lies outside {low:g} to {high:g}")
    if not (low <= start < end <= high or (declared.zero and start < end <= high)):
        refuse(declared.name, "the slider must lie within the hard range")
    if declared.scale == "log" and start <= 0:
        refuse(declared.name, "a log slider starts above 0")
    if declared.spread and not special and not declared.spread[0] <= declared.default <= declared.spread[1]:
        refuse(declared.name, "the default must lie within its spread")
    if declared.follows and declared.follows not in calculator.inputs:
        refuse(declared.name, f"follows {declared.follows}, which is no input")
