"""Explorations of layouts that frameworks refuse: what is refused in its state is refused in all that explores it.

Derived from the warnings that declare what they refuse, of every calculator that has one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from calculators.answers import answer, explore, links
from calculators.answers.explore import grids, margins, sampling, sweeps
from calculators.answers.explore.grids import Axis, Grid
from calculators.answers.input_state import valid_inputs
from calculators.answers.review import heat_map, solve, sweep
from calculators.answers.review import margins as margin_text
from calculators.catalog import CALCULATORS
from calculators.declare import REFUSED, Quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from calculators.answers.input_state import InputState
    from calculators.declare import Calculator, Values

GIB_60 = 60 * 2**30
WARNINGS = [
    (name, warning.name)
    for name, calculator in CALCULATORS.items()
    for warning in calculator.of_role("warning")
    if calculator.steps.keys() & set(warning.refuses)
]


def states(name: str, warning: str) -> tuple[Calculator, dict[str, InputState], dict[str, Values]]:
    """A state that the warning refuses ("speaks") and one that it does not ("silent"), from its declaration."""
    calculator = CALCULATORS[name]
    declared = next(one for one in calculator.of_role("warning") if one.name == warning)
    read = {key: valid_inputs(calculator, links.read_link(calculator, link)[0]) for key, link in declared.examples}
    return calculator, read, {key: answer.evaluated(calculator, one) for key, one in read.items()}


def moved(calculator: Calculator, warning: str, one: Values, other: Values) -> list[str]:
    """Quantities in which both states differ and on which the warning depends."""
    declared = next(found for found in calculator.of_role("warning") if found.name == warning)
    behind = {*declared.needs, *(each for need in declared.needs for each in calculator.behind(need))}
    return [
        name
        for name, declared_input in calculator.inputs.items()
        if isinstance(declared_input, Quantity) and name in behind and one[name] != other[name]
    ]


def crossed(found: Mapping[str, list[margins.Margin]]) -> Iterator[tuple[str, str, float, str]]:
    """Input, verdict, value and the verdict's word there, for both sides of every threshold."""
    for verdict, those in found.items():
        for margin in those:
            for threshold in (*margin.down, *margin.up):
                yield margin.name, verdict, threshold.last, threshold.below.word
                yield margin.name, verdict, threshold.first, threshold.above.word


def test_several_calculators_declare_what_frameworks_refuse() -> None:
    assert len({name for name, _ in WARNINGS}) > 3
    assert len(WARNINGS) > 10


@pytest.mark.parametrize(("name", "warning"), WARNINGS)
def test_a_state_is_refused_in_its_verdicts_its_answer_and_its_ranges(name: str, warning: str) -> None:
    calculator, read, known = states(name, warning)
    refused, accepted = known["speaks"], known["silent"]
    words = {one: refused[one].word for one in calculator.refusals}
    assert all(word == REFUSED or refused[one].level == "bad" for one, word in words.items())
    assert "layout refused" in answer.sentence(calculator, refused, read["speaks"]).lower()
    assert "layout refused" not in answer.sentence(calculator, accepted, read["silent"]).lower()
    result = sweep.first_number(calculator, refused)
    assert explore.swings(calculator, refused, result).run() == []
    assert sampling.assumed_range(calculator, refused, result).run() is None
    for change in explore.recommendations(calculator, refused).run():
        assert not calculator.is_refused(change.values), change.label


@pytest.mark.daily(5)
@pytest.mark.parametrize("state", ["speaks", "silent"])
@pytest.mark.parametrize(("name", "warning"), WARNINGS)
def test_every_threshold_is_the_verdict_of_the_state_at_its_value(name: str, warning: str, state: str) -> None:
    """In an accepted state no threshold names a value at which the layout is refused."""
    calculator, _, known = states(name, warning)
    values = known[state]
    if state == "silent" and calculator.is_refused(values):
        pytest.fail("another warning refuses the state in which this one is silent")
    found = margins.margins(calculator, values, list(calculator.refusals)).run()
    for one, verdict, value, word in crossed(found):
        after = calculator.after(values, {one: value})
        assert after[verdict].word == word, (one, value)
        assert state == "speaks" or not calculator.is_refused(after), (one, value)


@pytest.mark.parametrize(("name", "warning"), WARNINGS)
def test_a_heat_map_and_a_sweep_show_no_number_where_the_layout_is_refused(name: str, warning: str) -> None:
    calculator, _, known = states(name, warning)
    for start in known.values():
        for one in moved(calculator, warning, known["speaks"], known["silent"]):
            ends = sorted({known["speaks"][one], known["silent"][one]})
            result = sweep.first_number(calculator, start)
            other = next(each for each in calculator.first_sliders if each != one)
            grid = Grid(result, Axis(one, tuple(ends)), Axis(other, (start[other],)), tuple(calculator.refusals))
            (row,) = grids.filled(calculator, start, grid).run().rows
            swept = sweeps.sweep(calculator, start, one, result, (ends[0], ends[-1])).run()
            shown = dict(zip(swept.points, swept.lines[0].results, strict=True))
            for value, cell in zip(ends, row, strict=True):
                refused = calculator.is_refused(calculator.after(start, {one: value}))
                assert (cell.result is None, shown[value] is None) == (refused, refused), (one, value)
                assert (heat_map.cell_text(calculator, grid, cell) == "refused") == refused


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("sequence_length", "training_memory<=60GiB"),
        ("sequence_length", "training_memory=60GiB"),
        ("sequence_length", "fits=good"),
        ("gpus", "training_memory<=60GiB"),
    ],
)
def test_a_solution_is_the_nearest_count_at_which_the_layout_is_accepted(name: str, asked: str) -> None:
    """By trying every count near it: ranks of tensor parallelism split the sequence, replicas the GPUs."""
    calculator = CALCULATORS["training_memory"]
    resolved = valid_inputs(calculator, {"gpus": "96"})
    values = answer.evaluated(calculator, resolved)
    result, wanted = solve.target(calculator, asked)
    (found,) = solve.solutions(calculator, resolved, values, result, wanted, [name]).run()
    ends = [end for one in found.data["answers"] for key in ("from", "to", "value") if (end := one.get(key))]
    assert ends
    for end in ends:
        near = {float(n): calculator.after(values, {name: float(n)}) for n in range(int(end) - 70, int(end) + 70)}
        accepted = {n: after for n, after in near.items() if not calculator.is_refused(after)}
        assert end in accepted
        within = {n for n, after in accepted.items() if after["training_memory"] <= GIB_60}
        if "<=" in asked:
            assert end in {min(within), max(within)}


def test_a_refused_menu_entry_is_no_solution() -> None:
    """At a feed-forward width of 28,673 all models are refused, at the default none is."""
    calculator = CALCULATORS["kv_cache"]
    for width, models in (("28673", 0), ("", 10)):
        resolved = valid_inputs(calculator, {"ffn_hidden": width} if width else {})
        values = answer.evaluated(calculator, resolved)
        asked = solve.target(calculator, "max_sequences>=170")
        (found,) = solve.solutions(calculator, resolved, values, *asked, ["model"]).run()
        assert (len(found.offers) > models) == (models > 0), width


def test_a_heat_map_marks_the_present_state_as_refused_and_margins_say_the_way_out() -> None:
    calculator = CALCULATORS["training_memory"]
    values = answer.evaluated(calculator, valid_inputs(calculator, {"gpus": "500"}))
    shown = heat_map.lines(calculator, values, heat_map.parse(calculator, values, ["gpus=480,500,512", "tp=8"]))
    assert "[refused]" in shown[-1]
    assert shown[-1].count("GiB") == 2  # 480 and 512 GPUs are whole replicas of 8 × 4
    said = margin_text.lines(calculator, values)
    assert "layout refused up to 511 GPUs, OK at 512 GPUs" in said[1]
    assert "layout refused down to 481 GPUs, OK at 480 GPUs" in said[2]
