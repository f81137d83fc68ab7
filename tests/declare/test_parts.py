"""Parts of a graph: computed in stages, each value once, from what is known and what a change brings."""

from __future__ import annotations

from calculators.declare.parts import Node, Part, Stages, compute

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


def names(results: tuple[str, ...], computed: tuple[str, ...] = ()) -> list[str]:
    return [name for name, *_ in PART.stage(results, computed)]


def test_a_stage_holds_what_leads_to_its_results_and_was_not_computed_before() -> None:
    assert names(("sum",)) == ["doubled", "copied", "sum"]
    assert names(("aside",)) == ["aside"]
    assert names(("sum", "aside"), ("copied",)) == ["sum", "aside"]
    assert names(("copied",), ("sum",)) == []


def test_all_of_a_part_is_computed_from_a_change_and_what_stays() -> None:
    """The values of other inputs and what needs nothing are known beforehand."""
    stages = Stages(PART, {"size": 1, "other": 10, "sum": -1})
    found = stages.tried({"size": 3})
    assert (found["doubled"], found["copied"], found["sum"], found["aside"]) == (6, 6, 6 + 10 + 7, 3 - 10)
    assert stages.tried({"size": 4})["sum"] == 25


def test_stages_one_after_another_give_what_all_at_once_gives() -> None:
    stages = Stages(PART, {"size": 1, "other": 10})
    known = stages.begun({"size": 3})
    compute(known, stages.stage(("copied",), ()))
    assert known["copied"] == 6
    assert "sum" not in known
    compute(known, stages.stage(("sum", "aside"), ("copied",)))
    assert known == stages.tried({"size": 3})


def test_a_change_may_bring_others_and_goes_before_them() -> None:
    stages = Stages(PART, {"size": 1, "other": 10}, lambda changes: {"other": 100 * changes["size"], "size": -1})
    found = stages.tried({"size": 3})
    assert (found["other"], found["sum"]) == (300, 6 + 300 + 7)
