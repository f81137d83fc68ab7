"""A calculator: its inputs and a graph of named formulas.

A formula's parameter names are its wiring: each names an input or another formula. Everything else in the product
(form, results, working, links, command line, most tests) is derived from what is declared here.
"""

import contextlib
import dataclasses
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from calculators import units
from calculators.declare.cost_lines import CostLines
from calculators.declare.formulas import VALUE_ROLES, AnyFormula, Role
from calculators.declare.graph import Graph
from calculators.declare.inputs import Choice, Input, Preset, Quantity
from calculators.declare.measurements import Measurement, RunReader
from calculators.declare.memo import identical, store
from calculators.declare.pictures import Bars
from calculators.declare.subgraph import Evaluator, Finder, Trial
from calculators.declare.tables import Table
from calculators.declare.tradeoffs import Tradeoff
from calculators.declare.values import Values

# Neither limit changes a value, only the work. The states evaluated last halve the evaluation per slider move
# (inference: 0.4 instead of 0.8 ms, `python -m tooling.timing`).
_MOST_MOVED = 1024
_MOST_EVALUATED = 8  # states by the inputs given, to which a page returns
# With this many changed inputs it is no less work to compute everything.
_MANY_CHANGES = 16
CHECKS: list[Callable[["Calculator"], None]] = []  # of every declaration, from the modules that know their subject


@dataclass(frozen=True, kw_only=True)
class Calculator:
    """A calculator: declared once, checked on construction (checks.py).

    `answer` is the sentence, with {names} in it; `headline` the main results, the most important first;
    `first_sliders` the inputs that matter most, for places with room for a few; `result_aliases` older names of results
    that remain valid, with the present ones; `bands` names, for a result, the two between which published runs lay;
    `recommendations` proposes changes of inputs, which explore tries, under `recommendations_heading`; `picture` draws
    the answer (pictures.py), and `second_picture` what of it has a scale of its own; `tables` are tables of sentences
    below the results (tables.py); `measurement` reads a run of the reader's own along a curve, `run_reader` one next
    to limits (measurements.py); `tradeoff` plots two results against each other (tradeoffs.py); `completes` adds to
    what is given what comes with it, such as the server around an accelerator; `unanswered` is the sentence of a state
    that has no answer, empty where there is one; `cost_lines` says by line what a result that is a price is made of.
    """

    name: str
    title: str
    question: str
    answer: str
    inputs_type: type
    formulas: Sequence[AnyFormula]
    headline: Sequence[str]
    first_sliders: Sequence[str] = ()
    presets: Sequence[Preset] = ()
    groups: Mapping[str, str] = dataclasses.field(default_factory=dict)
    assumptions: Sequence[str] = ()
    omits: Sequence[str] = ()
    result_aliases: Mapping[str, str] = dataclasses.field(default_factory=dict)
    bands: Mapping[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    recommendations: Callable[[Mapping[str, Any]], Iterable[tuple[str, Mapping[str, Any]]]] | None = None
    recommendations_heading: str = "What would help"
    picture: Bars | None = None
    second_picture: Bars | None = None
    tables: Sequence[Table] = ()
    measurement: Measurement | None = None
    run_reader: RunReader | None = None
    tradeoff: Tradeoff | None = None
    completes: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    unanswered: Callable[[Mapping[str, Any]], str] | None = None
    cost_lines: Mapping[str, Callable[[Mapping[str, Any]], CostLines]] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the declaration; DeclarationError names the culprit."""
        for check in CHECKS:
            check(self)

    @cached_property
    def inputs(self) -> Mapping[str, Input]:
        """The declared inputs by name."""
        fields = ((field.name, field.metadata["declared"]) for field in dataclasses.fields(self.inputs_type))
        return {name: one if one.name == name else dataclasses.replace(one, name=name) for name, one in fields}

    @cached_property
    def steps(self) -> Mapping[str, AnyFormula]:
        """Formulas of results (steps and verdicts) in order of computation."""
        return {name: formula for name, formula in self.computed.items() if formula.role != "record"}

    @cached_property
    def computed(self) -> Mapping[str, AnyFormula]:
        """Formulas of values (results and records) in order of computation."""
        return {
            node.name: self._formulas[node.name]
            for node in self._graph.plan(frozenset())
            if node.name in self._formulas
        }

    @cached_property
    def _formulas(self) -> Mapping[str, AnyFormula]:
        return {formula.name: formula for formula in self.formulas if formula.role in VALUE_ROLES}

    @cached_property
    def canonical_names(self) -> Mapping[str, str]:
        """Declared name of the input or preset by every name readers may use (with underscores, aliases too)."""
        names = {alias: preset.name for preset in self.presets for alias in (preset.name, *preset.aliases)}
        for declared in self.inputs.values():
            for alias in (declared.name, *declared.aliases):
                names[alias] = declared.name
        return names

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """Values of inputs that are neither given nor computed, in base units."""
        return {
            name: declared.options[declared.default].value if isinstance(declared, Choice) else declared.default
            for name, declared in self.inputs.items()
        }

    @cached_property
    def explored(self) -> tuple[str, ...]:
        """Inputs that explorations vary by default, most important first: all but those that a record fixes."""
        fixed = {name for preset in self.presets for name in preset.fixed}
        return tuple(dict.fromkeys((*self.first_sliders, *(name for name in self.inputs if name not in fixed))))

    @cached_property
    def searched(self) -> frozenset[str]:
        """Inputs of a search, whose change is costly to try: here none."""
        return frozenset()

    @cached_property
    def explored_menus(self) -> tuple[str, ...]:
        """Menus that explorations try by default: here all of them."""
        return tuple(preset.name for preset in self.presets)

    @cached_property
    def choices(self) -> frozenset[str]:
        """The names of the inputs with named options."""
        return frozenset(name for name, declared in self.inputs.items() if isinstance(declared, Choice))

    @property
    def computed_inputs(self) -> Mapping[str, Quantity]:
        """Inputs that may be computed if they are not given."""
        return self._graph.computed_inputs

    @cached_property
    def amounts_of_data(self) -> tuple[str, ...]:
        """Inputs and results in bytes, or in bytes per something."""
        declared = ((name, self.declared(name)) for name in (*self.inputs, *self.steps))
        return tuple(name for name, one in declared if not isinstance(one, Choice) and units.is_data(one.unit))

    @cached_property
    def input_constraints(self) -> tuple[AnyFormula, ...]:
        """Constraints on inputs alone."""
        return tuple(one for one in self.of_role("constraint") if self.inputs.keys() >= set(one.needs))

    def of_role(self, role: Role) -> tuple[AnyFormula, ...]:
        """The formulas of one role, as declared."""
        return self._by_role.get(role, ())

    @cached_property
    def refusals(self) -> Mapping[str, tuple[AnyFormula, ...]]:
        """Warnings that frameworks refuse a state, by the verdict that waits for it."""
        warnings = self.of_role("warning")
        found = {
            one.name: tuple(each for each in warnings if one.name in each.refuses) for one in self.of_role("verdict")
        }
        return {name: refusing for name, refusing in found.items() if refusing}

    @cached_property
    def _by_role(self) -> Mapping[Role, tuple[AnyFormula, ...]]:
        roles = dict.fromkeys(formula.role for formula in self.formulas)
        return {role: tuple(formula for formula in self.formulas if formula.role == role) for role in roles}

    def evaluate(self, given: Mapping[str, Any], *, inputs_alone: bool = False) -> Values:
        """Every input and result by name, from the given inputs, in base units. Raises what formulas raise.

        Inputs that are not given have their defaults. With `inputs_alone`, only as far as inputs need it.
        """
        names = frozenset(given)
        last = self._evaluated.get((names, inputs_alone))
        changed = (
            given if last is None else {name: given[name] for name in names if not identical(given[name], last[name])}
        )
        if last is None or len(changed) >= _MANY_CHANGES:
            known, nodes = {**self.defaults, **given}, self._graph.plan(names)
        else:
            known, nodes = {**last, **changed}, self._graph.dependents(names, frozenset(changed), frozenset())
        for node in nodes:
            if not inputs_alone or node.name in self._graph.leading_to_inputs:
                known[node.name] = node.value(known)
        store(self._evaluated, (names, inputs_alone), known, _MOST_EVALUATED)
        return Values(known, names, getattr(given, "ranges", None))

    def computable_inputs(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Inputs by name, without computed ones whose formulas raise."""
        nodes = [node for node in self._graph.plan(frozenset(given)) if node.name in self._graph.leading_to_inputs]
        known = {**self.defaults, **given}
        for node in nodes:
            known.pop(node.name, None)
        for node in nodes:
            if known.keys() >= set(node.needs):
                with contextlib.suppress(ArithmeticError, ValueError, TypeError):
                    known[node.name] = node.value(known)
        return {name: known[name] for name in self.inputs if name in known}

    def after(self, values: Mapping[str, Any], changes: Mapping[str, Any], result: str = "") -> Values:
        """Every value after changes of inputs, from the `values` before: only dependents are computed again.

        With `result`, only what that one needs; the other values are then out of date.
        """
        before = values.given if isinstance(values, Values) else frozenset(self.inputs)
        known = {**values, **changes}
        for node in self._graph.dependents(before, frozenset(changes), frozenset({result} if result else ())):
            known[node.name] = node.value(known)
        return Values(known, before | changes.keys(), getattr(values, "ranges", None))

    def prepare(
        self, _values: Mapping[str, Any], _changes: Mapping[str, Any], _result: str = ""
    ) -> Generator[None, None, None]:
        """Search with pauses for what `after` would search for; nothing is searched for here."""
        yield from ()

    def prepare_state(self, _given: Mapping[str, Any]) -> Generator[None, None, None]:
        """Search with pauses for what `evaluate` would search for; nothing is searched for here."""
        yield from ()

    def trials(self, values: Mapping[str, Any], names: Iterable[str], results: Iterable[str]) -> Trial:
        """Function like `after` for many changes of the same inputs: these results by name, and what they need."""
        return self.evaluator(values, names, results).evaluate

    def evaluator(
        self,
        values: Mapping[str, Any],
        names: Iterable[str],
        results: Iterable[str],
        implied: Finder | None = None,
    ) -> Evaluator:
        """Evaluator of these results after changes of these inputs; `implied` gives what else a change changes."""
        before = values.given if isinstance(values, Values) else frozenset(self.inputs)
        return Evaluator(self._graph.subgraph(before, frozenset(names), frozenset(results)), values, implied)

    def declared(self, name: str) -> Input | AnyFormula:
        """The input or formula of this name."""
        return self.inputs[name] if name in self.inputs else self.computed[name]

    def text(self, name: str, value: Any) -> str:
        """Text of an input's or result's value."""
        return self.declared(name).text(value)

    def needs(self, given: Collection[str], among: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Names that each of these is computed from when these inputs are given; values not computed are left out."""
        return self._graph.needs(given, among)

    @property
    def wiring(self) -> Mapping[str, tuple[str, ...]]:
        """Names that each value may be computed from: a formula's parameters, all fallbacks of an input."""
        return self._graph.wiring

    def decides(self, name: str) -> bool:
        """Whether other values depend on this input being given."""
        return self._graph.decides(name)

    def behind(self, name: str) -> frozenset[str]:
        """Inputs that a value depends on, or may depend on."""
        return self._graph.behind(name)

    @property
    def searched_values(self) -> frozenset[str]:
        """Values that a search finds, or that depend on what it finds: none without solved inputs."""
        return frozenset()

    def checks_on(self, moved: frozenset[str], values: Mapping[str, Any]) -> tuple[AnyFormula, ...]:
        """Constraints that may depend on these inputs, and warnings that frameworks refuse a layout.

        All of those warnings where frameworks refuse the `values`: what does not change that is refused as well.
        """
        found = self._checks_on.get(moved)
        if found is None:
            found = tuple(
                one
                for one in (*self.of_role("constraint"), *self._refusing)
                if any(need in moved or moved & self.behind(need) for need in one.needs)
            )
            store(self._checks_on, moved, found, _MOST_MOVED)
        return tuple(dict.fromkeys((*found, *self._refusing))) if self.is_refused(values) else found

    def is_refused(self, values: Mapping[str, Any]) -> bool:
        """Whether frameworks refuse the state."""
        return any(one.function(*[values[need] for need in one.needs]) for one in self._refusing)

    @cached_property
    def _refusing(self) -> tuple[AnyFormula, ...]:
        return tuple(dict.fromkeys(one for warnings in self.refusals.values() for one in warnings))

    @cached_property
    def _checks_on(self) -> dict[frozenset[str], tuple[AnyFormula, ...]]:
        return {}

    @cached_property
    def _graph(self) -> Graph:
        return Graph(self.inputs, self._formulas, self.refusals)

    @cached_property
    def _evaluated(self) -> dict[tuple[frozenset[str], bool], dict[str, Any]]:
        """Values of the latest evaluated states, by the names of the given inputs."""
        return {}
