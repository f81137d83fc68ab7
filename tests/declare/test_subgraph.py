"""Subgraphs: computed as far as results need it, each value once, from what is known and what a change implies."""

from __future__ import annotations

import pytest

from calculators.declare.subgraph import Evaluator, Finder, Node, PartialEvaluation, Subgraph

SUBGRAPH = Subgraph(
    nodes=(
        Node("seven", (), lambda: 7),
        Node("doubled", ("size",), lambda size: 2 * size),
        Node("copied", ("doubled",), None),
        Node("sum", ("copied", "other", "seven"), lambda *found: sum(found)),
        Node("aside", ("size", "other"), lambda size, other: size - other),
    ),
    names=("size", "other", "seven", "doubled", "copied", "sum", "aside"),
)


def names(results: tuple[str, ...], computed: tuple[str, ...] = ()) -> list[str]:
    return [name for name, *_ in SUBGRAPH.steps_of(SUBGRAPH.leading_to(results) & ~SUBGRAPH.leading_to(computed))]


def test_only_what_leads_to_a_result_and_was_not_computed_before_is_computed() -> None:
    assert names(("sum",)) == ["doubled", "copied", "sum"]
    assert names(("aside",)) == ["aside"]
    assert names(("sum", "aside"), ("copied",)) == ["sum", "aside"]
    assert names(("copied",), ("sum",)) == []


def test_places_are_bits_from_the_first_node_on() -> None:
    """Doubled leads to the copy, that to the sum; neither has to do with the node before them, or with the last."""
    assert SUBGRAPH.leading_to(("sum",)) == 0b01111
    assert SUBGRAPH.leading_to(("copied",)) == 0b00110
    assert SUBGRAPH.leading_to(("aside",)) == 0b10000
    assert SUBGRAPH.leading_to(()) == 0


def test_all_of_a_subgraph_is_computed_from_a_change_and_what_stays() -> None:
    """The values of other inputs and what needs nothing are known beforehand."""
    evaluator = Evaluator(SUBGRAPH, {"size": 1, "other": 10, "sum": -1})
    found = evaluator.evaluate({"size": 3})
    assert (found["doubled"], found["copied"], found["sum"], found["aside"]) == (6, 6, 6 + 10 + 7, 3 - 10)
    assert evaluator.evaluate({"size": 4})["sum"] == 25


def test_results_one_after_another_are_what_all_at_once_are() -> None:
    evaluator = Evaluator(SUBGRAPH, {"size": 1, "other": 10})
    evaluation = PartialEvaluation(evaluator, {"size": 3})
    known = evaluation.up_to(SUBGRAPH.leading_to(("copied",)))
    assert known["copied"] == 6
    assert "sum" not in known
    assert evaluation.up_to(SUBGRAPH.leading_to(("sum", "aside"))) == evaluator.evaluate({"size": 3})


def test_each_value_is_computed_once() -> None:
    calls: list[str] = []

    def counted(node: Node) -> Node:
        def function(*needs: int) -> int:
            calls.append(node.name)
            return node.function(*needs) if node.function else needs[0]

        return Node(node.name, node.needs, function)

    subgraph = Subgraph(tuple(map(counted, SUBGRAPH.nodes)), SUBGRAPH.names)
    evaluation = PartialEvaluation(Evaluator(subgraph, {"size": 1, "other": 10}), {"size": 3})
    for results in (("copied",), ("sum",), ("sum", "aside")):
        evaluation.up_to(subgraph.leading_to(results))
    assert calls == ["seven", "doubled", "copied", "sum", "aside"]


def test_what_raised_is_computed_again_and_stays_unknown() -> None:
    node = Node("share", ("size", "other"), lambda size, other: size / other)
    subgraph = Subgraph((node,), ("size", "other", "share"))
    evaluation = PartialEvaluation(Evaluator(subgraph, {"size": 1, "other": 0}), {"size": 3})
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            evaluation.up_to(subgraph.leading_to(("share",)))


def test_a_change_may_imply_others_and_goes_before_them() -> None:
    values = {"size": 1, "other": 10}
    evaluator = Evaluator(SUBGRAPH, values, Finder(lambda changes: {"other": 100 * changes["size"], "size": -1}))
    found = evaluator.evaluate({"size": 3})
    assert (found["other"], found["sum"]) == (300, 6 + 300 + 7)
    assert PartialEvaluation(evaluator, {"size": 3}).up_to(0b11111) == found
