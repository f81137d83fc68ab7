"""Graph of a calculator: order of computation and dependencies on inputs."""

import graphlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from calculators.declare.formulas import REFUSED, AnyFormula, Verdict
from calculators.declare.inputs import Input, Quantity
from calculators.declare.memo import store
from calculators.declare.subgraph import Node, Subgraph

# Sessions last for hours and readers may give any set of inputs: enough for what one page needs, exploration
# included.
_MOST_PLANS = 64
_MOST_DEPENDENTS = 2048


@dataclass(frozen=True)
class Graph:
    """Inputs and the formulas that give results, both by name, wired by what each needs.

    `refusals` are warnings by the verdicts that they refuse: such a verdict needs what they need as well.
    """

    inputs: Mapping[str, Input]
    formulas: Mapping[str, AnyFormula]
    refusals: Mapping[str, tuple[AnyFormula, ...]] = field(default_factory=dict)

    @cached_property
    def computed_inputs(self) -> Mapping[str, Quantity]:
        """Inputs that may be computed if they are not given."""
        quantities = ((name, one) for name, one in self.inputs.items() if isinstance(one, Quantity))
        return {name: declared for name, declared in quantities if declared.fallbacks}

    def needs(self, given: Collection[str], among: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Names that each of these is computed from when these inputs are given; values not computed are left out."""
        nodes = ((name, self._node(name, given)) for name in among)
        return {name: node.needs for name, node in nodes if node is not None}

    @cached_property
    def wiring(self) -> Mapping[str, tuple[str, ...]]:
        """Names that each value may be computed from: a formula's parameters, all fallbacks of an input."""
        found = {name: node.needs for name, node in self._nodes.items()}
        for name, declared in self.computed_inputs.items():
            others = (one.name for one in declared.fallbacks if one.name != name)
            found[name] = (*found.get(name, ()), *others)
        return found

    def plan(self, given: frozenset[str]) -> tuple[Node, ...]:
        """Names to compute when these inputs are given, in order."""
        given &= self._deciding
        found = self._plans.get(given)
        if found is None:
            nodes = self._computed(given)
            widest = self._widest
            if all(widest.get(name) is node for name, node in nodes.items()):
                found = tuple(node for name, node in widest.items() if name in nodes)
            else:
                found = _in_order(nodes)
            store(self._plans, given, found, _MOST_PLANS)
        return found

    def _computed(self, given: Collection[str]) -> dict[str, Node]:
        every = ((name, self._node(name, given)) for name in (*self._nodes, *self._copied_inputs))
        return {name: node for name, node in every if node is not None}

    @cached_property
    def _widest(self) -> Mapping[str, Node]:
        """Names to compute when no input is given, in order; most plans leave out some of them."""
        return {node.name: node for node in _in_order(self._computed(()))}

    def _node(self, name: str, given: Collection[str]) -> Node | None:
        """Node that computes a value when these inputs are given; None without one."""
        declared = self.computed_inputs.get(name)
        if declared is None:
            return self._nodes.get(name)
        fallback = None if name in given else declared.fallback(given)
        if fallback is None:
            return None
        return self._nodes.get(name) if fallback.name == name else self._copies[name, fallback.name]

    @cached_property
    def _copied_inputs(self) -> tuple[str, ...]:
        """Computed inputs without a formula of their own name."""
        return tuple(name for name in self.computed_inputs if name not in self._nodes)

    def dependents(self, before: frozenset[str], changed: frozenset[str], results: frozenset[str]) -> tuple[Node, ...]:
        """Nodes to compute when `changed` inputs are given besides `before`, up to `results` (or all), in order."""
        key = self._the_sets(before & self._deciding, changed, results)
        found = self._known_dependents.get(key)
        if found is None:
            plan = self.plan(before | changed)
            without = self.plan(before)
            is_other = plan is not without
            earlier = {node.name: node.needs for node in without} if is_other else {}
            moved = set(changed)
            for node in plan:
                if not moved.isdisjoint(node.needs) or (is_other and earlier.get(node.name) != node.needs):
                    moved.add(node.name)
            needed = set(results) or {node.name for node in plan}
            for node in reversed(plan):
                if node.name in needed:
                    needed.update(node.needs)
            moved &= needed
            found = tuple(node for node in plan if node.name in moved)
            store(self._known_dependents, key, found, _MOST_DEPENDENTS)
        return found

    def subgraph(self, before: frozenset[str], changed: frozenset[str], results: frozenset[str]) -> Subgraph:
        """Subgraph from `changed` inputs, given besides those `before`, to these results."""
        key = self._the_sets(before & self._deciding, changed, results)
        found = self._known_subgraphs.get(key)
        if found is None:
            nodes = self.dependents(before, changed, results)
            found = Subgraph(nodes, tuple({*changed, *results, *(need for node in nodes for need in node.needs)}))
            store(self._known_subgraphs, key, found, _MOST_DEPENDENTS)
        return found

    def _the_sets(self, *sets: frozenset[str]) -> tuple[frozenset[str], ...]:
        return tuple(self._known_sets.setdefault(one, one) for one in sets)

    @cached_property
    def _nodes(self) -> Mapping[str, Node]:
        """Nodes of formulas, shared by all plans."""
        return {name: _node(formula, self.refusals.get(name, ())) for name, formula in self.formulas.items()}

    @cached_property
    def _copies(self) -> Mapping[tuple[str, str], Node]:
        """Inputs copied from another value by default, by both names."""
        return {
            (name, one.name): Node(name, (one.name,), None)
            for name, declared in self.computed_inputs.items()
            for one in declared.fallbacks
        }

    @cached_property
    def _deciding(self) -> frozenset[str]:
        """Inputs that change the plan by being given."""
        guards = {name for declared in self.computed_inputs.values() for one in declared.fallbacks for name in one.when}
        return frozenset(self.computed_inputs) | guards

    @cached_property
    def leading_to_inputs(self) -> frozenset[str]:
        """Names of computed inputs and of everything that they may be computed from."""
        found = {one.name for declared in self.computed_inputs.values() for one in declared.fallbacks}
        found |= self.computed_inputs.keys()
        waiting = list(found)
        while waiting:
            more = set(self.wiring.get(waiting.pop(), ())) - found
            found |= more
            waiting += more
        return frozenset(found)

    def decides(self, name: str) -> bool:
        """Whether other values depend on this input being given."""
        return name in self._deciding

    def behind(self, name: str) -> frozenset[str]:
        """Inputs that a value depends on, or may depend on."""
        found = self._behind.get(name)
        if found is None:
            bits = self._bits_behind.get(name, 0)
            found = frozenset(one for one, bit in self._bits.items() if bits & bit)
            self._behind[name] = found
        return found

    @cached_property
    def _bits(self) -> Mapping[str, int]:
        """Each input as a bit of its own."""
        return {name: 1 << place for place, name in enumerate(self.inputs)}

    @cached_property
    def _bits_behind(self) -> Mapping[str, int]:
        """The inputs behind every value at once: sought again until nothing is added, since paths may form circles.

        One value after the other takes up to ten times as long (*Inference*) while a reader waits.
        """
        found = dict.fromkeys(self.wiring, 0)
        before: dict[str, int] = {}
        while found != before:
            before = dict(found)
            for name, needs in self.wiring.items():
                for need in needs:
                    found[name] |= self._bits.get(need, 0) | found.get(need, 0)
        return found

    @cached_property
    def _behind(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def _plans(self) -> dict[frozenset[str], tuple[Node, ...]]:
        return {}

    @cached_property
    def _known_dependents(self) -> dict[tuple[frozenset[str], ...], tuple[Node, ...]]:
        return {}

    @cached_property
    def _known_subgraphs(self) -> dict[tuple[frozenset[str], ...], Subgraph]:
        return {}

    @cached_property
    def _known_sets(self) -> dict[frozenset[str], frozenset[str]]:
        """Interned sets of names."""
        return {}


def _node(formula: AnyFormula, refusals: tuple[AnyFormula, ...]) -> Node:
    """Node of a formula; a verdict that would be good or tight says instead that frameworks refuse the state."""
    if not refusals:
        return Node(formula.name, formula.needs, formula.function)
    needs = tuple(dict.fromkeys((*formula.needs, *(need for one in refusals for need in one.needs))))
    warnings = [(one.function, [needs.index(need) for need in one.needs]) for one in refusals]

    def judged(*values: Any) -> Verdict:
        found: Verdict = formula.function(*values[: len(formula.needs)])
        for warning, places in warnings if found.level != "bad" else ():
            if said := warning(*[values[at] for at in places]):
                return Verdict(level="tight", word=REFUSED, reason=f"{said} {found.reason}")
        return found

    return Node(formula.name, needs, judged)


def _in_order(nodes: Mapping[str, Node]) -> tuple[Node, ...]:
    order = graphlib.TopologicalSorter({name: node.needs for name, node in nodes.items()}).static_order()
    return tuple(nodes[name] for name in order if name in nodes)
