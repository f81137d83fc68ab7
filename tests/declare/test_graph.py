"""The graph: what depends on an input is computed again when it moves, by the way that is left, and nothing more."""

from __future__ import annotations

from collections.abc import Iterable

from calculators.catalog import CALCULATORS
from calculators.declare import computed, step
from calculators.declare.graph import Graph
from calculators.declare.subgraph import Node
from tests.declare.test_declare import doubled, inputs_of, quadrupled, sized, toy


@step("B", "Half the weight")
def half(weight: float) -> float:
    return weight / 2


@step("B", "What nothing else has to do with")
def apart(other: float) -> float:
    return other


def graph() -> Graph:
    """Weight is twice the size; four times, where a third input is given; or what is given."""
    ways = (computed("quadrupled", "so", when=("third",)), computed("doubled", "twice"))
    others = {name: sized(label=name.title()) for name in ("third", "other")}
    calculator = toy(
        inputs_of(size=sized(), weight=sized(default=ways, label="Weight"), **others), doubled, quadrupled, half, apart
    )
    return Graph(calculator.inputs, {formula.name: formula for formula in calculator.formulas})


def names(nodes: Iterable[Node]) -> list[str]:
    return [node.name for node in nodes]


def some(*given: str) -> frozenset[str]:
    return frozenset(given)


def test_only_what_hangs_on_an_input_depends_on_it() -> None:
    wired = graph()
    assert set(names(wired.dependents(some(), some("size"), some()))) == {"doubled", "quadrupled", "weight", "half"}
    assert names(wired.dependents(some(), some("other"), some())) == ["apart"]
    assert names(wired.dependents(some(), some("weight"), some())) == ["half"]


def test_an_input_that_decides_how_another_is_computed_moves_it() -> None:
    assert names(graph().dependents(some(), some("third"), some())) == ["weight", "half"]


def test_of_what_depends_only_what_leads_to_a_result_is_computed() -> None:
    wired = graph()
    assert names(wired.dependents(some(), some("size"), some("half"))) == ["doubled", "weight", "half"]
    assert names(wired.dependents(some("third"), some("size"), some("half"))) == [
        *("doubled", "quadrupled", "weight", "half"),
    ]
    assert names(wired.dependents(some(), some("size"), some("apart"))) == []


def test_a_part_is_that_of_what_is_given_before_it() -> None:
    """Asked for in one state, then in another, the second answer is not the first."""
    wired = graph()
    assert names(wired.subgraph(some(), some("size"), some("half")).nodes) == ["doubled", "weight", "half"]
    assert names(wired.subgraph(some("weight"), some("size"), some("half")).nodes) == []
    assert names(wired.subgraph(some(), some("size"), some("half")).nodes) == ["doubled", "weight", "half"]
    assert set(wired.subgraph(some(), some("other"), some("apart")).names) == {"other", "apart"}


def test_what_is_given_besides_what_decides_makes_no_other_plan() -> None:
    wired = graph()
    assert wired.plan(some("size", "other")) is wired.plan(some())
    assert "weight" not in names(wired.plan(some("weight")))
    assert [wired.decides(name) for name in ("weight", "third", "size", "other")] == [True, True, False, False]


def test_where_all_that_is_computed_is_given_the_other_way_is_taken() -> None:
    ways = (computed("other", "so", when=("third",)), computed("size", "as large"))
    others = {name: sized(label=name.title()) for name in ("third", "other")}
    inputs = toy(inputs_of(size=sized(), weight=sized(default=ways, label="Weight"), **others)).inputs
    wired = Graph(inputs, {})
    for given, needs in ((some(), "size"), (some("third"), "other"), (some(), "size")):
        assert [(node.name, node.needs) for node in wired.plan(given)] == [("weight", (needs,))]


def test_what_is_behind_a_value_are_the_inputs_it_may_be_computed_from() -> None:
    wired = graph()
    assert wired.behind("half") == {"weight", "size"}
    assert wired.behind("apart") == {"other"}
    assert wired.behind("size") == frozenset()
    assert wired.leading_to_inputs == {"weight", "quadrupled", "doubled", "size"}


def test_on_every_calculator_the_inputs_behind_a_value_are_those_that_its_wiring_reaches() -> None:
    for calculator in CALCULATORS.values():
        graph = Graph(calculator.inputs, dict(calculator.steps))
        for name in graph.wiring:
            reached: set[str] = set()
            waiting = [name]
            while waiting:
                more = set(graph.wiring.get(waiting.pop(), ())) - reached
                reached |= more
                waiting += more
            assert graph.behind(name) == reached & graph.inputs.keys(), (calculator.name, name)
