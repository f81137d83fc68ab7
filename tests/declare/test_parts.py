"""Parts of a graph: computed in stages, each value once, from what is known and what a change brings."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from calculators.answers.explore.edges import Differing
from calculators.declare.parts import Begun, Node, Other, Part, Stages

PART = Part(
    nodes=(
        Node("seven", (), lambda: 7),
        Node("doubled", ("size",), lambda size: 2 * size),
        Node("copied", ("doubled",), None),
        Node("sum", ("copied", "other", "seven"), lambda *found: sum(found)),
        Node("aside", ("size", "other"), lambda size, other: size - other),
    ),
    names=("size", "other", "seven", "doubled", "copied", "sum", "aside"),
)


def since(now: Stages, before: Stages) -> Other | None:
    """What is otherwise than before, but for the size, which moves."""
    return now.since(before, Differing(now.values).since(before.values) - {"size"})


def names(results: tuple[str, ...], computed: tuple[str, ...] = ()) -> list[str]:
    return [name for name, *_ in PART.stage(PART.leading_to(results) & ~PART.leading_to(computed))]


def test_a_stage_holds_what_leads_to_its_results_and_was_not_computed_before() -> None:
    assert names(("sum",)) == ["doubled", "copied", "sum"]
    assert names(("aside",)) == ["aside"]
    assert names(("sum", "aside"), ("copied",)) == ["sum", "aside"]
    assert names(("copied",), ("sum",)) == []


def test_what_hangs_on_a_name_is_found_through_all_that_is_computed_from_it() -> None:
    assert [name for name, *_ in PART.stage(PART.hanging_on(frozenset({"doubled"})))] == ["copied", "sum"]
    assert [name for name, *_ in PART.stage(PART.hanging_on(frozenset({"other"})))] == ["sum", "aside"]
    assert set(PART.taken) == {"size", "other"}


def test_places_are_bits_from_the_first_node_on() -> None:
    """Doubled leads to the copy, that to the sum; neither has to do with the node before them, or with the last."""
    assert PART.leading_to(("sum",)) == 0b01111
    assert PART.leading_to(("copied",)) == 0b00110
    assert PART.leading_to(("aside",)) == 0b10000
    assert PART.hanging_on(frozenset({"doubled"})) == 0b01100
    assert PART.hanging_on(frozenset({"seven"})) == 0b01000
    assert PART.leading_to(()) == PART.hanging_on(frozenset()) == 0


def test_all_of_a_part_is_computed_from_a_change_and_what_stays() -> None:
    """The values of other inputs and what needs nothing are known beforehand."""
    stages = Stages(PART, {"size": 1, "other": 10, "sum": -1})
    found = stages.tried({"size": 3})
    assert (found["doubled"], found["copied"], found["sum"], found["aside"]) == (6, 6, 6 + 10 + 7, 3 - 10)
    assert stages.tried({"size": 4})["sum"] == 25


def test_stages_one_after_another_give_what_all_at_once_gives() -> None:
    stages = Stages(PART, {"size": 1, "other": 10})
    begun = Begun(stages, {"size": 3})
    assert begun.further(PART.leading_to(("copied",)))["copied"] == 6
    assert "sum" not in begun.known
    assert begun.further(PART.leading_to(("sum", "aside"))) == stages.tried({"size": 3})


def counted(calls: list[str]) -> Part:
    """The same part, and the names of what is computed, each time."""

    def told(node: Node) -> Node:
        def function(*needs: int) -> int:
            calls.append(node.name)
            return node.function(*needs) if node.function else needs[0]

        return replace(node, function=function)

    return Part(tuple(told(node) for node in PART.nodes), PART.names)


def test_what_is_taken_along_into_another_state_is_computed_only_where_it_hangs_on_what_is_otherwise() -> None:
    calls: list[str] = []
    part = counted(calls)
    first, second = Stages(part, {"size": 1, "other": 10}), Stages(part, {"size": 2, "other": 11})
    begun = Begun(first, {"size": 3})
    begun.further(PART.leading_to(("sum",)))
    calls.clear()
    begun.take_along(second, since(second, first), {"size": 3})
    assert begun.further(PART.leading_to(("sum", "aside")))["sum"] == 6 + 11 + 7
    assert calls == ["sum", "aside"]
    assert begun.known == second.tried({"size": 3})
    assert begun.stages is second


def test_what_stands_is_not_taken_for_right_before_it_was_asked_in_the_new_state() -> None:
    """Asked in the first and the third, not in the second: what changed between any two counts."""
    states = [Stages(PART, {"size": 1, "other": other}) for other in (10, 11, 12)]
    begun = Begun(states[0], {"size": 3})
    begun.further(PART.leading_to(("sum", "aside")))
    for before, after in pairwise(states):
        begun.take_along(after, since(after, before), {"size": 3})
    assert begun.further(PART.leading_to(("sum", "aside"))) == states[2].tried({"size": 3})


def test_of_another_part_or_where_a_change_brings_something_else_nothing_is_taken_along() -> None:
    own = Stages(PART, {"size": 1, "other": 10})
    brings = Stages(PART, {"size": 1, "other": 10}, lambda changes: {"other": 100 * changes["size"]})
    other = Stages(Part(PART.nodes, PART.names), {"size": 1, "other": 10})
    assert other.since(own, frozenset()) is None
    for before, stages in ((own, brings), (own, other), (brings, own)):
        begun = Begun(before, before.whole({"size": 3}))
        begun.further(PART.leading_to(("sum", "aside")))
        changes = stages.whole({"size": 3})
        begun.take_along(stages, since(stages, before), changes)
        assert begun.further(PART.leading_to(("sum", "aside"))) == stages.tried({"size": 3})


def test_what_a_change_brings_stays_though_it_is_otherwise_where_nothing_changes() -> None:
    def bringing(other: int) -> Stages:
        return Stages(PART, {"size": 1, "other": other}, lambda _: {"other": 5})

    first, second = bringing(10), bringing(11)
    begun = Begun(first, first.whole({"size": 3}))
    assert begun.further(PART.leading_to(("sum",)))["sum"] == 6 + 5 + 7
    begun.take_along(second, since(second, first), second.whole({"size": 3}))
    assert begun.further(PART.leading_to(("sum", "aside"))) == second.tried({"size": 3})


def test_what_raised_is_asked_again_and_stays_unknown() -> None:
    part = Part((Node("share", ("size", "other"), lambda size, other: size / other),), ("size", "other", "share"))
    without, with_others = Stages(part, {"size": 1, "other": 0}), Stages(part, {"size": 1, "other": 2})
    begun = Begun(without, {"size": 3})
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            begun.further(part.leading_to(("share",)))
    begun.take_along(with_others, since(with_others, without), {"size": 3})
    assert begun.further(part.leading_to(("share",)))["share"] == 3 / 2


def test_a_change_may_bring_others_and_goes_before_them() -> None:
    stages = Stages(PART, {"size": 1, "other": 10}, lambda changes: {"other": 100 * changes["size"], "size": -1})
    found = stages.tried({"size": 3})
    assert (found["other"], found["sum"]) == (300, 6 + 300 + 7)
