"""A calculator: its inputs and a graph of named formulas.

A formula's parameter names are its wiring: each names an input or another formula. Everything else in the product
(form, results, working, links, command line, most tests) is derived from what is declared here.
"""

import dataclasses
import graphlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import itemgetter
from typing import Any, Concatenate, TypeVar

from calculators import units
from calculators.declare.formulas import AnyFormula, Role
from calculators.declare.inputs import Choice, Input, Preset, Quantity
from calculators.declare.measurements import Measurement
from calculators.declare.memory import Memory, alike
from calculators.declare.pictures import Bars
from calculators.declare.sheets import Sheet
from calculators.declare.tradeoffs import Tradeoff

# Sessions last for hours, and readers may give any set of inputs: enough for what one page asks, an exploration too.
_MOST_PLANS = 64
_MOST_DEPENDENTS = 2048
_MOST_EVALUATED = 8
# Of how many changed inputs on it is no less work to compute everything.
_MANY_CHANGES = 16
Made = TypeVar("Made")


class Values(dict[str, Any]):
    """Every input and result by name, in base units.

    `given` names the inputs that the reader or a menu gave, all others being what they are otherwise; `ranges` holds
    the hedge of every input that the reader gave as a range.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        given: Iterable[str],
        ranges: Mapping[str, tuple[float, float]] | None = None,
    ) -> None:
        super().__init__(values)
        self.given = frozenset(given)
        self.ranges = dict(ranges or {})


@dataclass(frozen=True)
class _Node:
    """One value to be computed: by a function of other values, or as the copy of one."""

    name: str
    needs: tuple[str, ...]
    function: Callable[..., Any] | None

    def value(self, known: Mapping[str, Any]) -> Any:
        """What it is, all it needs being known."""
        return known[self.needs[0]] if self.function is None else self.function(*[known[need] for need in self.needs])


def _the_same(value: Any) -> Any:
    return value


def _remember(known: dict[Any, Made], key: object, found: Made, most: int) -> None:
    """Keep what was found for later, and forget what was found first when there is too much."""
    known[key] = found
    if len(known) > most:
        del known[next(iter(known))]


@dataclass(frozen=True, kw_only=True)
class Calculator:
    """A calculator: declared once, checked on construction (checks.py).

    `answer` is the sentence with {names} in it; `headline` the results readers came for, the most wanted first;
    `first_sliders` the inputs that matter most, for places with room for a few; `also_called` older names of results
    that stay valid, with what they name now; `bands` names, for a result, the two between which published runs lay;
    `advice` proposes changes of inputs, tried by explore, under `advice_heading`; `picture` draws the answer, where
    there is one (pictures.py), and `second_picture` what of it has a scale of its own; `sheets` are tables of sentences
    beside the results (sheets.py); `measurement` reads a run of the reader's own (measurements.py); `tradeoff` sets two
    results against each other (tradeoffs.py); `completes` adds to what is given what comes with it, such as the server
    around an accelerator.
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
    also_called: Mapping[str, str] = dataclasses.field(default_factory=dict)
    bands: Mapping[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    advice: Callable[[Mapping[str, Any]], Iterable[tuple[str, Mapping[str, Any]]]] | None = None
    advice_heading: str = "What would help"
    picture: Bars | None = None
    second_picture: Bars | None = None
    sheets: Sequence[Sheet] = ()
    measurement: Measurement | None = None
    tradeoff: Tradeoff | None = None
    completes: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None

    def __post_init__(self) -> None:
        """Check all of it, naming the culprit."""
        from calculators.declare.checks import check_calculator  # noqa: PLC0415  the checks are about this class

        check_calculator(self)

    @cached_property
    def inputs(self) -> Mapping[str, Input]:
        """The declared inputs by name."""
        fields = ((field.name, field.metadata["declared"]) for field in dataclasses.fields(self.inputs_type))
        return {name: one if one.name == name else dataclasses.replace(one, name=name) for name, one in fields}

    @cached_property
    def steps(self) -> Mapping[str, AnyFormula]:
        """The formulas that give results (steps and verdicts), in the order in which they can be computed."""
        return {node.name: self._formulas[node.name] for node in self._plan(frozenset()) if node.name in self._formulas}

    @cached_property
    def _formulas(self) -> Mapping[str, AnyFormula]:
        return {formula.name: formula for formula in self.formulas if formula.role in {"step", "verdict"}}

    @cached_property
    def canonical_names(self) -> Mapping[str, str]:
        """Every name readers may use (with underscores, aliases too) -> the declared name of the input or preset."""
        names = {alias: preset.name for preset in self.presets for alias in (preset.name, *preset.aliases)}
        for declared in self.inputs.values():
            for alias in (declared.name, *declared.aliases):
                names[alias] = declared.name
        return names

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """What inputs are when nobody gives them and nothing computes them, in base units."""
        return {
            name: declared.options[declared.default].value if isinstance(declared, Choice) else declared.default
            for name, declared in self.inputs.items()
        }

    @cached_property
    def explored(self) -> tuple[str, ...]:
        """The inputs that explorations move unasked, those that matter most first: here all of them."""
        return tuple(dict.fromkeys((*self.first_sliders, *self.inputs)))

    @cached_property
    def searched(self) -> frozenset[str]:
        """The inputs on which a search hangs, so that nobody asks lightly whether they do anything: here none."""
        return frozenset()

    @cached_property
    def explored_menus(self) -> tuple[str, ...]:
        """The menus that explorations try unasked: here all of them."""
        return tuple(preset.name for preset in self.presets)

    @cached_property
    def choices(self) -> frozenset[str]:
        """The names of the inputs with named options."""
        return frozenset(name for name, declared in self.inputs.items() if isinstance(declared, Choice))

    @cached_property
    def computed_inputs(self) -> Mapping[str, Quantity]:
        """The inputs that may be computed when nobody gives them."""
        quantities = ((name, one) for name, one in self.inputs.items() if isinstance(one, Quantity))
        return {name: declared for name, declared in quantities if declared.alternatives}

    @cached_property
    def amounts_of_data(self) -> tuple[str, ...]:
        """The inputs and results whose unit is bytes, alone or for each of something."""
        declared = ((name, self.declared(name)) for name in (*self.inputs, *self.steps))
        return tuple(name for name, one in declared if not isinstance(one, Choice) and units.is_data(one.unit))

    @cached_property
    def input_checks(self) -> tuple[AnyFormula, ...]:
        """The checks that look at inputs alone."""
        return tuple(check for check in self.of_role("check") if self.inputs.keys() >= set(check.needs))

    def of_role(self, role: Role) -> tuple[AnyFormula, ...]:
        """The formulas of one role, as declared."""
        return self._by_role.get(role, ())

    @cached_property
    def _by_role(self) -> Mapping[Role, tuple[AnyFormula, ...]]:
        roles = dict.fromkeys(formula.role for formula in self.formulas)
        return {role: tuple(formula for formula in self.formulas if formula.role == role) for role in roles}

    def evaluate(self, given: Mapping[str, Any], *, inputs_alone: bool = False) -> Values:
        """Every input and result by name, from what is given of the inputs, in base units. Raises what formulas raise.

        Inputs that are not given are what they are otherwise. With `inputs_alone`, only as far as inputs need it.
        """
        names = frozenset(given)
        last = self._evaluated.get((names, inputs_alone))
        changed = given if last is None else {name: given[name] for name in names if not alike(given[name], last[name])}
        if last is None or len(changed) >= _MANY_CHANGES:
            known, nodes = {**self.defaults, **given}, self._plan(names)
        else:
            known, nodes = {**last, **changed}, self._dependents(names, frozenset(changed), frozenset())
        for node in nodes:
            if not inputs_alone or node.name in self._leading_to_inputs:
                known[node.name] = node.value(known)
        _remember(self._evaluated, (names, inputs_alone), known, _MOST_EVALUATED)
        return Values(known, names, getattr(given, "ranges", None))

    def after(self, values: Mapping[str, Any], changes: Mapping[str, Any], result: str = "") -> Values:
        """Every value after changes of inputs, from `values` before them: only what depends on them is computed anew.

        With `result`, only as far as that one needs; the others are then worth nothing.
        """
        before = values.given if isinstance(values, Values) else frozenset(self.inputs)
        known = {**values, **changes}
        for node in self._dependents(before, frozenset(changes), frozenset({result} if result else ())):
            known[node.name] = node.value(known)
        return Values(known, before | changes.keys(), getattr(values, "ranges", None))

    def trials(
        self, values: Mapping[str, Any], names: Iterable[str], results: Iterable[str]
    ) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
        """Like `after`, for many changes of the same inputs; what is known is these results and what they need."""
        before = values.given if isinstance(values, Values) else frozenset(self.inputs)
        changed, wanted = frozenset(names), frozenset(results)
        nodes = self._dependents(before, changed, wanted)
        needed = {*changed, *wanted, *(need for node in nodes for need in node.needs)}
        basis = {name: values[name] for name in needed if name in values}
        # A page waits for thousands of trials: nothing is looked up in them that can be beforehand.
        steps = [
            (node.name, node.function or _the_same, len(node.needs) == 1, itemgetter(*node.needs))
            for node in nodes
            if node.needs
        ]
        basis |= {node.name: node.value(basis) for node in nodes if not node.needs}

        def tried(changes: Mapping[str, Any]) -> dict[str, Any]:
            known = {**basis, **changes}
            for name, function, alone, taken in steps:
                known[name] = function(taken(known)) if alone else function(*taken(known))
            return known

        return tried

    def declared(self, name: str) -> Input | AnyFormula:
        """The input or formula of this name."""
        return self.inputs[name] if name in self.inputs else self.steps[name]

    def text(self, name: str, value: Any) -> str:
        """The value of an input or result as readers see it."""
        return self.memory(Calculator._text)(name, value)

    def _text(self, name: str, value: Any) -> str:
        return self.declared(name).text(value)

    def memory(self, make: "Callable[Concatenate[Calculator, ...], Made]") -> Memory[Made]:
        """What this made last of this calculator, a name, its value and whatever else counts."""
        known: Memory[Made] | None = self._memories.get(make)
        if known is None:
            known = self._memories[make] = Memory(partial(make, self))
        return known

    def needs(self, given: Collection[str], among: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """What each of these is computed from when these inputs are given; those that are not computed are left out."""
        nodes = ((name, self._node(name, given)) for name in among)
        return {name: node.needs for name, node in nodes if node is not None}

    @cached_property
    def wiring(self) -> Mapping[str, tuple[str, ...]]:
        """What each value may be computed from: by its formula, and in all ways that there are for an input."""
        found = {name: formula.needs for name, formula in self._formulas.items()}
        for name, declared in self.computed_inputs.items():
            others = (one.name for one in declared.alternatives if one.name != name)
            found[name] = (*found.get(name, ()), *others)
        return found

    def _plan(self, given: frozenset[str]) -> tuple[_Node, ...]:
        """What is computed when these inputs are given, in order."""
        given &= self._deciding
        found = self._plans.get(given)
        if found is None:
            every = ((name, self._node(name, given)) for name in (*self._nodes, *self._only_otherwise))
            nodes = {name: node for name, node in every if node is not None}
            order = graphlib.TopologicalSorter({name: node.needs for name, node in nodes.items()}).static_order()
            found = tuple(nodes[name] for name in order if name in nodes)
            _remember(self._plans, given, found, _MOST_PLANS)
        return found

    def _node(self, name: str, given: Collection[str]) -> _Node | None:
        """What computes a value when these inputs are given, if anything does."""
        declared = self.computed_inputs.get(name)
        if declared is None:
            return self._nodes.get(name)
        alternative = None if name in given else declared.alternative(given)
        if alternative is None:
            return None
        return self._nodes.get(name) if alternative.name == name else self._copies[name, alternative.name]

    @cached_property
    def _only_otherwise(self) -> tuple[str, ...]:
        """The inputs that may be computed, and have no formula of their own name."""
        return tuple(name for name in self.computed_inputs if name not in self._nodes)

    def _dependents(
        self, before: frozenset[str], changed: frozenset[str], results: frozenset[str]
    ) -> tuple[_Node, ...]:
        """What depends on these inputs, now given beside others, and on which a result depends (or all), in order."""
        key = tuple(self._known_sets.setdefault(one, one) for one in (before & self._deciding, changed, results))
        found = self._known_dependents.get(key)
        if found is None:
            plan = self._plan(before | changed)
            earlier = {node.name: node.needs for node in self._plan(before)}
            moved = set(changed)
            for node in plan:
                if not moved.isdisjoint(node.needs) or earlier.get(node.name) != node.needs:
                    moved.add(node.name)
            wanted = set(results) or {node.name for node in plan}
            for node in reversed(plan):
                if node.name in wanted:
                    wanted.update(node.needs)
            found = tuple(node for node in plan if node.name in moved & wanted)
            _remember(self._known_dependents, key, found, _MOST_DEPENDENTS)
        return found

    @cached_property
    def _nodes(self) -> Mapping[str, _Node]:
        """What formulas compute; plans by the hundred share these."""
        return {name: _Node(name, formula.needs, formula.function) for name, formula in self._formulas.items()}

    @cached_property
    def _copies(self) -> Mapping[tuple[str, str], _Node]:
        """What inputs are otherwise, by their name and that of the other."""
        return {
            (name, one.name): _Node(name, (one.name,), None)
            for name, declared in self.computed_inputs.items()
            for one in declared.alternatives
        }

    @cached_property
    def _deciding(self) -> frozenset[str]:
        """The inputs of which it matters for the order whether they are given."""
        guards = {
            name for declared in self.computed_inputs.values() for one in declared.alternatives for name in one.when
        }
        return frozenset(self.computed_inputs) | guards

    @cached_property
    def _leading_to_inputs(self) -> frozenset[str]:
        """All that any input may be computed from, those inputs too."""
        wanted = {one.name for declared in self.computed_inputs.values() for one in declared.alternatives}
        wanted |= self.computed_inputs.keys()
        waiting = list(wanted)
        while waiting:
            more = set(self.wiring.get(waiting.pop(), ())) - wanted
            wanted |= more
            waiting += more
        return frozenset(wanted)

    def decides(self, name: str) -> bool:
        """Whether it matters for others that this input is given."""
        return name in self._deciding

    def behind(self, name: str) -> frozenset[str]:
        """The inputs from which a value is computed, or may be."""
        found = self._behind.get(name)
        if found is None:
            seen: set[str] = set()
            waiting = [name]
            while waiting:
                needs = set(self.wiring.get(waiting.pop(), ()))
                waiting += needs - seen
                seen |= needs
            found = self._behind[name] = frozenset(seen & self.inputs.keys())
        return found

    @cached_property
    def _behind(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def _plans(self) -> dict[frozenset[str], tuple[_Node, ...]]:
        return {}

    @cached_property
    def _evaluated(self) -> dict[tuple[frozenset[str], bool], dict[str, Any]]:
        """Every value of the states that were asked for last, by the names of what was given."""
        return {}

    @cached_property
    def _memories(self) -> dict[object, Memory[Any]]:
        return {}

    @cached_property
    def _known_dependents(self) -> dict[tuple[frozenset[str], ...], tuple[_Node, ...]]:
        return {}

    @cached_property
    def _known_sets(self) -> dict[frozenset[str], frozenset[str]]:
        """Each set of names once, however many plans are known by it."""
        return {}
